"""Connect 4: four in a line, on boards from 4x4 to 8x7."""

from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.games.connect4 import drawing, notation
from zermelo.games.connect4.rules import MOST_COLUMNS, MOST_ROWS, Connect4, board_of
from zermelo.language import _
from zermelo.position import Game, Position

__all__ = ["Connect4", "game"]

USUAL_SIZE = 7, 6  # columns and rows


class Connect4Game(Game):
    """Drop stones into columns. Four of one colour in a line win; a full board is a draw."""

    name = "connect4"
    title = "Connect 4"
    players = ("red", "yellow")
    default_heuristic = "learned"
    score_unit = "plies"
    first_glance = "centre"
    shown_plies = 14
    has_perfect_play = True
    moves_stand_alone = True
    option_limits: ClassVar = {"columns": (4, MOST_COLUMNS), "rows": (4, MOST_ROWS)}

    def __init__(self, columns: int = 7, rows: int = 6):
        super().__init__(columns=columns, rows=rows)
        self.size = columns, rows
        if self.size != USUAL_SIZE:  # the net was learned on the usual board
            self.default_heuristic = "parity12"  # type: ignore[misc]

    def start_state(self) -> Any:
        return Connect4(board=board_of(*self.size))

    def move_text(self, state: Any, move: int) -> str:
        return notation.move_text(move)

    def why_not(self, state: Any, text: str) -> str | None:
        return notation.why_not(state, text)

    def split_moves(self, text: str) -> list[str]:
        return list("".join(text.split()))

    def position_text(self, position: Position) -> str:
        return "".join(position.line) or "-"

    def symmetries(self, state: Any) -> list[Any]:
        return [state, notation.mirrored(state)]

    def how_it_ended(self, position: Position) -> str:
        return _("four in a line") if position.winner else _("the board is full")

    def board(self, position: Position) -> str:
        return drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = Connect4Game
