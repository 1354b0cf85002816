"""Connect 4, and its other board sizes. Bit numbers from the front; a column takes 8 bits, whatever its height.

:  :                  :
5 13 21 29 37 45 53   :       The cells of the 7x6 board; bit 6 of each column (and every column beyond the
4 12 20 28 36 44 52   :       board) is always empty, and stops lines wrapping round.
3 11 19 27 35 43 51   :
2 10 18 26 34 42 50   :       mine + stones + the bottom row tells positions apart: in each column it sets
1  9 17 25 33 41 49   :       the first empty cell above my stones.
0  8 16 24 32 40 48 (56)
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ONE, ZERO, count, lowest, mix, njit, state, without_lowest
from zermelo.rules import is_over, key, legal_moves, outcome, play, to_move

MOST_COLUMNS, MOST_ROWS = 8, 7
COLUMN = 8  # bits from a cell to its right neighbour


def board_of(columns: int, rows: int) -> np.uint64:
    """The playable cells of a board of this size."""
    return np.uint64(sum(((1 << rows) - 1) << COLUMN * column for column in range(columns)))


@state
class Connect4(NamedTuple):
    """A position, seen by the player to move."""

    mine: np.uint64 = ZERO  # stones of the player to move
    stones: np.uint64 = ZERO  # stones of both
    board: np.uint64 = board_of(7, 6)  # the cells that exist


@njit
def has_four(mine):
    """Are there four stones in a line?"""
    for step in (1, COLUMN - 1, COLUMN, COLUMN + 1):
        pairs = mine & (mine >> np.uint64(step))
        if pairs & (pairs >> np.uint64(2 * step)):
            return True
    return False


@njit
def landing_cells(state):
    """Where a stone dropped in each column would land."""
    bottom = state.board & ~(state.board << ONE)
    return (state.stones + bottom) & state.board


@legal_moves.of(Connect4)
def _(state, out, start):
    if has_four(state.mine ^ state.stones):
        return start
    cells = landing_cells(state)
    while cells:
        out[start] = lowest(cells) >> 3
        start += 1
        cells = without_lowest(cells)
    return start


@play.of(Connect4)
def _(state, move):
    column = np.uint64(0xFF) << np.uint64(COLUMN * move)
    cell = landing_cells(state) & column
    return Connect4(state.mine ^ state.stones, state.stones | cell, state.board)


@is_over.of(Connect4)
def _(state):
    return has_four(state.mine ^ state.stones) or state.stones == state.board


@outcome.of(Connect4)
def _(state):
    return -1 if has_four(state.mine ^ state.stones) else 0


@to_move.of(Connect4)
def _(state):
    return count(state.stones) & 1


@key.of(Connect4)
def _(state):
    bottom = state.board & ~(state.board << ONE)
    return mix(state.mine + state.stones + bottom)
