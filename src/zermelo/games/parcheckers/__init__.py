"""Parcheckers: parchís without luck, two colours a player, and the dice are chosen."""

from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.errors import GameError, PositionError
from zermelo.games.parcheckers import drawing, editing, notation, text_drawing
from zermelo.games.parcheckers.rules import Parcheckers
from zermelo.language import _, marked
from zermelo.position import Game, Position
from zermelo.rules import is_over

__all__ = ["Parcheckers", "game"]


class ParcheckersGame(Game):
    """Bring your four pieces round the ring to the goal. Each of the six dice is used once before they all return."""

    name = "parcheckers"
    title = "Parcheckers"
    can_be_drawn = False
    marked_moves = 0
    players = ("yellow and green", "blue and red")
    default_heuristic = "learned"
    first_glance = "order"
    shown_plies = 14
    moves_stand_alone = True
    notation_words = (marked("yellow"), marked("green"), marked("blue"), marked("red"), marked("pass"))
    option_examples: ClassVar = {"start": "yellow=4,13 blue=21,30 red=38,47 green=55,64"}

    def __init__(self, start: str = ""):
        if not isinstance(start, str):
            raise GameError(
                "parcheckers: start={start} is not a set-up such as {example!r}",
                start=start,
                example=notation.set_up_text(Parcheckers()),
            )
        try:
            state = notation.parse_state(start) if start.strip() else Parcheckers()
        except PositionError as error:
            raise GameError("parcheckers: start: {error}", error=error) from None
        if state is None:
            raise GameError(
                "parcheckers: start={start!r} is not a set-up such as {example!r}",
                start=start,
                example=notation.set_up_text(Parcheckers()),
            )
        if start.strip() and is_over(state):  # asking loads compiled code, and a list of the games need not wait for it
            raise GameError("parcheckers: start={start!r}: in this position the game is already over", start=start)
        super().__init__(start="" if state == Parcheckers() else notation.set_up_text(state))
        self.first_state = state

    def start_state(self) -> Any:
        return self.first_state

    def move_text(self, state: Any, move: int) -> str:
        return notation.move_text(move)

    def first_choices(self, position: Position) -> dict[str, dict[str, tuple[str, str]]]:
        """The die, then the piece."""
        return notation.choices(position.state)

    def why_not(self, state: Any, text: str) -> str | None:
        return notation.why_not(state, text)

    def parse_board(self, text: str) -> Any:
        return notation.parse_state(text)

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def edit_places(self) -> Mapping[str, tuple[float, float, float, float]]:
        return editing.edit_places()

    def edited(self, state: Any, place: str, held: str) -> tuple[str, str]:
        return editing.edited(state, place, held)

    def how_it_ended(self, position: Position) -> str:
        return _("all its pieces are in the goal")

    def board(self, position: Position) -> str:
        return text_drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = ParcheckersGame
