"""Reversi: flip the discs you enclose, on boards from 4x4 to 8x8."""

from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.games.reversi import drawing, notation, openings
from zermelo.games.reversi.rules import LEAST, MOST, Reversi, ReversiBoard, make_state, start_discs
from zermelo.language import _, marked
from zermelo.position import Game, Position
from zermelo.rules import moves_of

__all__ = ["Reversi", "ReversiBoard", "game"]


class ReversiGame(Game):
    """Place a disc to enclose and flip the opponent's discs. A player who cannot move passes. The most discs win."""

    name = "reversi"
    title = "Reversi"
    score_unit = "points"
    result_unit = marked("discs")
    result_heuristics = ("learned",)
    players = ("black", "white")
    edit_symbols, edit_movers = "-XO", "XO"
    default_heuristic = "learned"
    first_glance = "pieces"
    engine_options: ClassVar = {"probcut": 1.2}
    shown_plies = 16
    moves_stand_alone = True
    option_limits: ClassVar = {"columns": (LEAST, MOST), "rows": (LEAST, MOST)}
    perft_counts_ended = True  # the 228 games that end at the 9th ply are in the published count of the 10th

    def __init__(self, columns: int = 8, rows: int = 8):
        super().__init__(columns=columns, rows=rows)
        self.size = columns, rows
        if self.size != (MOST, MOST):  # the table was learned on the 8x8 board
            self.default_heuristic = "report"  # type: ignore[misc]

    def start_state(self) -> Any:
        return make_state(*self.size, *start_discs(*self.size), player=0)

    def move_text(self, state: Any, move: int) -> str:
        return notation.move_text(move)

    def why_not(self, state: Any, text: str) -> str | None:
        legal = tuple(notation.move_text(move) for move in moves_of(state))
        return notation.why_not(state, text, legal)

    def split_moves(self, text: str) -> list[str]:
        return notation.split_moves(text)

    def parse_board(self, text: str) -> Any:
        return notation.parse_state(text, *self.size)

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def opening_name(self, position: Position) -> str:
        """The name that Reversi players have for it, such as Tiger."""
        return openings.opening_name(position)

    def symmetries(self, state: Any) -> list[Any]:
        return notation.symmetries(state)

    def how_it_ended(self, position: Position) -> str:
        black, white = drawing.disc_counts(position.state)
        return _("{black} black discs, {white} white").format(black=black, white=white)

    def board(self, position: Position) -> str:
        return drawing.text_board(position)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = ReversiGame
