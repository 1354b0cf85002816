"""The endgame solver for published players: a best move or the scores of all moves, in compiled code.

It does what solver.py does with one thread: with the same limit of nodes, it finds the same move by the same nodes.
"""

import numpy as np
from numba import int32, int64, uint64

from zermelo.core import count, njit
from zermelo.core.numbers import POINT, WIN
from zermelo.core.scratch import scratch
from zermelo.games.reversi.endgame import UNLIMITED, shared_memory, value
from zermelo.games.reversi.rules import board
from zermelo.games.reversi.sorting import estimate
from zermelo.rules import MOST_MOVES, is_over, legal_moves, margin, play
from zermelo.solving.compiled import NO_ANSWER, UNSOLVED

TABLE_BITS = 20
"""The table has room for 32 MB, since phones have little memory. The native solver uses a larger table only with more
than 23 empty squares, which it does not try to solve with less than 39 million nodes for a move."""

SHARED = shared_memory(TABLE_BITS)


@njit
def empty_squares(state):
    return int64(count(board(state) & ~(state.mine | state.theirs)))


@njit
def prepare(state, limit, forget, work, shared):
    """Begin to solve a position; with `forget`, the result depends on nothing else."""
    bits = max(int64(6), min(int64(TABLE_BITS), empty_squares(state) - 3))
    work.shift = uint64(65 - bits)
    if forget:
        shared.table[: int64(4) << bits] = uint64(0)
    work.limit = limit
    work.nodes = shared.stop = 0


def scoring(evaluate, not_guessed, deepest):
    """The score of a state for its mover between two bounds, and the estimate of a move, as solver.py finds them.

    not_guessed, deepest: how deep the search goes that estimates a move.
    """

    @njit
    def estimated(state, move, work):
        child = play(state, move)
        if is_over(child):
            return -int64(margin(child))
        depth = min(max((empty_squares(state) - not_guessed) // 2, int64(1)), int64(deepest))
        return -int64(estimate(child.mine, child.theirs, depth, evaluate, work))

    @njit
    def score_between(state, low, high, expected, work, shared):
        if is_over(state):
            return int64(margin(state))
        alpha, beta = max(low, min(expected - 1, high - 2)), min(high, max(expected + 1, low + 2))
        while True:
            found = int64(value(state.mine, state.theirs, alpha, beta, evaluate, work, shared))
            if shared.stop != 0:
                return int64(0)
            if found <= alpha and alpha > low:
                alpha, beta = max(low, found - 2), found + 1
            elif found >= beta and beta < high:
                alpha, beta = found - 1, min(high, found + 2)
            else:
                return found

    return estimated, score_between


def solver_functions(evaluate, needed, weak_part, least_nodes, quick, depths):
    """What CompiledSolver calls find_move and score_moves.

    evaluate: the heuristic that helps to sort moves; needed: by number of empty squares, the nodes that are allowed for
    the score, and weak_part of them for finding out who wins; least_nodes: a position that needs no more is always
    solved; quick: with so many empty squares it is solved if nothing is limited; depths: see scoring().
    """
    estimated, score_between = scoring(evaluate, *depths)

    @njit
    def sort_moves(state, moves, estimates, work):
        """List the moves with their estimates, the best first; equals keep their order."""
        number = int64(legal_moves(state, moves, int64(0)))
        for i in range(number):
            guessed = estimated(state, int64(moves[i]), work)
            move, at = moves[i], i
            while at > 0 and estimates[at - 1] < guessed:
                moves[at], estimates[at] = moves[at - 1], estimates[at - 1]
                at -= 1
            moves[at], estimates[at] = move, guessed
        return number

    @njit
    def best_move(state, is_weak, work, shared):
        """A best move with its score, or -1, 0 or 1 if it is only asked who wins."""
        most = int64(1) if is_weak else work.squares
        moves, estimates = scratch(MOST_MOVES, np.int32), scratch(MOST_MOVES, np.int64)
        best, low = int64(UNSOLVED), -most
        number = sort_moves(state, moves, estimates, work)
        for i in range(number):
            # Those after the first need only show that they are no better.
            expected = estimates[0] if i == 0 else low
            found = -score_between(play(state, int64(moves[i])), -most, -low, -expected, work, shared)
            if shared.stop != 0:
                return int64(UNSOLVED), int64(0)
            if i == 0 or found > low:
                best = int64(moves[i])
                low = max(low, int64((found > 0) - (found < 0)) if is_weak else found)
            if low >= most:
                break
        return best, low

    @njit
    def find_move(state, limit, is_timed, work, table, book):
        nothing = int64(NO_ANSWER), int64(0), int64(0), int64(0)
        empty = empty_squares(state)
        is_weak = False
        if limit >= UNLIMITED:
            if empty > quick:
                return nothing
        elif needed[empty] > max(limit, least_nodes):
            # Against the clock, more nodes may follow, which find the score.
            if is_timed:
                return int64(UNSOLVED), int64(0), int64(0), int64(0)
            if weak_part * needed[empty] > max(limit, least_nodes):
                return nothing
            is_weak = True
        shared = table[0]
        prepare(state, limit, not is_timed, work, shared)
        move, score = best_move(state, is_weak, work, shared)
        if is_weak and score < 0:  # all moves lose, and none is known to be best
            move = int64(NO_ANSWER)
        return move, score * (WIN if is_weak else POINT), int64(0), work.nodes

    @njit
    def score_moves(state, moves, number, scores, plies, limit, work, table, book):
        if empty_squares(state) > quick:
            return int64(NO_ANSWER)
        shared = table[0]
        prepare(state, limit, False, work, shared)
        for i in range(number):
            move, most = int64(moves[i]), work.squares
            guessed = estimated(state, move, work)
            scores[i] = -score_between(play(state, move), -most, most, -guessed, work, shared)
            plies[i] = 0
            if shared.stop != 0:
                return int64(UNSOLVED)
        return work.nodes

    return find_move, score_moves


@njit
def no_value(state, weights):
    """A heuristic that is never asked, since the learned one is for another board."""
    return int32(0)
