"""Tic-tac-toe as a board: row 0 is the row that players call 1, and column 0 is a."""

from typing import ClassVar

from zermelo.boards import Board, Layout, shift_in_one_word
from zermelo.games.tictactoe import notation, rules
from zermelo.games.tictactoe.rules import BOARD


def cells(grid):
    return (BOARD,)


class TicTacToe(Board):
    """A tic-tac-toe position, seen by the player to move. Row 0 is the row that players call 1, and column 0 is a."""

    layouts: ClassVar = {
        rules.TicTacToe: Layout(
            grid=lambda state: (),
            rows=lambda grid: 3,
            columns=lambda grid: 3,
            cells=cells,
            mine=lambda state: (state.mine,),
            theirs=lambda state: (state.theirs,),
            place=lambda grid, row, column: 3 * row + column,
            cell=lambda grid, place: (place // 3, place % 3),
            shift=shift_in_one_word(cells, 3, 3, down=3, right=1, first=0),
            named_place=lambda grid, x, y: 3 * y + x,
        )
    }

    def move_text(self, code: int) -> str:
        return notation.cell_text(code)
