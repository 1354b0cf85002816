"""What a player is: somebody who chooses moves. The players themselves are in players and external.py."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.calls import Call
from zermelo.errors import PlayerError, PositionError
from zermelo.language import _
from zermelo.position import Game, Position
from zermelo.scores import Score


class Resigned(Exception):
    """The player gives up."""


class TakeBack(Exception):
    """The person at the terminal wants the last move back."""


class Fault(PlayerError):
    """What a player from outside did, and loses the game for; `fault` tells it without saying who that was."""

    ending: ClassVar[str]  #: as it stands in a record: see match.ENDINGS

    def __init__(self, fault: str, who: str = "", said: str = ""):
        said = said.strip()
        super().__init__((f"{who}: {fault}" if who else fault) + (f"\n{said}" if said else ""))
        self.fault = fault
        self.said = said or None  #: what it wrote last on standard error

    @property
    def reason(self) -> str:
        """Why the game is lost, as it stands in a record."""
        return f"{self.ending}: {self.fault}"


class WrongAnswer(Fault):
    """What it said is not an answer at all."""

    ending = "wrong answer"


class NoAnswer(WrongAnswer, TimeoutError):
    """It said nothing at all in its time."""

    ending = "timeout"


class Crashed(Fault):
    """Its process ended, or it said itself that it cannot go on."""

    ending = "crash"


@dataclass(frozen=True)
class Choice:
    """A move, and what the player knows of it."""

    move: str  #: as text
    seconds: float  #: it took
    score: Score | None = None  #: for the player who chose
    line: tuple[str, ...] = ()  #: the moves expected, this one first
    depth: int | None = None  #: plies looked ahead
    nodes: int | None = None  #: positions visited (of MCTS: simulations)
    evaluated: int | None = None  #: calls of a heuristic
    solved: bool = False  #: the score is exact, by the game's own solver

    def __post_init__(self) -> None:
        if isinstance(self.score, (int, float)):  # players written for version 0.1 give a number
            object.__setattr__(self, "score", Score.of_number(self.score))


class Player(ABC):
    """Somebody who chooses moves. Immutable, so one player may play many games at once."""

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]  # every player is a dataclass: its options

    @abstractmethod
    def think(self, position: Position) -> Choice:
        """Choose a move in a position that is not over."""

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        """As think; a player who finds better and better moves on the way tells each of them."""
        return self.think(position)

    def choose(self, position: Position) -> str:
        """The move it plays."""
        if position.is_over:
            raise PositionError(_("the game is over in {position}").format(position=position))
        return self.think(position).move

    def prepare(self, game: Game) -> None:
        """Find and compile what it needs for a game, so that errors come before the first move."""

    @property
    def is_deterministic(self) -> bool:
        """Does it always answer the same position with the same move?"""
        return True

    def __str__(self) -> str:
        return self.text_without()

    def text_without(self, *names: str) -> str:
        """The player as text, with the options that differ from their defaults, except for these."""
        given = {}
        for option in dataclasses.fields(self):
            value = getattr(self, option.name)
            if value != option.default and option.name not in names:
                given[option.name] = value
        return str(Call(self.kind, given))  # type: ignore[arg-type]
