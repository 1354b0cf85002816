"""The solver and the book for published players: the exact score of every move, or a best move, in compiled code.

A module holds the scores of the book, a byte each, in the order of book.py. Before the book is first looked at, its
positions are generated again, behind the table of bounds:

    number of levels, then where each begins and where the last one ends
    the levels: for each position its key, and in the highest byte its score plus OFFSET, or 0 if that is unknown
    room for the positions after those of one level, twice
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, count, njit, without_lowest
from zermelo.core.numbers import POINT
from zermelo.core.scratch import scratch
from zermelo.games.connect4.book import UNKNOWN
from zermelo.games.connect4.exact import allow, bound_of, bounds_above, forget, score_bounds
from zermelo.games.connect4.rules import has_four
from zermelo.games.connect4.transposition import mirrored
from zermelo.rules import MOST_MOVES, is_over, legal_moves, outcome, play
from zermelo.solving.compiled import NO_ANSWER, UNSOLVED

OFFSET = 64
SCORE_SHIFT = np.uint64(56)
KEYS = (ONE << SCORE_SHIFT) - ONE
NOT_THERE = -99
HEAD = 64
"""Words before the levels; no board has more levels than cells."""


def stored(levels, columns):
    """The scores of a book's levels for a module, and the number of words that the open book takes."""
    if not levels:
        return np.zeros(1, np.uint64), HEAD
    scores = np.concatenate([np.where(one.scores == UNKNOWN, 0, one.scores + OFFSET) for one in levels])
    data = np.zeros(-(-len(scores) // 8) * 8, np.uint8)
    data[: len(scores)] = scores
    after = max((columns * len(one.keys) for one in levels[:-1]), default=0)
    return np.concatenate([np.array([len(levels)], np.uint64), data.view(np.uint64)]), HEAD + len(scores) + 2 * after


@njit
def key_of(mine, stones, work):
    """The key of a position, the same for its mirror image."""
    key = mine + stones + work.bottom
    key = min(key, mirrored(key, work.mirror_shift))
    return np.uint64(key)


@njit
def stones_of(key):
    """The stones of a position. In the key, each column's highest bit stands above its stones."""
    key |= key >> ONE & np.uint64(0x7F7F7F7F7F7F7F7F)
    key |= key >> np.uint64(2) & np.uint64(0x3F3F3F3F3F3F3F3F)
    key |= key >> np.uint64(4) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return key >> ONE & np.uint64(0x7F7F7F7F7F7F7F7F)


@njit
def write_children(table, start, end, out, work):
    """Write the keys of the unfinished positions after those from start to end; return their end."""
    for at in range(start, end):
        stones = stones_of(table[at])
        mine = table[at] & stones
        cells = (stones + work.bottom) & work.board
        while cells:
            cell = cells & ~without_lowest(cells)
            cells = without_lowest(cells)
            if not has_four(mine | cell):
                table[out] = key_of(mine ^ stones, stones | cell, work)
                out += 1
    return out


@njit
def sort_words(table, start, number, columns):
    """Sort words by their lowest bytes, one for each column; where they are afterwards. There is room behind them."""
    before, other = scratch(257, np.int64), start + number
    for column in range(columns):
        shift = np.uint64(8 * column)
        before[:] = 0
        for at in range(start, start + number):
            before[int64(table[at] >> shift & np.uint64(255)) + 1] += 1
        for digit in range(256):
            before[digit + 1] += before[digit]
        for at in range(start, start + number):
            digit = int64(table[at] >> shift & np.uint64(255))
            table[other + before[digit]] = table[at]
            before[digit] += 1
        start, other = other, start
    return start


@njit
def open_book(work, table, book):
    """Generate the positions of the book and write their scores to them, unless that is done already."""
    base, levels = int64(work.length), int64(book[0])
    if levels == 0 or table[base] != 0:
        return
    columns, room = int64(count(work.bottom)), int64(len(table))
    start, end = base + HEAD, base + HEAD + 1
    table[start] = work.bottom
    table[base + 1], table[base + 2] = start, end
    for level in range(1, levels):
        scratch_at = room - 2 * columns * (end - start)
        number = write_children(table, start, end, scratch_at, work) - scratch_at
        first = sort_words(table, scratch_at, number, columns)
        start = end
        for at in range(first, first + number):
            if at == first or table[at] != table[at - 1]:
                table[end] = table[at]
                end += 1
        table[base + level + 2] = end
    for at in range(base + HEAD, end):
        place = at - base - HEAD
        score = book[1 + (place >> 3)] >> np.uint64(8 * (place & 7)) & np.uint64(255)
        table[at] |= score << SCORE_SHIFT
    table[base] = levels


@njit
def book_score(mine, stones, work, table):
    """The score of an unfinished position for the player to move; NOT_THERE if the book does not have it."""
    base, level = int64(work.length), int64(count(stones))
    if level >= int64(table[base]):
        return int64(NOT_THERE)
    key = key_of(mine, stones, work)
    low, high = int64(table[base + level + 1]), int64(table[base + level + 2])
    end = high
    while low < high:
        middle = (low + high) // 2
        if table[middle] & KEYS < key:
            low = middle + 1
        else:
            high = middle
    if low < end and table[low] & KEYS == key and table[low] >> SCORE_SHIFT != 0:
        return int64(table[low] >> SCORE_SHIFT) - OFFSET
    return int64(NOT_THERE)


@njit
def least_score(state, work, table):
    """The lowest score that a position can have, by the book; NOT_THERE if the book does not tell.

    No move is better than the score of the position in which it is made, and each of the opponent's topmost stones may
    have been the last. So the scores of all positions before this one tell how low it can be.
    """
    theirs = state.mine ^ state.stones
    tops = theirs & ~(state.stones >> ONE)
    best = int64(NOT_THERE)
    while tops:
        top = tops & ~without_lowest(tops)
        score = book_score(theirs ^ top, state.stones ^ top, work, table)
        if score != NOT_THERE:
            best = max(best, -score)
        tops = without_lowest(tops)
    return best


@njit
def known_score(state, work, table):
    """The score, if it needs no search because the game has ended or the book has it; NOT_THERE otherwise."""
    if is_over(state):
        return int64(outcome(state)) * ((count(state.board & ~state.stones) + 2) // 2)
    return book_score(state.mine, state.stones, work, table)


@njit
def score_of(state, least, work, table):
    """The score of a position for the player to move, which is known to be at least `least` (NOT_THERE: unknown)."""
    score = known_score(state, work, table)
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
    open_book(work, table, book)
    before = work.searched
    work.stop = 0
    allow(limit, work)
    for i in range(number):
        child = play(state, int64(moves[i]))
        scores[i] = -score_of(child, least_score(child, work, table), work, table)
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
def best_move(state, work, table):
    """A best move with its score, as solver.py finds it: one that is recognised without a search, or one by search."""
    score = score_of(state, int64(NOT_THERE), work, table)
    moves = scratch(MOST_MOVES, np.int32)
    number = int64(legal_moves(state, moves, int64(0)))
    sort_by_centre(moves, number, work)
    for deep in range(2):
        for i in range(number):
            child = play(state, int64(moves[i]))
            if work.stop != 0:
                return int64(UNSOLVED), score
            bound = known_score(child, work, table)
            if bound == NOT_THERE:
                bound = bound_of(child.mine, child.mine ^ child.stones, -score, deep == 1, work)
            if bound <= -score:
                return int64(moves[i]) if work.stop == 0 else int64(UNSOLVED), score
    return int64(UNSOLVED), score


@njit
def prepare(state, work, table, book):
    """See solving/compiled.py: open the book before anybody waits for it."""
    open_book(work, table, book)
    return int64(0)


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
        open_book(work, table, book)
        if not is_timed:
            forget(work)
        before = work.searched
        work.stop = 0
        allow(limit, work)
        move, score = best_move(state, work, table)
        return move, score * POINT, plies_to_end(state, score), work.searched - before

    return find_move
