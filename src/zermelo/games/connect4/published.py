"""The solver and the book for published players: the exact score of every move in one compiled function.

A position of the book is one number: its key, and in the highest byte its score plus OFFSET.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, count, njit
from zermelo.games.connect4.exact import allow, bounds_above, score_bounds
from zermelo.games.connect4.transposition import mirrored
from zermelo.rules import is_over, outcome, play

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
def book_score(state, work, book):
    """The score of an unfinished position for the player to move; NOT_THERE if the book does not have it."""
    key = state.mine + state.stones + work.bottom
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
def score_of(state, least, work, book):
    """The score of a position for the player to move, which is known to be at least `least` (NOT_THERE: unknown)."""
    if is_over(state):
        return int64(outcome(state)) * ((count(state.board & ~state.stones) + 2) // 2)
    score = book_score(state, work, book)
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
def score_moves(state, moves, number, scores, plies, limit, work, book):
    """See solving/compiled.py. Bounds in the table are always true, so it is kept between calls."""
    before = work.searched
    work.stop = 0
    allow(limit, work)
    # No move is better than the position's own score, so that of the book says how low the others can be.
    best = book_score(state, work, book)
    least = best if best == NOT_THERE else -best
    for i in range(number):
        scores[i] = -score_of(play(state, int64(moves[i])), least, work, book)
        if work.stop != 0:
            return int64(-1)
        plies[i] = plies_to_end(state, scores[i])
    return work.searched - before
