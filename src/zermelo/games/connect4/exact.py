"""The exact score of a Connect 4 position, by search. Compiled; solver.py is what others call.

A score counts stones: k if the player to move wins with his k-th stone from his last, -k if he loses to the other's
k-th from his last, 0 for a draw. So winning with the next stone is worth (empty cells + 1) // 2.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, bit, count, lowest, njit
from zermelo.games.connect4 import table as tables
from zermelo.games.connect4.rules import COLUMN, MOST_COLUMNS
from zermelo.games.connect4.table import bounds_at, clear, find, grow, hash_of, store
from zermelo.games.connect4.threats import DECIDED, MY_TURN, completing_cells, follow_up_holds, lowest_bit, settle

PLACES = 64 * MOST_COLUMNS  # for the moves of all positions on the way, by empty cells
WORST = -99
TOO_FEW = 5
"""Positions with so few empty cells are not worth a place in the table."""

WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside: everyone goes home
        ("searched", np.int64),  # positions, since the record was made
        ("board", np.uint64),
        ("bottom", np.uint64),
        ("leader_rows", np.uint64),  # see follow_up_holds
        ("low_rows", np.uint64, 5),
        ("centre", np.int64, MOST_COLUMNS),  # the nearer a column to the middle, the more
        ("killers", np.uint64, 64),  # the last move that was good enough, by empty cells
        # Every position on the way has eight places, for what its moves lead to.
        ("order", np.int64, PLACES),  # how promising a move is, and in the lowest bits where it stands
        ("move", np.uint64, PLACES),
        ("mine", np.uint64, PLACES),
        ("theirs", np.uint64, PLACES),
        ("threats", np.uint64, PLACES),
        ("empties", np.int64, PLACES),
        ("turn", np.int64, PLACES),
        ("hash", np.uint64, PLACES),
        *tables.FIELDS,
    ],
    align=True,
)


def workspace(board, table):
    """All that one search writes, as one record, for a board and a table of 64-bit words."""
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.board = board
    work.bottom = board & ~(board << ONE)
    columns, rows = count(work.bottom), lowest(~board)
    every = [sum(int(bit(COLUMN * column + row)) for column in range(columns)) for row in range(rows)]
    work.leader_rows = sum(every[row] for row in range(rows) if (row - rows) % 2 == 0)
    for k in range(len(work.low_rows)):
        work.low_rows[k] = sum(every[row] for row in range(rows) if row <= rows + 1 - 2 * k)
    for column in range(columns):
        work.centre[column] = 2 * min(column, columns - 1 - column)
    tables.prepare(work, table, columns)
    return work


@njit(forceinline=True)
def limits(empties):
    """The bounds of a settled position's score: nobody wins with the next stone, and the other not with his next."""
    return int64(-((empties - 2) // 2)), int64((empties - 1) // 2)


@njit
def search(mine, theirs, threats, empties, alpha, hashed, work):
    """Is the score greater than alpha? The result r is a bound of the score s, for the player to move:
        r <= alpha    s <= r
        r > alpha     r <= s
    The position is one that settle() leaves: the mover cannot win at once and is not forced to anything; threats are
    those against him. Once work.stop is set the result means nothing.
    """
    # 1. The longer the search, the bigger its table.
    work.searched += 1
    if work.searched >= work.grow_at:
        grow(work)
    before = work.searched
    # 2. Every move, without searching: is one good enough? Which are not?
    best, end = look_at_moves(mine, theirs, threats, empties, alpha, work)
    if best > alpha:
        end = 0
    # 3. Search the others, the most promising first, until one is good enough.
    for i in range(empties * MOST_COLUMNS, end):
        at = work.order[i] & (PLACES - 1)
        turn = work.turn[at]
        goal = -alpha - 1 if turn == MY_TURN else alpha
        score = -turn * search(
            work.mine[at], work.theirs[at], work.threats[at], work.empties[at], goal, work.hash[at], work
        )
        if work.stop != 0:
            return int64(0)
        best = max(best, score)
        if best > alpha:
            work.killers[empties] = work.move[at]
            break
    # 4. Remember.
    if empties > TOO_FEW:
        lower, upper = limits(empties)
        place = find(hashed, work)
        if place >= 0:
            lower, upper = bounds_at(place, work)
        if best > alpha:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        store(hashed, lower, upper, work.searched - before + 1, work)
    return best


@njit(forceinline=True)
def look_at_moves(mine, theirs, threats, empties, alpha, work):
    """Judge every move that does not lose at once, and list those that must be searched.

    Gives the best bound found, and the end of the list, which begins at the eight places of so many empty cells and
    whose order is sorted, the most promising first. Stops at a move that is good enough.
    """
    stones = mine | theirs
    moves = (stones + work.bottom) & work.board & ~(threats >> ONE)
    best = int64(WORST)
    end = empties * MOST_COLUMNS
    while moves and best <= alpha:
        move = lowest_bit(moves)
        moves ^= move
        made = completing_cells(mine | move)
        turn, score, my, their, against, left = settle(theirs, mine | move, made, empties - 1, work)
        if turn == DECIDED:
            best = max(best, -score)
            continue
        goal = -alpha - 1 if turn == MY_TURN else alpha
        lower, upper, hashed = judge(my, their, against, left, goal, work)
        if turn == MY_TURN:
            lower, upper = -upper, -lower
        if lower > alpha:
            best = max(best, lower)
        elif upper <= alpha:
            best = max(best, upper)
        else:
            new = made & work.board & ~(stones | move)
            promise = 4 * count(new) + 16 * count(new & ~(threats << ONE)) + work.centre[lowest(move) >> 3]
            if move == work.killers[empties]:
                promise += 4
            work.move[end], work.turn[end], work.hash[end] = move, turn, hashed
            work.mine[end], work.theirs[end], work.threats[end], work.empties[end] = my, their, against, left
            insert(end, promise, empties * MOST_COLUMNS, work)
            end += 1
    return best, end


@njit(forceinline=True)
def insert(end, promise, base, work):
    """Sort a move into work.order[base:end], behind those that promise as much."""
    key = promise * PLACES | end
    while end > base and work.order[end - 1] // PLACES < promise:
        work.order[end] = work.order[end - 1]
        end -= 1
    work.order[end] = key


@njit(forceinline=True)
def judge(mine, theirs, threats, empties, alpha, work):
    """Bounds of a settled position's score without searching, if they decide whether it is greater than alpha.

    From the number of empty cells, the follow-up strategy, or the table. Also its hash, unless that was not needed.
    """
    lower, upper = limits(empties)
    if lower > alpha or upper <= alpha:
        return lower, upper, ZERO
    if follow_up_holds(alpha, mine, theirs, threats, empties, work):
        return lower, alpha, ZERO
    hashed = hash_of(mine, theirs, work)
    if empties > TOO_FEW:
        place = find(hashed, work)
        if place >= 0:
            lower, upper = bounds_at(place, work)
    return lower, upper, hashed


@njit
def bound_of(mine, theirs, alpha, work):
    """What search() says of any position in which the mover cannot win at once."""
    empties = count(work.board & ~(mine | theirs))
    turn, score, my, their, against, left = settle(mine, theirs, completing_cells(theirs), empties, work)
    if turn == DECIDED:
        return score
    goal = alpha if turn == MY_TURN else -alpha - 1
    lower, upper, hashed = judge(my, their, against, left, goal, work)
    if lower > goal:
        return turn * lower
    if upper <= goal:
        return turn * upper
    return turn * search(my, their, against, left, goal, hashed, work)


@njit
def narrow(mine, theirs, alpha, lower, upper, work):
    """New bounds of the score, once it is known whether it is greater than alpha; the old, if that says nothing."""
    if lower <= alpha < upper:
        bound = bound_of(mine, theirs, alpha, work)
        if work.stop == 0:
            if bound > alpha:
                lower = max(lower, bound)
            else:
                upper = min(upper, bound)
    return lower, upper


@njit
def can_win_at_once(mine, theirs, work):
    """Has the mover a winning stone?"""
    landing = (mine | theirs) + work.bottom
    return (completing_cells(mine) & landing & work.board) != ZERO


@njit
def score_bounds(mine, theirs, weak, work):
    """A lower and an upper bound of the score of any unfinished position: equal, unless stopped.

    With weak, they agree only in sign. Quick wins and losses are looked for first, since that is cheap; then whether
    the score is positive (an even number of cells left) or not negative (odd: then the second player moves, to whom
    draws fall more easily); and from there outwards.
    """
    empties = count(work.board & ~(mine | theirs))
    most = int64((empties + 1) // 2)
    if can_win_at_once(mine, theirs, work):
        return most, most
    lower, upper = int64(-(empties // 2)), most
    if weak:
        lower, upper = max(lower, -1), min(upper, 1)
    for stones in range(3, 10, 2):
        quick = most - stones
        if quick >= 3:
            lower, upper = narrow(mine, theirs, quick, lower, upper, work)
            lower, upper = narrow(mine, theirs, -quick - 1, lower, upper, work)
    while lower < upper and work.stop == 0:
        if lower >= 0:
            alpha = lower + (upper - lower) // 3
        elif upper <= 0:
            alpha = upper - 1 - (upper - 1 - lower) // 3
        else:
            alpha = int64(-1 if empties & 1 else 0)
        lower, upper = narrow(mine, theirs, alpha, lower, upper, work)
    return lower, upper


@njit
def score_all(mine, theirs, weak, scores, searched, work):
    """The scores of many positions, each from an empty table, and how many positions were searched for each."""
    for i in range(len(mine)):
        forget(work)
        before = work.searched
        scores[i] = score_bounds(mine[i], theirs[i], weak, work)[0]
        searched[i] = work.searched - before
        if work.stop != 0:
            break


@njit
def forget(work):
    """Make the next search independent of what came before."""
    clear(work)
    for i in range(len(work.killers)):
        work.killers[i] = ZERO
