"""What a Connect 4 position shows without a search: threats, forced replies, and the follow-up strategy.

The bits are those of rules.py, for every board size. A player's threat is an empty cell that would complete four of
that player's stones in a line, whether it can be played yet or not.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, lowest, njit

MY_TURN, YOUR_TURN, DECIDED = 1, -1, 0
"""A forced sequence ends with the same player to move, with the other player to move, or with the game decided."""


def board_with(cells):
    """The board with these bits set; bits outside the board are left out."""
    return np.uint64(sum(1 << cell for cell in cells if 0 <= cell < 64))


STEPS = (1, 7, 8, 9)  # upright, falling, across, rising
WINDOWS = np.array([[board_with(cell - i * step for i in range(4)) for cell in range(64)] for step in STEPS])
"""By step and cell: the windows of four that contain the cell, each marked at its first cell."""

NEIGHBOURS = np.array([board_with(cell + i for step in STEPS for i in (step, -step)) for cell in range(64)])


@njit(forceinline=True)
def lowest_bit(board):
    """The lowest bit of a board, as a board."""
    return board & (ZERO - board)


@njit(forceinline=True)
def column_of(cell):
    """The eight bits of a cell's column."""
    return np.uint64(0xFF) << np.uint64(lowest(cell) & 56)


@njit(forceinline=True)
def line_cells(mine, step):
    """The cells that would complete four of mine in one direction."""
    one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
    above, below = mine << one, mine >> one
    two_above, two_below = above & (mine << two), below & (mine >> two)
    return (two_above & ((mine << three) | below)) | (two_below & ((mine >> three) | above))


@njit(forceinline=True)
def completing_cells(mine):
    """The cells that would complete four of mine, including cells that are taken or outside the board."""
    upright = (mine << ONE) & (mine << np.uint64(2)) & (mine << np.uint64(3))
    return upright | line_cells(mine, 7) | line_cells(mine, 8) | line_cells(mine, 9)


@njit(forceinline=True)
def lone_windows(mine, free, step):
    """The windows of one direction with one stone of mine and three free cells, each marked at its first cell."""
    one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
    a, b, c, d = mine, mine >> one, mine >> two, mine >> three
    inside = free & (free >> one)
    return inside & (inside >> two) & (a ^ b ^ c ^ d) & ~((a & b) | (c & d))


@njit(forceinline=True)
def has_line(mine, step):
    pairs = mine & (mine >> np.uint64(step))
    return (pairs & (pairs >> np.uint64(2 * step))) != ZERO


@njit(forceinline=True)
def has_four(mine):
    """Are there four in a line?"""
    return has_line(mine, 1) or has_line(mine, 7) or has_line(mine, 8) or has_line(mine, 9)


@njit(forceinline=True)
def settle(mine, theirs, threats, empties, work):
    """Play on as long as the mover has only one move that does not lose at once.

    threats must be completing_cells(theirs), and the mover must not be able to win at once. Return (turn, score, mine,
    theirs, threats, empties). If turn is DECIDED, score is the score of the first position for its mover. Otherwise
    turn says whether the same player (MY_TURN) or the other is now to move, and the rest is the position reached: seen
    by its mover, who has two moves or more, with the threats against that player.
    """
    turn = MY_TURN
    while True:
        stones = mine | theirs
        landing = (stones + work.bottom) & work.board
        threats &= work.board & ~stones
        forced = landing & threats
        safe = landing & ~(threats >> ONE)
        if forced:
            safe &= forced
            if forced & (forced - ONE):
                safe = ZERO
        if not safe:
            # The opponent's next stone wins whatever is played, or the board is full (then empties // 2 is 0).
            return DECIDED, int64(-turn * (empties // 2)), mine, theirs, threats, empties
        if empties <= 2:
            return DECIDED, int64(0), mine, theirs, threats, empties
        if safe & (safe - ONE):
            return turn, int64(0), mine, theirs, threats, empties
        mine, theirs = theirs, mine | safe
        threats = completing_cells(theirs)
        empties -= 1
        turn = -turn


@njit(forceinline=True)
def pairs_hold(cells, odd):
    """Is it true that the mover cannot make four from these cells plus one cell from each of two pairs in odd?

    odd has at most four cells. The follower chooses how to pair them, and answers a stone on one of a pair with a
    stone on the other.
    """
    if not odd:
        return not has_four(cells)
    first = lowest_bit(odd)
    odd ^= first
    second = lowest_bit(odd)
    odd ^= second
    if not odd:
        return not (has_four(cells | first) or has_four(cells | second))
    third = lowest_bit(odd)
    fourth = odd ^ third
    if fourth & (fourth - ONE):
        return False
    return (
        two_pairs_hold(cells, first, second, third, fourth)
        or two_pairs_hold(cells, first, third, second, fourth)
        or two_pairs_hold(cells, first, fourth, second, third)
    )


@njit(forceinline=True)
def two_pairs_hold(cells, first, second, third, fourth):
    """The same, with first and second as one pair, and third and fourth as the other."""
    return not (
        has_four(cells | first | third)
        or has_four(cells | first | fourth)
        or has_four(cells | second | third)
        or has_four(cells | second | fourth)
    )


@njit(forceinline=True)
def follow_up_holds(bound, mine, theirs, threats, empties, work):
    """Does the player who is not to move, the follower, keep the mover's score at bound or below by following up?

    To follow up is to answer every stone with a stone on top of it. Then, in columns with an even number of empty
    cells, the mover gets only the rows of leader_rows. Of the first cells of two columns with an odd number, the
    follower gets one, and continues above it. If the mover cannot make four of these cells, the mover does not win.
    The mover loses
      - if the follower's share contains four in a line: at the latest when everything else is full;
      - if an odd number of cells is left, and the follower has a threat on leader_rows in a column with an odd number:
        the mover will have to play the cell below it.
    work.low_rows[k] has the rows in which this happens with the follower's k-th stone, counted back from the last one,
    or sooner.
    """
    k = max(int64(-bound), 0)
    if k >= len(work.low_rows):
        return False
    stones = mine | theirs
    empty = work.board & ~stones
    leader_rows = work.leader_rows
    odd = (stones + work.bottom) & work.board & ~leader_rows
    share = mine | (empty & leader_rows)
    if empties & 1 == 0:
        if k > 0 and not has_four((theirs | (empty & ~leader_rows & ~odd)) & work.low_rows[k]):
            return False
        return pairs_hold(share, odd)
    traps = threats & leader_rows & work.low_rows[max(k, 1)]
    while traps:
        trap = lowest_bit(traps)
        column = column_of(trap)
        traps &= ~column
        first = odd & column
        if first:
            below = (trap - ONE) & column & empty & ~leader_rows
            if pairs_hold((share & ~(column & empty)) | below, odd ^ first):
                return True
    return False
