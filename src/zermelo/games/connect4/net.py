"""What the Connect 4 net looks at, on the 7x6 board.

Forced replies are played first (threats.settle): while a player can only stop the opponent from winning with the next
stone, there is nothing to judge. If that decides the game, the score is known.

The net sees the first player's stones and the second's, since it depends on who began which rows are good. Its inputs
are numbered in this order:

    windows    69 x 2 x 15     four cells in a line with stones of one player only: whose, and on which of them
    columns    7 x 128         all that stands in a column, as in the key of a position
    threats    2 x 64 x 6      cells that would complete four: whose, which cell, and the empty cells below it
    stones     43              how many there are, and with it who moves
    follow-up  2 x 6           who moves, and what the other can hold by answering each stone on top of it: nothing, a
                               draw, or a win with so many stones (threats.follow_up_holds)

(With whole rows and diagonals instead of windows, 23,000 inputs instead of 4,000, the net learned less from 170,000
examples: it named the right winner in 86.1% of quiet positions at best, and got worse with every further round. With
the follow-up, on a million examples, it was right in 87.1% of undecided positions, 86.5% without; and after 30 plies
in 87.7%, 83.5% without.)
"""

from typing import NamedTuple

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, count, lowest, njit, without_lowest
from zermelo.evaluation.nets import net_size, net_view
from zermelo.games.connect4.exact import workspace
from zermelo.games.connect4.rules import COLUMN, Connect4, board_of
from zermelo.games.connect4.threats import DECIDED, completing_cells, follow_up_holds, settle

BOARD = board_of(7, 6)
BOTTOM = np.uint64(sum(1 << COLUMN * column for column in range(7)))
STEPS = (1, COLUMN - 1, COLUMN, COLUMN + 1)
CONTENTS = 15  # the sets of cells of a window, except the empty set


def _window_numbers() -> np.ndarray:
    """Step, first cell -> number of the window; -1 if there is none."""
    numbers = np.full((len(STEPS), 64), -1, np.int64)
    found = 0
    for direction, step in enumerate(STEPS):
        for start in range(64 - 3 * step):
            if all(int(BOARD) >> (start + i * step) & 1 for i in range(4)):
                numbers[direction, start] = found
                found += 1
    return numbers


WINDOWS = _window_numbers()
COLUMN_INPUTS = int(WINDOWS.max() + 1) * 2 * CONTENTS
THREAT_INPUTS = COLUMN_INPUTS + 7 * 128
STONE_INPUTS = THREAT_INPUTS + 2 * 64 * 6
FOLLOW_UP_INPUTS = STONE_INPUTS + 43
INPUTS = FOLLOW_UP_INPUTS + 2 * 6


class Frame(NamedTuple):
    """What settle() and follow_up_holds() need to know about the board."""

    board: np.uint64
    bottom: np.uint64
    leader_rows: np.uint64
    low_rows: tuple[np.uint64, ...]


def _frame() -> Frame:
    """The frame of the board, with the values of the solver's workspace (see exact.workspace)."""
    work = workspace(BOARD, np.zeros(1 << 10, np.uint64))
    return Frame(BOARD, BOTTOM, work.leader_rows, tuple(work.low_rows))


FRAME = _frame()


@njit
def write_windows(own, other, player, out, n):
    """Write the windows that hold stones of this player only."""
    free = BOARD & ~other
    for direction in range(len(STEPS)):
        step = np.uint64(STEPS[direction])
        twice, thrice = step + step, step + step + step
        live = free & (free >> step) & (free >> twice) & (free >> thrice)
        live &= own | (own >> step) | (own >> twice) | (own >> thrice)
        while live:
            start = lowest(live)
            live = without_lowest(live)
            here = own >> np.uint64(start)
            content = (here & ONE) | ((here >> step) & ONE) << ONE
            content |= ((here >> twice) & ONE) << np.uint64(2) | ((here >> thrice) & ONE) << np.uint64(3)
            out[n] = (2 * WINDOWS[direction, start] + player) * CONTENTS + np.int64(content) - 1
            n += 1
    return n


@njit
def write_threats(own, empty, player, out, n):
    """Write the empty cells that would complete four for this player."""
    cells = completing_cells(own) & empty
    while cells:
        cell = lowest(cells)
        cells = without_lowest(cells)
        column = np.uint64(0xFF) << np.uint64(cell & 56)
        below = count(empty & column & ((ONE << np.uint64(cell)) - ONE))
        out[n] = THREAT_INPUTS + (64 * player + cell) * 6 + below
        n += 1
    return n


@njit
def write_inputs(mine, theirs, out):
    """Write the numbers of the active inputs and return how many there are; mine are the mover's stones."""
    stones = count(mine | theirs)
    first, second = (theirs, mine) if stones & 1 else (mine, theirs)
    keys = first + (mine | theirs) + BOTTOM
    for column in range(7):
        out[column] = COLUMN_INPUTS + 128 * column + np.int64((keys >> np.uint64(COLUMN * column)) & np.uint64(127))
    out[7] = STONE_INPUTS + stones
    n = write_windows(first, second, 0, out, 8)
    n = write_windows(second, first, 1, out, n)
    empty = BOARD & ~(mine | theirs)
    n = write_threats(first, empty, 0, out, n)
    return write_threats(second, empty, 1, out, n)


@njit
def view(mine, theirs, out):
    """The result of net_view for a position on the 7x6 board."""
    stones = mine | theirs
    empties = count(BOARD & ~stones)
    if completing_cells(mine) & (stones + BOTTOM) & BOARD != ZERO:
        return -1, 1, int64((empties + 1) // 2)
    turn, score, mine, theirs, threats, empties = settle(mine, theirs, completing_cells(theirs), empties, FRAME)
    if turn == DECIDED:
        return -1, 1, score
    second_moves = count(mine | theirs) & 1
    held = 0
    while held <= 4 and follow_up_holds(-held, mine, theirs, threats, empties, FRAME):
        held += 1
    n = write_inputs(mine, theirs, out)
    out[n] = FOLLOW_UP_INPUTS + 6 * second_moves + held
    return n + 1, (-turn if second_moves else turn), int64(0)  # the net speaks for the first player


@net_view.of(Connect4)
def _(state, out):
    return view(state.mine, state.mine ^ state.stones, out)


@net_size.of(Connect4)
def _(state):
    return INPUTS
