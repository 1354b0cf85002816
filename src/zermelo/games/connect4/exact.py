"""The exact score of a Connect 4 position, by search. Compiled; solver.py is what others call.

A score counts stones: k if the player to move wins with his k-th stone from his last, -k if he loses to the other's
k-th from his last, 0 for a draw. So winning with the next stone is worth (empty cells + 1) // 2.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, bit, count, lowest, njit
from zermelo.games.connect4 import transposition as tables
from zermelo.games.connect4.rules import COLUMN, MOST_COLUMNS
from zermelo.games.connect4.threats import (
    DECIDED,
    MY_TURN,
    NEIGHBOURS,
    WINDOWS,
    completing_cells,
    follow_up_holds,
    lone_windows,
    lowest_bit,
    settle,
)
from zermelo.games.connect4.transposition import (
    NEVER,
    bounds_at,
    call_for,
    clear,
    find,
    grow,
    hash_of,
    store,
    use_bits,
)

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
        ("order", np.int64, PLACES),  # in which the places are to be searched
        ("promise", np.int64, PLACES),
        ("move", np.uint64, PLACES),
        ("made", np.uint64, PLACES),  # the cells that then complete four of the mover's
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
    # 1. The longer the search, the bigger its table; up to its limit.
    work.searched += 1
    if work.searched >= work.grow_at:
        if work.searched > work.limit:
            work.searched = work.limit
            work.stop = 1
            return int64(0)
        grow(work)
    before = work.searched
    # 2. Every move, without searching: is one good enough? Which are not?
    best, end = look_at_moves(mine, theirs, threats, empties, alpha, work)
    # 3. Search the others, the most promising first, until one is good enough.
    for i in range(empties * MOST_COLUMNS, end):
        at = work.order[i]
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
    base = empties * MOST_COLUMNS
    end = base
    # Without the table, whose words are called for meanwhile.
    while moves:
        move = lowest_bit(moves)
        moves ^= move
        made = completing_cells(mine | move)
        turn, score, my, their, against, left = settle(theirs, mine | move, made, empties - 1, work)
        goal = -alpha - 1 if turn == MY_TURN else alpha
        if turn == DECIDED:
            lower = upper = -score
        else:
            lower, upper = static_bounds(my, their, against, left, goal, work)
            if turn == MY_TURN:
                lower, upper = -upper, -lower
        if lower > alpha:
            return lower, base
        if upper <= alpha:
            best = max(best, upper)
            continue
        hashed = hash_of(my, their, work)
        call_for(hashed, work)
        work.move[end], work.made[end], work.turn[end], work.hash[end] = move, made, turn, hashed
        work.mine[end], work.theirs[end], work.threats[end], work.empties[end] = my, their, against, left
        end += 1
    # With the table.
    kept = base
    for at in range(base, end):
        place = find(work.hash[at], work) if work.empties[at] > TOO_FEW else -1
        if place >= 0:
            lower, upper = bounds_at(place, work)
            if work.turn[at] == MY_TURN:
                lower, upper = -upper, -lower
            if lower > alpha:
                return lower, base
            if upper <= alpha:
                best = max(best, upper)
                continue
        work.order[kept] = at
        kept += 1
    if kept > base + 1:
        sort_moves(mine, theirs, threats, empties, base, kept, work)
    return best, kept


@njit(forceinline=True)
def sort_moves(mine, theirs, threats, empties, base, end, work):
    """Sort the places in work.order[base:end], the most promising move first.

    It is good to make threats, but not right above the other's; to leave the other few moves; to have a second stone
    in a line that is still open, and near the middle; but not to huddle. The weights were tuned by hand, to search
    few positions (a third less than by threats and columns alone).
    """
    free = work.board & ~theirs
    upright, falling = lone_windows(mine, free, 1), lone_windows(mine, free, 7)
    across, rising = lone_windows(mine, free, 8), lone_windows(mine, free, 9)
    useful = free & ~mine & ~(threats << ONE)
    for i in range(base, end):
        place = work.order[i]
        move = work.move[place]
        cell = lowest(move)
        lines = count(upright & WINDOWS[0, cell]) + count(falling & WINDOWS[1, cell])
        lines += count(across & WINDOWS[2, cell]) + count(rising & WINDOWS[3, cell])
        stones = work.mine[place] | work.theirs[place]
        replies = (stones + work.bottom) & work.board & ~(work.threats[place] >> ONE)
        promise = 12 * count(work.made[place] & useful & ~move) + 2 * lines + work.centre[cell >> 3]
        promise -= 4 * count(replies) + count(mine & NEIGHBOURS[cell])
        if move == work.killers[empties]:
            promise += 4
        work.promise[place] = promise
        at = i
        while at > base and work.promise[work.order[at - 1]] < promise:
            work.order[at] = work.order[at - 1]
            at -= 1
        work.order[at] = place


@njit(forceinline=True)
def static_bounds(mine, theirs, threats, empties, alpha, work):
    """Bounds of a settled position's score that can be seen at once, as good as needed to tell if it exceeds alpha."""
    lower, upper = limits(empties)
    if lower <= alpha < upper and follow_up_holds(alpha, mine, theirs, threats, empties, work):
        upper = alpha
    return lower, upper


@njit
def can_win_at_once(mine, theirs, work):
    """Has the mover a winning stone?"""
    landing = (mine | theirs) + work.bottom
    return (completing_cells(mine) & landing & work.board) != ZERO


@njit
def bound_of(mine, theirs, alpha, deep, work):
    """What search() says, of any unfinished position. Without deep, what would have to be searched exceeds alpha."""
    empties = count(work.board & ~(mine | theirs))
    if can_win_at_once(mine, theirs, work):
        return int64((empties + 1) // 2)
    turn, score, my, their, against, left = settle(mine, theirs, completing_cells(theirs), empties, work)
    if turn == DECIDED:
        return score
    goal = alpha if turn == MY_TURN else -alpha - 1
    lower, upper = static_bounds(my, their, against, left, goal, work)
    hashed = hash_of(my, their, work)
    place = find(hashed, work)
    if place >= 0 and lower <= goal < upper:
        lower, upper = bounds_at(place, work)
    if lower > goal:
        return turn * lower
    if upper <= goal:
        return turn * upper
    if not deep:
        return alpha + 1
    return turn * search(my, their, against, left, goal, hashed, work)


@njit
def narrow(mine, theirs, alpha, lower, upper, work):
    """New bounds of the score, once it is known whether it is greater than alpha; the old, if that says nothing."""
    if lower <= alpha < upper:
        bound = bound_of(mine, theirs, alpha, True, work)
        if work.stop == 0:
            if bound > alpha:
                lower = min(bound, upper)
            else:
                upper = max(bound, lower)
    return lower, upper


@njit
def score_bounds(mine, theirs, weak, work):
    """A lower and an upper bound of the score of any unfinished position, with weak of its sign: equal, unless stopped.

    Quick wins and losses are looked for first, since that is cheap; then whether
    the score is positive (an even number of cells left) or not negative (odd: then the second player moves, to whom
    draws fall more easily); and from there outwards.
    """
    empties = count(work.board & ~(mine | theirs))
    most = int64((empties + 1) // 2)
    lower, upper = int64(-(empties // 2)), most
    if weak:
        lower, upper = max(lower, -1), min(upper, 1)
    if can_win_at_once(mine, theirs, work):
        lower = upper
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
def allow(positions, work):
    """Let the searches to come look at so many positions together; the table grows as before."""
    was_limited = work.limit != NEVER
    work.limit = NEVER if positions >= NEVER - work.searched else work.searched + positions
    if was_limited or work.limit != NEVER:
        use_bits(work.bits, work)


@njit
def forget(work):
    """Make the next search independent of what came before."""
    clear(work)
    for i in range(len(work.killers)):
        work.killers[i] = ZERO
