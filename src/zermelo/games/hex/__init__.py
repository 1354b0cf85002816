"""Hex: join your two edges, on boards from 2x2 to 19x19."""

from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.games.hex import drawing, guesses, knowledge, notation, random_games
from zermelo.games.hex.boards import LEAST_SIZE, MOST_SIZE
from zermelo.games.hex.rules import Hex, set_up
from zermelo.language import _
from zermelo.position import Game, Position
from zermelo.rules import moves_of

__all__ = ["Hex", "game", "guesses", "knowledge", "random_games"]


class HexGame(Game):
    """Black connects top and bottom, White left and right. One of them always succeeds, so there are no draws."""

    name = "hex"
    title = "Hex"
    can_be_drawn = False
    marked_moves = 5
    players = ("black", "white")
    edit_symbols, edit_movers = ".BW", "bw"
    default_heuristic = "two_distance"
    first_glance = "distance"
    engine_options: ClassVar = {
        "search": "mcts",
        "rave": 1000,
        "exploration": 0.02,
        "prior": 20,
        "trust": 0.5,
        "mix": 0.5,
        "knowledge": 20,
        "width": 10,
        "widening": 0.25,
    }
    shown_plies = 40
    moves_stand_alone = True
    option_limits: ClassVar = {"size": (LEAST_SIZE, MOST_SIZE)}

    def __init__(self, size: int = 11, swap: bool = False):
        super().__init__(size=size, swap=swap)
        self.size, self.swap = size, swap

    def new_game_options(self) -> dict[str, Any]:
        """With the swap rule, so that it is no advantage to begin."""
        return {"swap": True}

    def start_state(self) -> Any:
        return set_up(self.size, [], [], 0, self.swap)

    def move_text(self, state: Any, move: int) -> str:
        return notation.move_text(move, self.size)

    def parse_move(self, state: Any, text: str) -> int:
        move = notation.move_code(self.normal_move_text(text), self.size)
        if move is not None and move in moves_of(state):
            return move
        return super().parse_move(state, text)  # which says what is wrong

    def why_not(self, state: Any, text: str) -> str | None:
        return notation.why_not(text, self.size)

    def split_moves(self, text: str) -> list[str]:
        return notation.split_moves(text)

    def parse_board(self, text: str) -> Any:
        return notation.parse_state(text, self.size, self.swap)

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def symmetries(self, state: Any) -> list[Any]:
        return [state, notation.turned(state)]

    def how_it_ended(self, position: Position) -> str:
        return (
            _("an unbroken chain from top to bottom")
            if position.winner == 1
            else _("an unbroken chain from left to right")
        )

    def board(self, position: Position) -> str:
        return drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str], *, paths: bool = False) -> Picture:
        """A picture; with paths, also each side's shortest way across the board."""
        return drawing.draw(position, marks, paths)


game = HexGame
