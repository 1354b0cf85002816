"""Which games there are: the folders here, and what other packages offer under the entry point `zermelo.games`.

A package from elsewhere may be broken in any way. It is then reported and left out, and everything else works.
"""

import contextlib
import functools
import importlib
import inspect
import os
import pkgutil
import types
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from zermelo.boards import board_classes
from zermelo.core.state import annotated_classes
from zermelo.errors import GameError
from zermelo.game_files import game_in_file, game_of_class
from zermelo.language import gettext
from zermelo.position import Game

GROUP = "zermelo.games"
GAME_FILES = "ZERMELO_GAME_FILES"
"""The environment variable that adds games in files to the catalogue, under the names of their files."""


class BrokenGameError(GameError):
    """A game whose package cannot be used; the message names it, and says what happened."""


@dataclass(frozen=True)
class Package:
    """A game's package, imported when it is first needed."""

    name: str
    load: Callable[[], Any]
    origin: str = ""  # the distribution that offers it; empty for our own games

    @functools.cached_property
    def module(self) -> Any:
        return self._guarded(self.load)

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the games in it, if it has several."""
        found: tuple[str, ...] = self._guarded(lambda: tuple(map(str, getattr(self.module, "VARIANTS", ()))))
        return found

    @property
    def options(self) -> list[str]:
        """The options with which its games can be made."""
        known = self._guarded(lambda: inspect.signature(self.module.game).parameters)
        return [name for name in known if name != "variant"]

    def make(self, **options: Any) -> Game:
        """Make a game of this package."""
        made = self._guarded(lambda: self.module.game(**options))
        if not isinstance(made, Game):
            raise self._broken(gettext("its function game() returns {made!r}, not a game").format(made=made))
        return made

    def names(self) -> list[str]:
        """The names that find_game takes. Games of other packages are each made once, to see whether they work."""
        if self.origin:
            for variant in self.variants or ("",):
                try:
                    game = self.make(**({"variant": variant} if variant else {}))
                except BrokenGameError:
                    raise
                except GameError as error:
                    raise self._broken(str(error)) from None
                self._guarded(functools.partial(_look_at, game))
        return [f"{self.name}/{variant}" for variant in self.variants] or [self.name]

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """The result of work(); an error in a package from elsewhere is reported with the package's name."""
        if not self.origin:
            return work()
        try:
            return work()
        except GameError:  # an option that it does not take, or an error already reported
            raise
        except (Exception, SystemExit) as error:
            raise self._broken(f"{type(error).__name__}: {error}") from error

    def _broken(self, reason: str) -> BrokenGameError:
        return BrokenGameError(
            gettext("the game {name!r} of the package {origin} is broken: {reason}").format(
                name=self.name, origin=self.origin, reason=reason
            )
        )


def _look_at(game: Game) -> None:
    """Ask for what every list of games needs."""
    str(game), gettext(game.title), game.start(), game.heuristics


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


@functools.cache
def packages() -> dict[str, Package]:
    """All packages by the names of their games; if names clash, ours win."""
    folder = Path(__file__).parent
    own = [found.name for found in pkgutil.iter_modules([str(folder)]) if found.ispkg]
    ours = {name: Package(name, functools.partial(importlib.import_module, f"zermelo.games.{name}")) for name in own}
    files = [path for path in os.environ.get(GAME_FILES, "").split(os.pathsep) if path]
    in_files = {Path(path).stem: Package(Path(path).stem, functools.partial(_in_file, path), path) for path in files}
    return in_files | {p.name: Package(p.name, p.load, _origin(p)) for p in entry_points(group=GROUP)} | ours


def _in_file(path: str) -> Any:
    """What stands for the package of a game in a file."""
    return types.SimpleNamespace(game=type(game_in_file(path, Path(path).stem)))


@functools.cache
def _tried() -> list[tuple[list[str], str]]:
    """The names of every package, or why it has none; kept, since trying to import a broken package takes time."""
    found = []
    for _name, package in sorted(packages().items()):
        try:
            found.append((package.names(), ""))
        except BrokenGameError as error:
            found.append(([], str(error)))
    return found


def game_names() -> list[str]:
    """The names that find_game takes, in alphabetical order; some games have several, as `tree/course`."""
    return [name for names, _fault in _tried() for name in names]


def broken_games() -> list[str]:
    """Why games of other packages are left out: a sentence for each."""
    return [fault for _names, fault in _tried() if fault]


def annotations(module: Any) -> dict[str, Any]:
    """What a heuristic of a game can be annotated with, by name: the game's board, and its class of states or several.

    Where a board and a class of states have the same name, the name stands for the board.
    """
    public = {name: getattr(module, name, None) for name in getattr(module, "__all__", ())}
    states = {name: value for name, value in public.items() if annotated_classes(value)}
    return states | {board.__name__: board for board in board_classes(module.__name__)}


def game_of_states(cls: type) -> str | None:
    """The name of the game whose states are of this class; None if no game has such states."""
    own = game_of_class(cls)
    if own is not None:
        return str(own)
    for name, package in packages().items():
        with contextlib.suppress(BrokenGameError):
            if any(cls in annotated_classes(found) for found in annotations(package.module).values()):
                return name
    return None


def annotation_names() -> list[str]:
    """The names of all classes of boards and states that users may write as annotations."""
    found: list[str] = []
    for package in packages().values():
        with contextlib.suppress(BrokenGameError):
            found += annotations(package.module)
    return found


def find_annotation(name: str) -> Any:
    """The class of boards or states of this name, such as `Connect4`; None if no game has it.

    The game of the same name is asked first: if it has the class, the others need not be imported.
    """
    known = packages()
    for package_name in sorted(known, key=lambda package_name: package_name != name.lower()):
        with contextlib.suppress(BrokenGameError):
            found = annotations(known[package_name].module)
            if name in found:
                return found[name]
    return None
