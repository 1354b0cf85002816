"""The order in which the engine tries the moves of a position, and what it learns from cut-offs.

The best move in the table comes first. The others are ranked by the game's hints, the history of the search and the
killers (moves that caused a cut-off in a neighbouring position). A game may also judge the position after a move
(`reply_hint`). Away from the horizon, the position after each move is looked up in the table, which may know that the
move is good enough (an enhanced transposition cut-off), or at least whether it was good or bad at a smaller depth.
"""

from numba import int64, uint64

from zermelo.core import njit
from zermelo.rules import can_repeat, move_hint, play, reply_hint, table_key, to_move
from zermelo.searches.transposition import EXACT, FULL_DEPTH, LOWER, UPPER, bound_of, depth_of, find, score_of

HISTORY_SLOTS = 4096  # slots per player; the slot of a move is the lowest 12 bits of its code
HISTORY_MOST = 1 << 14

TABLE_MOVE, KILLER = 1 << 30, 1 << 28
USUAL = 1 << 26
"""More than the rank of any move that is neither the table's move nor a killer, if killers come before all others."""

HINT = 1 << 10  # the weight of one point of move_hint, compared with history, which stays within HISTORY_MOST
REPLY = 8 * HINT  # the weight of one point of reply_hint
KILLER_AMONG_REPLIES = 8 * HINT  # the weight of a killer in games with reply_hint, where it is one hint among others
KNOWN = 32 * HINT  # the weight of a bound in the table that says how a move fared at a smaller depth

LOOKED_UP = 3
"""From this depth on, the positions after all moves are looked up first. (Reversi to depth 9: 4% fewer nodes.)"""

NOTHING = -(1 << 40)
"""Less than every score: no move is known to be good enough."""


@njit
def rank_moves(state, depth, ply, base, end, mover, table_move, beta, table, work):
    """Write to work.order how early each move should be tried.

    Return a lower bound, at least beta, of the score if the table has one for a move. Otherwise return NOTHING.
    """
    killer = int64(KILLER if work.hinted == 0 else KILLER_AMONG_REPLIES)
    for i in range(base, end):
        move = work.moves[i]
        slot = mover * HISTORY_SLOTS + (move & (HISTORY_SLOTS - 1))
        rank = int64(move_hint(state, move)) * HINT + work.history[slot]
        if move == work.killers[2 * ply]:
            rank += killer
        elif move == work.killers[2 * ply + 1]:
            rank += killer // 2
        if work.hinted != 0 or depth >= LOOKED_UP:
            child = play(state, move)
            rank += REPLY * int64(reply_hint(child))
            if depth >= LOOKED_UP:
                data = find(table, uint64(table_key(child)))
                if data != uint64(0):
                    is_same = int64(to_move(child)) == mover
                    score, bound = score_of(data, ply + 1), bound_of(data)
                    if not is_same:
                        score, bound = -score, other_bound(bound)
                    if score >= beta and bound != UPPER:
                        if ply > 0 and depth_of(data) >= depth - 1 and not can_repeat(state):
                            if depth_of(data) != FULL_DEPTH:
                                work.horizon += 1
                            return score
                        rank += KNOWN
                    elif score < beta and bound != LOWER:
                        rank -= KNOWN
        work.order[i] = TABLE_MOVE if move == table_move else rank
    return int64(NOTHING)


@njit
def other_bound(bound):
    """Return the kind of a bound as the other player sees it."""
    return bound if bound == EXACT else LOWER + UPPER - bound


@njit
def next_move(work, i, end):
    """Move the most promising of the moves from index i on to index i, and return it."""
    top = i
    for j in range(i + 1, end):
        if work.order[j] > work.order[top]:
            top = j
    move, order = work.moves[top], work.order[top]
    for j in range(top, i, -1):  # shift rather than swap, so that equal moves keep their order
        work.moves[j] = work.moves[j - 1]
        work.order[j] = work.order[j - 1]
    work.moves[i], work.order[i] = move, order
    return move


@njit
def reward(work, base, refuting, ply, mover, depth):
    """After a cut-off, let the move that caused it be tried earlier elsewhere, and the moves tried before it later."""
    move = work.moves[refuting]
    if work.killers[2 * ply] != move:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = move
    bonus = min(depth * depth, 400)
    for i in range(base, refuting + 1):
        slot = mover * HISTORY_SLOTS + (work.moves[i] & (HISTORY_SLOTS - 1))
        change = bonus if i == refuting else -bonus
        # The value moves towards +-HISTORY_MOST, and more slowly the nearer it is.
        work.history[slot] += change - work.history[slot] * bonus // HISTORY_MOST
