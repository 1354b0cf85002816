"""The solver and the book for published players: the exact score of every move, or a best move, in compiled code.

A position of the book is one number: its key, and in the highest byte its score plus OFFSET.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, count, njit, without_lowest
from zermelo.core.numbers import POINT
from zermelo.core.scratch import scratch
from zermelo.games.connect4.exact import allow, bound_of, bounds_above, forget, score_bounds
from zermelo.games.connect4.transposition import mirrored
from zermelo.rules import MOST_MOVES, is_over, legal_moves, outcome, play
from zermelo.solving.compiled import NO_ANSWER, UNSOLVED

OFFSET = 64
SCORE_SHIFT = np.uint64(56)
KEYS = (ONE << SCORE_SHIFT) - ONE
NOT_THERE = -99


def packed(levels):
    """The positions of a book's levels whose scores are known, as sorted numbers."""
    keys = np.concatenate([level.keys[level.known] for level in levels])
    scores = np.concatenate([level.scores[level.known] for level in levels]).astype(np.int64) + OFFSET
    return (keys | scores.astype(np.uint64) << SCORE_SHIFT)[np.argsort(keys)]


@njit
def book_score(mine, stones, work, book):
    """The score of an unfinished position for the player to move; NOT_THERE if the book does not have it."""
    key = mine + stones + work.bottom
    key = min(key, mirrored(key, work.mirror_shift))
    low, high = int64(0), int64(len(book))
    while low < high:
        middle = (low + high) // 2
        if book[middle] & KEYS < key:
            low = middle + 1
        else:
            high = middle
    if low < len(book) and book[low] & KEYS == key:
        return int64(book[low] >> SCORE_SHIFT) - OFFSET
    return int64(NOT_THERE)


@njit
def least_score(state, work, book):
    """The lowest score that a position can have, by the book; NOT_THERE if the book does not tell.

    No move is better than the score of the position in which it is made, and each of the opponent's topmost stones may
    have been the last. So the scores of all positions before this one tell how low it can be.
    """
    theirs = state.mine ^ state.stones
    tops = theirs & ~(state.stones >> ONE)
    best = int64(NOT_THERE)
    while tops:
        top = tops & ~without_lowest(tops)
        score = book_score(theirs ^ top, state.stones ^ top, work, book)
        if score != NOT_THERE:
            best = max(best, -score)
        tops = without_lowest(tops)
    return best


@njit
def known_score(state, work, book):
    """The score, if it needs no search because the game has ended or the book has it; NOT_THERE otherwise."""
    if is_over(state):
        return int64(outcome(state)) * ((count(state.board & ~state.stones) + 2) // 2)
    return book_score(state.mine, state.stones, work, book)


@njit
def score_of(state, least, work, book):
    """The score of a position for the player to move, which is known to be at least `least` (NOT_THERE: unknown)."""
    score = known_score(state, work, book)
    if score != NOT_THERE:
        return score
    if least != NOT_THERE:
        return bounds_above(state.mine, state.mine ^ state.stones, least, work)[0]
    return score_bounds(state.mine, state.mine ^ state.stones, False, work)[0]


@njit
def plies_to_end(state, score):
    """The number of plies that the game lasts with best play, if this is its score for the player to move."""
    cells, stones = int64(count(state.board)), int64(count(state.stones))
    if score == 0:
        return cells - stones
    is_first, wins = stones % 2 == 0, score > 0
    all_of_winner = (cells + int64(is_first == wins)) // 2
    his_now = stones // 2 if wins else (stones + 1) // 2
    his_next = all_of_winner + 1 - abs(score) - his_now
    return 2 * his_next - int64(wins)


@njit
def score_moves(state, moves, number, scores, plies, limit, work, table, book):
    """See solving/compiled.py. Bounds in the table are always true, so it is kept between calls."""
    before = work.searched
    work.stop = 0
    allow(limit, work)
    for i in range(number):
        child = play(state, int64(moves[i]))
        scores[i] = -score_of(child, least_score(child, work, book), work, book)
        if work.stop != 0:
            return int64(UNSOLVED)
        plies[i] = plies_to_end(state, scores[i])
    return work.searched - before


@njit
def sort_by_centre(moves, number, work):
    """Put the moves in the middle first; equals keep their order."""
    for i in range(1, number):
        move, at = moves[i], i
        while at > 0 and work.centre[moves[at - 1]] < work.centre[move]:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = move


@njit
def best_move(state, work, book):
    """A best move with its score, as solver.py finds it: one that is recognised without a search, or one by search."""
    score = score_of(state, int64(NOT_THERE), work, book)
    moves = scratch(MOST_MOVES, np.int32)
    number = int64(legal_moves(state, moves, int64(0)))
    sort_by_centre(moves, number, work)
    for deep in range(2):
        for i in range(number):
            child = play(state, int64(moves[i]))
            if work.stop != 0:
                return int64(UNSOLVED), score
            bound = known_score(child, work, book)
            if bound == NOT_THERE:
                bound = bound_of(child.mine, child.mine ^ child.stones, -score, deep == 1, work)
            if bound <= -score:
                return int64(moves[i]) if work.stop == 0 else int64(UNSOLVED), score
    return int64(UNSOLVED), score


def move_finder(quick, hurried, covered):
    """What the engine asks before it searches (see solving/compiled.py).

    quick, hurried: with so many stones on the board, a position is worth an attempt, if there is no hurry or if there
    is; covered: up to this many stones the book answers.
    """

    @njit
    def find_move(state, limit, is_timed, work, table, book):
        stones = int64(count(state.stones))
        if stones > covered and stones < (hurried if is_timed else quick):
            return int64(NO_ANSWER), int64(0), int64(0), int64(0)
        if not is_timed:
            forget(work)
        before = work.searched
        work.stop = 0
        allow(limit, work)
        move, score = best_move(state, work, book)
        return move, score * POINT, plies_to_end(state, score), work.searched - before

    return find_move
