"""Connect 4 as a board: rows from the top, as printed. A cell's name is its column and its height, as in d1 to d6."""

from typing import ClassVar

import numpy as np

from zermelo.boards import Board, Layout, attribute, shift_in_one_word
from zermelo.core import ONE, bit, count, lowest, njit
from zermelo.games.connect4 import notation, rules
from zermelo.games.connect4.rules import COLUMN, MOST_COLUMNS, MOST_ROWS

BOTTOM_ROW = np.uint64(sum(1 << COLUMN * column for column in range(MOST_COLUMNS)))


def grid(state):
    return (state.board,)


@njit
def rows(grid):
    return lowest(~grid[0])


def columns(grid):
    return count(grid[0] & BOTTOM_ROW)


def place(grid, row, column):
    return COLUMN * column + rows(grid) - 1 - row


def cell(grid, place):
    return rows(grid) - 1 - (place & (COLUMN - 1)), place >> 3


def named_place(grid, x, y):
    here = COLUMN * x + y
    return here if grid[0] & bit(here) else -1


def neighbours(grid, words):
    """All eight neighbours; the bit above each column stays empty, so that no step wraps round."""
    sides = words[0] << np.uint64(COLUMN) | words[0] >> np.uint64(COLUMN)
    across = sides | words[0]
    return ((sides | across << ONE | across >> ONE) & grid[0],)


class Connect4(Board):
    """A Connect 4 position, seen by the player to move. The top row is row 0; stones fall to the last row.

    Besides what all boards have: `board.stones`, the stones of both players, and `board.landing`, the cells where a
    stone would land.
    """

    layouts: ClassVar = {
        rules.Connect4: Layout(
            grid=grid,
            rows=rows,
            columns=columns,
            cells=lambda grid: grid,
            mine=lambda state: (state.mine,),
            theirs=lambda state: (state.mine ^ state.stones,),
            place=place,
            cell=cell,
            shift=shift_in_one_word(
                lambda grid: grid, MOST_ROWS, MOST_COLUMNS, down=-1, right=COLUMN, first=MOST_ROWS - 1, spare=1
            ),
            neighbours=neighbours,
            named_place=named_place,
            largest=(rules.board_of(MOST_COLUMNS, MOST_ROWS),),
            sets={"stones": lambda state: (state.stones,), "board": lambda state: (state.board,)},
        )
    }

    def move_text(self, code: int) -> str:
        return notation.move_text(code)

    @attribute
    def landing(board):
        """The cells where a stone would land, one in each column that is not full."""
        return ((board.stones << ONE) | board.cells().bits & BOTTOM_ROW) - board.stones
