"""Levels: ten opponents from a child to the engine, with the same names in every game.

What a level is differs from game to game. A game's folder may have `levels.json`, with ten players and the strengths
that a tournament between them measured; a game without it has the usual ones, which nobody has measured.
"""

import functools
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.errors import FileError, PlayerError
from zermelo.language import marked
from zermelo.players.player import Choice, Player
from zermelo.position import Game, Position

FILE = "levels.json"
NAMES = (
    marked("child"),
    marked("beginner"),
    marked("casual"),
    marked("regular"),
    marked("skilled"),
    marked("competitor"),
    marked("expert"),
    marked("master"),
    marked("champion"),
    marked("machine"),
)
"""The names of the levels, the weakest first."""
USUAL = 2
"""The level against which newcomers begin."""
PLAYERS = (
    "fallible(depth=1, breadth=1, taste=6, overlook=1.0)",
    "fallible(depth=1, breadth=2, taste=1.5, overlook=0.9)",
    "fallible(depth=2, breadth=3, taste=1, overlook=0.6)",
    "fallible(depth=3, breadth=5, taste=0.7, overlook=0.55)",
    "fallible(depth=3, breadth=6, taste=0.5, overlook=0.35)",
    "fallible(depth=4, breadth=7, taste=0.4, overlook=0.15)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.35, nodes=1000)",
    "fallible(depth=4, breadth=8, taste=0.2, overlook=0.15, nodes=3000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.05, nodes=10000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0, nodes=30000)",
)
"""The levels of a game that does not say anything else."""


@dataclass(frozen=True)
class Levels:
    """The ten levels of a game."""

    players: tuple[str, ...]  #: the players, as texts
    elo: tuple[float, ...]  #: their strengths; the first is 0
    error: tuple[float, ...]  #: half the widths of their 95% intervals
    step_error: tuple[float, ...]  #: the same of the nine steps between neighbours
    games: int  #: how many games were played to measure them; 0 if nobody has

    @property
    def is_measured(self) -> bool:
        return self.games > 0


def levels_of(game: Game) -> Levels:
    """The levels of a game, as its folder says."""
    file = Path(inspect.getfile(type(game)))
    return _read(file.parent / FILE if file.stem == "__init__" else file.with_suffix(f".{FILE}"))


@functools.lru_cache(maxsize=64)
def _read(file: Path) -> Levels:
    if not file.is_file():
        return Levels(PLAYERS, tuple(150.0 * step for step in range(10)), (0.0,) * 10, (0.0,) * 9, 0)
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        told.setdefault("step_error", (0.0,) * 9)
        players, elo, error, step_error = (tuple(told[name]) for name in ("players", "elo", "error", "step_error"))
        found = Levels(players, elo, error, step_error, int(told["games"]))
        if not len(found.players) == len(found.elo) == len(found.error) == len(NAMES):
            raise ValueError(f"there are not {len(NAMES)} levels")
    except (ValueError, KeyError, TypeError) as error:
        raise FileError("{path}: these are not levels: {error}", path=file, error=error) from None
    return found


@dataclass(frozen=True)
class LevelPlayer(Player):
    """One of ten opponents, from a child (1) to a machine (10), who err as people do.

    The level may be a number or a name: child, beginner, casual, regular, skilled, competitor, expert, master,
    champion, machine. Every game is different, unless there is a seed.
    """

    level: int | str = USUAL  #: from 1 to 10, or the name of the level
    seed: int | None = None  #: starts the random generator; the same seed gives the same moves
    kind: ClassVar[str] = "level"

    def __post_init__(self) -> None:
        number = NAMES.index(self.level) + 1 if self.level in NAMES else self.level
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(NAMES):
            raise PlayerError(
                "level: {level} is not a level; write a number from 1 to {most}, or one of {names}",
                level=self.level,
                most=len(NAMES),
                names=", ".join(NAMES),
            )
        object.__setattr__(self, "level", number)

    @property
    def name(self) -> str:
        """The name of the level."""
        assert isinstance(self.level, int)
        return NAMES[self.level - 1]

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None

    def player_for(self, game: Game) -> Player:
        """The player that has this level in a game."""
        from zermelo.players import find_player

        assert isinstance(self.level, int)
        found = find_player(levels_of(game).players[self.level - 1], game)
        return found if self.seed is None else found.seeded(self.seed)

    def prepare(self, game: Game) -> None:
        self.player_for(game).prepare(game)

    def think(self, position: Position) -> Choice:
        return self.player_for(position.game).think(position)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self.player_for(position.game).think_aloud(position, tell)

    def _values(self) -> dict[str, Any]:
        return {"level": self.level, "seed": self.seed}
