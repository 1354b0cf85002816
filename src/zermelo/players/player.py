"""What a player is: somebody who chooses moves."""

import copy
import dataclasses
import functools
import inspect
import time
from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from zermelo.calls import Call
from zermelo.core import Heuristic
from zermelo.errors import PlayerError, PositionError
from zermelo.games import HeuristicLike, PositionLike, find_position
from zermelo.position import Game, Position
from zermelo.scores import Score
from zermelo.searches.budget import Budget

HeuristicChoice = HeuristicLike | None
"""A heuristic, the text that names it, or a function that is one; None for the game's usual one."""
INFINITE = float("inf")


class Resigned(Exception):
    """The player gives up."""


class TakeBack(Exception):
    """The person at the terminal wants the last move back."""


class Fault(PlayerError):
    """Another program did something for which it loses the game. `fault` says what, but not who did it."""

    ending: ClassVar[str]  #: as it stands in a record: see match.ENDINGS

    def __init__(self, fault: str, who: str = "", said: str = ""):
        said = said.strip()
        super().__init__((f"{who}: {fault}" if who else fault) + (f"\n{said}" if said else ""))
        self.fault = fault
        self.said = said or None  #: the last lines that it wrote on standard error

    @property
    def reason(self) -> str:
        """Why the game is lost, as it stands in a record."""
        return f"{self.ending}: {self.fault}"


class WrongAnswer(Fault):
    """The program's answer does not follow the protocol."""

    ending = "wrong answer"


class NoAnswer(WrongAnswer, TimeoutError):
    """The program did not answer in time."""

    ending = "timeout"


class Crashed(Fault):
    """The program's process ended, or the program said that it cannot go on."""

    ending = "crash"


class IllegalMove(Fault):
    """The program chose a move that cannot be played."""

    ending = "illegal move"


@dataclass(frozen=True)
class Choice:
    """A move, and what the player knows about it."""

    move: str  #: as text
    seconds: float  #: the time that it took to choose
    score: Score | None = None  #: for the player who chose
    line: tuple[str, ...] = ()  #: the moves expected, this one first
    depth: int | None = None  #: plies looked ahead
    nodes: int | None = None  #: positions visited; for Monte Carlo tree search, simulations
    evaluated: int | None = None  #: calls of a heuristic
    solved: bool = False  #: is the score exact, found by the game's own solver?

    def __post_init__(self) -> None:
        if isinstance(self.score, (int, float)):  # players written for version 0.1 give a number
            object.__setattr__(self, "score", Score.of_number(self.score))


class Player(ABC):
    """Somebody who chooses moves. A player is immutable, so it may play many games at once.

    A player of one's own has a method `choose`, which returns a move, or `think`, which also tells what it knows about
    the move. It may be a dataclass, whose fields are its options. In any other class, the options are the parameters of
    `__init__` that it keeps as attributes of the same names.
    """

    kind: ClassVar[str]  #: its name in texts; by default, the name of the class

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" not in vars(cls):
            cls.kind = cls.__name__

    @classmethod
    @functools.cache  # a tournament asks in every game
    def defaults(cls) -> dict[str, Any]:
        """The options of this kind of player in their order, each with the value that it has if nobody chooses one."""
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        parameters = inspect.signature(cls).parameters.values()
        return {option.name: option.default for option in parameters if option.kind in named}

    @classmethod
    def options(cls) -> tuple[str, ...]:
        """The names of the options of this kind of player, in their order."""
        return tuple(cls.defaults())

    def think(self, position: Position) -> Choice:
        """Choose a move in a position that is not over, and tell what is known about it."""
        if type(self).choose is Player.choose:
            raise PlayerError("{kind} has neither a method choose nor a method think", kind=self.kind)
        began = time.perf_counter()
        move = self.choose(position)
        return Choice(str(move), time.perf_counter() - began)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        """As think, but a player that finds better and better moves while it thinks tells each of them."""
        return self.think(position)

    def choose(self, position: PositionLike) -> str:
        """The move it plays."""
        position = find_position(position)
        if position.is_over:
            raise PositionError("the game is over in {position}", position=position)
        return self.think(position).move

    def prepare(self, game: Game) -> None:
        """Find and compile what the player needs for a game, so that errors come before the first move."""

    def compile_search(self, game: Game) -> None:
        """Compile its search, if that is ours, without its heuristic, which may be in a file that must not run here.

        Processes for players find the code in the cache; else each would compile it, during its first move.
        """

    @property
    def budget(self) -> Budget:
        """How much it may use for a move. By default, its options of these names say so."""
        return self.given_budget

    @property
    def given_budget(self) -> Budget:
        """The limits that its options name, without what it keeps to by itself."""
        own = self._values()
        return Budget(own.get("depth"), own.get("nodes"), own.get("seconds"), own.get("memory"))

    def with_budget(self, budget: Budget) -> Self:
        """The same player with these limits instead of its own, as far as it has such options."""
        return self._with(dict(budget))

    def limited(self, budget: Budget) -> Self:
        """The same player, using no more than this budget, as far as it has such options."""
        own = dict(self.budget)
        return self._with({name: limit for name, limit in budget if own.get(name, INFINITE) > limit})

    def seeded(self, seed: int) -> Self:
        """The same player with this seed, if it has an option `seed` and no seed of its own."""
        return self._with({"seed": seed}) if self._values().get("seed", seed) is None else self

    @property
    def heuristics(self) -> dict[str, HeuristicChoice]:
        """The heuristics that somebody chose for it, by the name of the option."""
        fields: Any = dataclasses.fields(self) if dataclasses.is_dataclass(self) else ()
        declared = {option.name for option in fields if option.type == HeuristicChoice}
        return {
            name: chosen
            for name, chosen in self._values().items()
            if isinstance(chosen, Heuristic) or (name in declared and chosen is not None)
        }

    def with_heuristics(self, heuristics: Mapping[str, HeuristicChoice]) -> Self:
        """The same player with other heuristics, by the name of the option."""
        return self._with(heuristics)

    def _values(self) -> dict[str, Any]:
        """The options of this player, by name."""
        return {name: getattr(self, name) for name in self.options() if hasattr(self, name)}

    def _with(self, changes: Mapping[str, Any]) -> Self:
        """The same player with other values of some options; those that it does not have are left out."""
        own = self._values()
        known = {name: value for name, value in changes.items() if name in own}
        if not known:
            return self
        if dataclasses.is_dataclass(self) and {field.name for field in dataclasses.fields(self)} == set(self.options()):
            return dataclasses.replace(self, **known)
        other = copy.copy(self)  # an __init__ of one's own may take and do anything
        for name, value in known.items():
            object.__setattr__(other, name, value)
        return other

    @property
    def is_deterministic(self) -> bool:
        """Does it always answer the same position with the same move?"""
        return True

    def __str__(self) -> str:
        return self.text_without()

    @property
    def full_text(self) -> str:
        """The player as text that can be read even where the files that it names are not."""
        return str(self)

    def text_without(self, *names: str) -> str:
        """The player as text, with the options that differ from their defaults, except for these."""
        usual = self.defaults()
        given = {
            name: value
            for name, value in self._values().items()
            if name not in names and value is not usual[name] and value != usual[name]
        }
        return str(Call(self.kind, given))  # type: ignore[arg-type]
