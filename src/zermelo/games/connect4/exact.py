"""The exact score of a Connect 4 position, found by search. This code is compiled; other modules call solver.py.

Scores count stones. The score is k if the player to move wins with the k-th stone, counted back from that player's
last stone; -k if the opponent wins in this way; 0 for a draw. So winning with the next stone is worth
(empty cells + 1) // 2.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, bit, count, highest, lowest, njit
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
    SLOTS,
    bounds_at,
    call_for,
    clear,
    find,
    grow,
    hash_of,
    store,
    use_bits,
)

PLACES = 64 * MOST_COLUMNS  # for the moves of all positions on the current path, by number of empty cells
WORST = -99
TOO_FEW = 5
"""Positions with this many empty cells or fewer are not worth storing in the table."""

WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside to end the search
        ("searched", np.int64),  # number of positions searched since the record was made
        ("board", np.uint64),
        ("bottom", np.uint64),
        ("leader_rows", np.uint64),  # see follow_up_holds
        ("low_rows", np.uint64, 5),
        ("centre", np.int64, MOST_COLUMNS),  # greater for columns nearer to the middle
        ("killers", np.uint64, 64),  # the last move that was good enough, by number of empty cells
        # Every position on the current path has eight places, one for the position after each move.
        ("order", np.int64, PLACES),  # the order in which to search the places
        ("promise", np.int64, PLACES),
        ("move", np.uint64, PLACES),
        ("made", np.uint64, PLACES),  # the cells that would then complete four for the mover
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
    """One record with everything that a search writes, for a board and a table of 64-bit words."""
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
    """The bounds of a settled position's score: the next stone does not win, and nor does the opponent's reply."""
    return int64(-((empties - 2) // 2)), int64((empties - 1) // 2)


@njit
def search(mine, theirs, threats, empties, alpha, hashed, work):
    """Is the score greater than alpha? The result r is a bound on the score s for the player to move:
        r <= alpha    s <= r
        r > alpha     r <= s
    The position must come from settle(): the mover cannot win at once and has no forced move. threats are the
    opponent's. Once work.stop is set, the result means nothing.
    """
    # 1. The table grows with the search; at its limit, the search stops.
    work.searched += 1
    if work.searched >= work.grow_at:
        if work.searched > work.limit:
            work.searched = work.limit
            work.stop = 1
            return int64(0)
        grow(work)
    before = work.searched
    # 2. Look at every move without searching: is one good enough, and which must be searched?
    best, end = look_at_moves(mine, theirs, threats, empties, alpha, work)
    # 3. Search those moves, the most promising first, until one is good enough.
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
    # 4. Store the result.
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

    Return the best bound found, and the end of the list. The list begins at the eight places that belong to this
    number of empty cells, and is sorted, the most promising move first. Stop at a move that is good enough.
    """
    stones = mine | theirs
    moves = (stones + work.bottom) & work.board & ~(threats >> ONE)
    best = int64(WORST)
    base = empties * MOST_COLUMNS
    end = base
    # First without the table, whose words are fetched from memory meanwhile.
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
    # Then with the table.
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

    A move is promising if it makes threats (but not right above one of the opponent's), leaves the opponent few
    moves, puts a second stone in a line that is still open, or is near the middle; it is less so if it crowds the
    mover's own stones. The weights were tuned by hand to search few positions: a third fewer than with threats and
    columns alone.
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
    """Bounds on a settled position's score found without a search, no tighter than needed to compare it with alpha."""
    lower, upper = limits(empties)
    if lower <= alpha < upper and follow_up_holds(alpha, mine, theirs, threats, empties, work):
        upper = alpha
    return lower, upper


@njit
def can_win_at_once(mine, theirs, work):
    """Can the mover win with the next stone?"""
    landing = (mine | theirs) + work.bottom
    return (completing_cells(mine) & landing & work.board) != ZERO


@njit
def bound_of(mine, theirs, alpha, deep, work):
    """The result of search() for any unfinished position. Without deep, nothing is searched: a score that would need
    a search counts as greater than alpha."""
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
    """Find out whether the score is greater than alpha; return the new bounds, or the old ones if nothing is new."""
    if lower <= alpha < upper:
        bound = bound_of(mine, theirs, alpha, True, work)
        if work.stop == 0:
            if bound > alpha:
                lower = min(bound, upper)
            else:
                upper = max(bound, lower)
    return lower, upper


@njit
def narrow_quickly(mine, theirs, most, lower, upper, work):
    """Find out whether there is a quick win or a quick loss, which is cheap; return the new bounds."""
    for stones in range(3, 10, 2):
        quick = most - stones
        if quick >= 3:
            lower, upper = narrow(mine, theirs, quick, lower, upper, work)
            lower, upper = narrow(mine, theirs, -quick - 1, lower, upper, work)
    return lower, upper


@njit
def score_bounds(mine, theirs, weak, work):
    """A lower and an upper bound on an unfinished position's score, or with weak on its sign; equal unless stopped.

    Quick wins and losses are tried first, since that is cheap. Next comes whether the score is positive (if an even
    number of cells is left) or not negative (if the number is odd: then the second player moves, who gets draws more
    easily). From there the search goes outwards.
    """
    empties = count(work.board & ~(mine | theirs))
    most = int64((empties + 1) // 2)
    lower, upper = int64(-(empties // 2)), most
    if weak:
        lower, upper = max(lower, -1), min(upper, 1)
    if can_win_at_once(mine, theirs, work):
        lower = upper
    lower, upper = narrow_quickly(mine, theirs, most, lower, upper, work)
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
def bounds_above(mine, theirs, least, work):
    """The same for a position whose score is at least this; equal unless stopped.

    The search goes upwards, one step at a time. In a book, the parents' scores say how low a score can be, and about
    half of the positions have the lowest: one search proves it. (Positions with 7 stones took a third less time.)
    """
    empties = count(work.board & ~(mine | theirs))
    most = int64((empties + 1) // 2)
    lower, upper = max(int64(least), int64(-(empties // 2))), most
    if can_win_at_once(mine, theirs, work):
        lower = upper
    lower, upper = narrow_quickly(mine, theirs, most, lower, upper, work)
    while lower < upper and work.stop == 0:
        lower, upper = narrow(mine, theirs, lower, lower, upper, work)
    return lower, upper


SCORE, SIGN, SCORE_ABOVE, BOUND, BOUND_AT_ONCE = range(5)
"""What Python asks about a position."""


@njit
def answer(question, mine, theirs, number, work):
    """A score (SCORE_ABOVE: one that is at least `number`), its sign, or a bound: see the functions above.

    This is one function, so that the whole search is optimised and translated once for all questions.
    """
    if question == SCORE_ABOVE:
        return bounds_above(mine, theirs, number, work)[0]
    if question >= BOUND:
        return bound_of(mine, theirs, number, question == BOUND, work)
    return score_bounds(mine, theirs, question == SIGN, work)[0]


@njit
def score_all(mine, theirs, weak, scores, searched, work):
    """Write the scores of many positions, each with an empty table, and how many positions were searched for each."""
    for i in range(len(mine)):
        forget(work)
        before = work.searched
        scores[i] = score_bounds(mine[i], theirs[i], weak, work)[0]
        searched[i] = work.searched - before
        if work.stop != 0:
            break


@njit
def allow(positions, work):
    """Let the next searches look at this many positions in total; the table grows as before."""
    was_limited = work.limit != NEVER
    work.limit = NEVER if positions >= NEVER - work.searched else work.searched + positions
    if was_limited or work.limit != NEVER:
        use_bits(work.bits, work)


@njit
def use_whole_table(work):
    """Never grow: from now on the table has its full size, and other searches may read and write it at the same time.

    An entry is one word with the hash in it, so no search ever sees half of another's entry.
    """
    use_bits(int64(highest(np.uint64(work.length // SLOTS))), work)


@njit
def forget(work):
    """Make the next search independent of earlier ones."""
    clear(work)
    for i in range(len(work.killers)):
        work.killers[i] = ZERO
