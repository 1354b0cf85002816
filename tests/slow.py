"""Searches written a second time, slowly and plainly, to test the compiled ones against."""

from zermelo.core.numbers import PLY, POINT, WIN
from zermelo.rules import end_score, is_over, moves_of, play, to_move
from zermelo.scores import RECORDED_WIN


def ended(state, ply):
    """What an ended game is worth, in points; a win counts as in records: a large number minus its plies."""
    units = int(end_score(state, ply))
    if abs(units) > WIN // 2:
        return (RECORDED_WIN - (WIN - abs(units)) // PLY) * (1 if units > 0 else -1)
    return units / POINT


def minimax(state, depth, heuristic, ply=0, keep=None):
    """The value for the player to move; keep(state, ply) gives the moves that exist, by default all."""
    if is_over(state):
        return ended(state, ply)
    if depth == 0:
        return heuristic(state)
    values = []
    for move in keep(state, ply) if keep else moves_of(state):
        child = play(state, move)
        value = minimax(child, depth - 1, heuristic, ply + 1, keep)
        values.append(value if to_move(child) == to_move(state) else -value)
    return max(values)


def min_max_search(state, depth, heuristic, tolerance, alpha=-(10**12), beta=10**12, ply=0, counter=None):
    """Alpha-beta with probabilistic pruning, as in the Parcheckers report; values are MAX's, who raises alpha."""
    counter[0] += 1
    is_max = to_move(state) == 0
    if is_over(state):
        return ended(state, ply) * (1 if is_max else -1)
    if depth == 0:
        return heuristic(state) * (1 if is_max else -1)
    best = None
    for move in moves_of(state):
        value = min_max_search(play(state, move), depth - 1, heuristic, tolerance, alpha, beta, ply + 1, counter)
        if best is None or (value > best if is_max else value < best):
            best = value
        if is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta or beta - alpha < tolerance:
            break
    return best


def sorted_moves(state, ply, heuristic):
    """Legal moves, best first by what the heuristic says of the position after each; equal ones in their order."""

    def worth(move):
        child = play(state, move)
        value = ended(child, ply + 1) if is_over(child) else heuristic(child)
        return value if to_move(child) == to_move(state) else -value

    return sorted(moves_of(state), key=lambda move: -worth(move))
