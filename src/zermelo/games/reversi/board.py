"""Reversi as a board: row 0 is the row that players call 1, and column 0 is a."""

from typing import ClassVar

from zermelo.boards import MINE, Board, Layout, method, shift_in_one_word
from zermelo.core import ALL, bit, count
from zermelo.games.reversi import notation, rules
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, MOST, ROW


def place(grid, row, column):
    return ROW * row + column


def cell(grid, place):
    return place >> 3, place & (ROW - 1)


def _layout(grid, rows, columns, cells, named_place, largest=(), sets=None):
    return Layout(
        grid=grid,
        rows=rows,
        columns=columns,
        cells=cells,
        mine=lambda state: (state.mine,),
        theirs=lambda state: (state.theirs,),
        place=place,
        cell=cell,
        shift=shift_in_one_word(cells, MOST, MOST, down=ROW, right=1, first=0),
        named_place=named_place,
        largest=largest,
        sets=sets,
    )


EIGHT_BY_EIGHT = _layout(
    grid=lambda state: (),
    rows=lambda grid: MOST,
    columns=lambda grid: MOST,
    cells=lambda grid: (ALL,),
    named_place=lambda grid, x, y: ROW * y + x,
)

OTHER_SIZES = _layout(
    grid=lambda state: (state.board,),
    rows=lambda grid: count(grid[0] & FIRST_COLUMN),
    columns=lambda grid: count(grid[0] & FIRST_ROW),
    cells=lambda grid: grid,
    named_place=lambda grid, x, y: ROW * y + x if grid[0] & bit(ROW * y + x) else -1,
    largest=(ALL,),
    sets={"board": lambda state: (state.board,)},
)


class Reversi(Board):
    """A Reversi position, seen by the player to move. Row 0 is the row that players call 1, and column 0 is a.

    A player who cannot move has one move, `pass`. Besides what all boards have: `board.targets(z.MINE)`, the cells
    where the player to move can place a disc, and `board.targets(z.THEIRS)`, where the other player could.
    """

    layouts: ClassVar = {rules.Reversi: EIGHT_BY_EIGHT, rules.ReversiBoard: OTHER_SIZES}

    def move_text(self, code: int) -> str:
        return notation.move_text(code)

    @method
    def targets(board, whose):
        """The cells where a player can place a disc, if it is that player's turn; none if the player must pass."""
        if whose == MINE:
            return board.cells() & rules.targets(board.state.mine, board.state.theirs)
        return board.cells() & rules.targets(board.state.theirs, board.state.mine)
