"""Alpha-beta, and what the course reports add to it: probabilistic pruning, move ordering and a beam of good moves."""

from numba import int64

from zermelo.core import njit
from zermelo.rules import end_score, is_over, legal_moves, play, to_move
from zermelo.searches.lines import forget_line, keep_line
from zermelo.searches.recording import CUT, DROPPED, TOLERATED, enter, leave, skip, visit
from zermelo.searches.workspace import INFINITY, ROOM, WIDEST, out_of_nodes


@njit
def alphabeta(state, depth, ply, base, alpha, beta, evaluate, order, work):
    """Score state for the player to move, within the window alpha < beta.

    If s is the plain minimax value at this depth, the result r satisfies
        r <= alpha         s <= r     no move here is good enough
        alpha < r < beta   s == r     the result is exact
        r >= beta          r <= s     the other player will avoid this position
    With work.tolerance t, the search also leaves a position once beta - alpha < t. What it might still have gained
    within its window is then less than t. Such errors can add up on the way to the root, so r is an estimate.
    With work.top_moves, the promises hold for the game in which only these moves exist.
    `ply` is the number of moves from the root. From index `base` on, this position may write to work.moves. Once
    work.stop is set, the result means nothing.
    """
    enter(work, ply, state, depth, alpha, beta)
    forget_line(work, ply)
    # 1. The game is over, or the horizon is reached.
    if is_over(state):
        return leave(work, ply, int64(end_score(state, ply)))
    if depth == 0 or base > ROOM - WIDEST:
        work.evaluated += 1
        work.horizon += 1
        return leave(work, ply, int64(evaluate(state, work.weights)))
    # 2. Generate the moves; on the first plies, sort them by the ordering heuristic.
    end = int64(legal_moves(state, work.moves, base))
    if ply < work.order_plies:
        end = sort_moves(state, ply, base, end, order, work)
    # 3. Try every move until one causes a cut-off.
    best = int64(-INFINITY)
    for i in range(base, end):
        if out_of_nodes(work):
            break
        move = work.moves[i]
        visit(work, move)
        child = play(state, move)
        work.generated += 1
        if to_move(child) == to_move(state):
            score = alphabeta(child, depth - 1, ply + 1, end, alpha, beta, evaluate, order, work)
        else:
            score = -alphabeta(child, depth - 1, ply + 1, end, -beta, -alpha, evaluate, order, work)
        if work.stop != 0:
            break
        if score > best:
            best = score
            keep_line(work, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta or beta - alpha < work.tolerance:
            if i + 1 < end:
                work.cutoffs += 1
                skip(work, ply, i + 1, end, CUT if alpha >= beta else TOLERATED)
            break
    return leave(work, ply, best)


@njit
def sort_moves(state, ply, base, end, order, work):
    """Sort work.moves[base:end], best first for the mover, by the ordering heuristic of the positions they lead to.

    Equal moves keep their order. Return the new end: with work.top_moves, only that many moves are kept.
    """
    for i in range(base, end):
        move = work.moves[i]
        child = play(state, move)
        if is_over(child):
            score = int64(end_score(child, ply + 1))
        else:
            work.evaluated += 1
            score = int64(order(child, work.order_weights))
        if to_move(child) != to_move(state):
            score = -score
        at = i
        while at > base and work.order[at - 1] < score:
            work.moves[at] = work.moves[at - 1]
            work.order[at] = work.order[at - 1]
            at -= 1
        work.moves[at] = move
        work.order[at] = score
    if work.top_moves > 0 and end - base > work.top_moves:
        skip(work, ply, base + work.top_moves, end, DROPPED)
        return base + work.top_moves
    return end
