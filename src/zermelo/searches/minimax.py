"""Minimax, as in the textbook: every line is searched to the same depth, and nothing is left out."""

from numba import int64

from zermelo.core import njit
from zermelo.rules import end_score, is_over, legal_moves, play, to_move
from zermelo.searches.lines import forget_line, keep_line
from zermelo.searches.recording import enter, leave, visit
from zermelo.searches.workspace import INFINITY, ROOM, WIDEST, out_of_nodes


@njit
def minimax(state, depth, ply, base, evaluate, work):
    """Return the value of state for the player to move, if both play their best for `depth` more plies.

    Finished games count as end_score says, and positions at the horizon as the heuristic says. `ply` is the number of
    moves from the root. From index `base` on, this position may write to work.moves. Once work.stop is set, the result
    means nothing.
    """
    enter(work, ply, state, depth, -INFINITY, INFINITY)
    forget_line(work, ply)
    # 1. The game is over, or the horizon is reached.
    if is_over(state):
        return leave(work, ply, int64(end_score(state, ply)))
    if depth == 0 or base > ROOM - WIDEST:
        work.evaluated += 1
        work.horizon += 1
        return leave(work, ply, int64(evaluate(state, work.weights)))
    # 2. Find the best move. The score of each child is that of the player to move there, so the sign may change.
    best = int64(-INFINITY)
    end = int64(legal_moves(state, work.moves, base))
    for i in range(base, end):
        if out_of_nodes(work):
            break
        move = work.moves[i]
        visit(work, move)
        child = play(state, move)
        work.generated += 1
        score = minimax(child, depth - 1, ply + 1, end, evaluate, work)
        if to_move(child) != to_move(state):
            score = -score
        if work.stop != 0:
            break
        if score > best:
            best = score
            keep_line(work, ply, move)
    return leave(work, ply, best)
