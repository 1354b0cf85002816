"""Tic-tac-toe: three in a line. The smallest complete game, and the one to copy."""

import re
from collections.abc import Mapping
from typing import Any

from zermelo.drawing.picture import Picture
from zermelo.games.tictactoe import drawing, notation
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.language import _
from zermelo.position import Game, Position

__all__ = ["TicTacToe", "game"]


class TicTacToeGame(Game):
    """X and O take turns. Three in a line win; a full board is a draw."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    score_unit = "plies"
    players = ("X", "O")
    edit_symbols, edit_movers = ".XO", "xo"
    default_heuristic = "lines"
    shown_plies = 4
    has_perfect_play = True
    moves_stand_alone = True

    def start_state(self) -> Any:
        return TicTacToe()

    def move_text(self, state: Any, move: int) -> str:
        return notation.cell_text(move)

    def why_not(self, state: Any, text: str) -> str | None:
        if not re.fullmatch("[a-z][0-9]", text):
            return None
        return _("the cell is taken") if re.fullmatch("[a-c][1-3]", text) else _("the cells are a1 to c3")

    def split_moves(self, text: str) -> list[str]:
        cells = re.findall("[a-z][0-9]", text)
        return cells if "".join(cells) == text else super().split_moves(text)

    def parse_board(self, text: str) -> Any:
        return notation.parse_state(text)

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def symmetries(self, state: Any) -> list[Any]:
        return notation.symmetries(state)

    def how_it_ended(self, position: Position) -> str:
        return _("three in a line") if position.winner else _("the board is full")

    def board(self, position: Position) -> str:
        return drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = TicTacToeGame
