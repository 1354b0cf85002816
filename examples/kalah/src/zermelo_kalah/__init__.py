"""Kalah: stones sown round a board, for the zermelo laboratory."""

from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.errors import PositionError
from zermelo.position import Game, Position
from zermelo_kalah import drawing, notation
from zermelo_kalah.rules import MOST_HOUSES, Kalah, stones_in

__all__ = ["Kalah", "game"]


class KalahGame(Game):
    """Stones are sown from house to house. The player with more stones in their store wins."""

    name = "kalah"
    title = "Kalah"
    players = ("first", "second")
    default_heuristic = "harvest"
    moves_stand_alone = True
    option_limits: ClassVar = {"houses": (1, MOST_HOUSES), "stones": (1, 8)}

    def __init__(self, houses: int = 6, stones: int = 4):
        super().__init__(houses=houses, stones=stones)
        self.houses, self.stones = houses, stones

    def start_state(self) -> Any:
        side = [self.stones] * self.houses + [0]
        return notation.make_state([side, side], 0)

    def move_text(self, state: Any, move: int) -> str:
        return notation.LETTERS[move]

    def why_not(self, state: Any, text: str) -> str | None:
        letters = notation.LETTERS[: int(state.houses)]
        if len(text) == 1 and text in letters and not stones_in(state.mine, letters.index(text)):
            return "the house is empty"
        return f"the houses are {letters[0]} to {letters[-1]}"

    def split_moves(self, text: str) -> list[str]:
        return list("".join(text.split()))

    def parse_board(self, text: str) -> Any:
        state = notation.parse_state(text)
        if state is not None and int(state.houses) != self.houses:
            raise PositionError(f"{text!r} has {int(state.houses)} houses on each side, not {self.houses}")
        return state

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def board(self, position: Position) -> str:
        return drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = KalahGame
