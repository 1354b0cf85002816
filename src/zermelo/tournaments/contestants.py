"""Who takes part: players, heuristics that a common search plays, and whole files or folders of heuristics.

A user's files travel with the tournament as source text: what is played is what the files said when it began, on
this machine and on every other.
"""

import ast
import dataclasses
import functools
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.calls import Call, Value, parse_call
from zermelo.core import Heuristic
from zermelo.core.cache import cache_folder
from zermelo.errors import FileError, HeuristicError, PlayerError, ZermeloError
from zermelo.games import find_heuristic, load_file, pick_heuristic, weighted
from zermelo.language import gettext
from zermelo.players import KINDS, HeuristicChoice, HumanPlayer, Player, find_player, named_players
from zermelo.position import Game

Sources = Mapping[str, Mapping[str, str]]
"""A file as players' texts name it -> the texts of that file and its neighbours, by their names."""


@dataclass(frozen=True)
class Contestant:
    """A player under the name it has in the tables."""

    name: str
    player: str


@dataclass(frozen=True)
class Entry:
    """How heuristics become players: the search that plays them, the budget of all, and where files are looked for."""

    game: Game
    search: Call = dataclasses.field(default_factory=lambda: Call("alphabeta"))
    budget: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    folder: Path = Path()
    left_out: list[str] = dataclasses.field(default_factory=list)  # why, of files in a folder that cannot be used

    def enlist(self, text: str) -> list[Contestant]:
        """The contestants that a text stands for: one, or all those in a file or folder."""
        path = self.folder / text
        if os.path.isdir(path):  # (that of Path raises an error if the text is too long for a name)
            found = [c for file in sorted(path.glob("[!_.]*.py")) for c in self._of_folder_file(file)]
            if not found:
                raise PlayerError(
                    gettext("the folder {path} holds no heuristics for {title}").format(
                        path=path, title=gettext(self.game.title)
                    )
                )
            return found
        if text.endswith(".py"):
            return self._of_file(path)
        call = parse_call(text)
        if call.name == HumanPlayer.kind:
            raise PlayerError(gettext("a person cannot take part: nobody would sit through it"))
        if call.name in KINDS or self._brings(call):
            return [Contestant(text, str(self._player(call)))]
        if call.name.rpartition("/")[0] and not call.name.rpartition(":")[1]:
            self._check_named(call)
        player = self._with_heuristic(call)
        return [Contestant(str(call), str(player))]

    def _of_folder_file(self, path: Path) -> list[Contestant]:
        """One bad file in a folder of many does not stop the others."""
        try:
            return self._of_file(path)
        except HeuristicError as error:
            self.left_out.append(gettext("left out: {error}").format(error=error))
            return []

    def _of_file(self, path: Path) -> list[Contestant]:
        cls = type(self.game.start_state())
        name = os.path.relpath(path, self.folder)
        found = [heuristic for heuristic in load_file(path).values() if cls in heuristic.classes]
        if not found:
            raise HeuristicError(
                gettext("{name} holds no heuristics for {title}").format(name=name, title=gettext(self.game.title))
            )
        for heuristic in found:
            heuristic.native(cls)  # so that what cannot be compiled is known now
        return [c for h in found for c in self.enlist(f"{name}:{h.name}")]

    def _brings(self, call: Call) -> bool:
        name = call.name.removeprefix(f"{self.game.name}/")
        return name in named_players(self.game)

    def _check_named(self, call: Call) -> None:
        game = call.name.rpartition("/")[0]
        if game != self.game.name:
            raise PlayerError(
                gettext("{name} is of {game}, and this is a tournament of {title}").format(
                    name=call.name, game=game, title=gettext(self.game.title)
                )
            )

    def _with_heuristic(self, call: Call) -> Player:
        try:
            find_heuristic(_placed(call, self.folder), self.game)
        except HeuristicError as error:
            if ":" in call.name or call.options:
                raise
            known = [*KINDS, *named_players(self.game)]
            raise PlayerError(
                gettext("{error}; and there is no player {name!r} (there are {known})").format(
                    error=error, name=call.name, known=", ".join(known)
                )
            ) from None
        heuristic: Value = call if call.options else call.name
        return self._player(Call(self.search.name, {"heuristic": heuristic, **self.search.options}))

    def _player(self, call: Call) -> Player:
        """The player of a text, with the common budget where it names none of its own."""
        cls = KINDS.get(call.name)
        if cls is None:
            return find_player(str(call), self.game)
        known = [option.name for option in dataclasses.fields(cls)]
        given = {known[k] if isinstance(k, int) and k < len(known) else k for k in call.options}
        has_budget = bool(given & {"depth", "nodes", "seconds"})
        options = dict(call.options)
        for name, value in self.budget.items():
            # With a budget of its own, only the clock is everyone's.
            if name in known and name not in given and (name == "seconds" or not has_budget):
                options[name] = value
        return find_player(str(Call(call.name, options)), self.game)


def _placed(call: Call, folder: Path) -> Heuristic | Call:
    """A heuristic of a file next to the tournament's, or the call as it is."""
    file = call.name.rpartition(":")[0]
    if not file.endswith(".py"):
        return call
    return _pick(load_file(folder / file), call)


def _pick(known: Mapping[str, Heuristic], call: Call) -> Heuristic:
    """The heuristic of `file.py:name(weight=...)` among those of the file."""
    file, _, name = call.name.rpartition(":")
    return weighted(pick_heuristic(known, name, file).labelled(call.name), call)


# ------------------------------------------------------------------------------------------ sources that travel


def _file_calls(value: Any) -> Iterator[Call]:
    """The calls `file.py:name` in a call, however deep."""
    if isinstance(value, str) and ".py:" in value:
        try:
            value = parse_call(value)
        except ZermeloError:  # a command or a path, then
            return
    if isinstance(value, Call):
        if value.name.rpartition(":")[0].endswith(".py"):
            yield value
        for inner in value.options.values():
            yield from _file_calls(inner)


def gather_sources(players: list[str], folder: Path) -> dict[str, dict[str, str]]:
    """The texts of all files that these players name."""
    files = {call.name.rpartition(":")[0] for text in players for call in _file_calls(text)}
    return {file: _with_neighbours(folder / file) for file in sorted(files)}


def _with_neighbours(path: Path) -> dict[str, str]:
    """A file and those beside it that it imports, directly or not."""
    found: dict[str, str] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        file = path.parent / name
        if name in found or not os.path.isfile(file):
            continue
        try:
            found[name] = file.read_text(encoding="utf-8")
            tree = ast.parse(found[name])
        except (OSError, ValueError, SyntaxError, RecursionError) as error:
            raise FileError(gettext("{file}: cannot be read: {error}").format(file=file, error=error)) from None
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                waiting += [f"{alias.name.split('.')[0]}.py" for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting.append(f"{node.module.split('.')[0]}.py")
    if path.name not in found:
        raise FileError(gettext("there is no file {path}").format(path=path))
    return dict(sorted(found.items()))


_loading = threading.Lock()


def load_source(files: Mapping[str, str], name: str) -> dict[str, Heuristic]:
    """The heuristics of a file that came as text. It is written out once, to a folder named by all its contents."""
    with _loading:
        return _load_source(tuple(files.items()), name)


@functools.lru_cache(maxsize=256)
def _load_source(files: tuple[tuple[str, str], ...], name: str) -> dict[str, Heuristic]:
    return load_file(_written_out(files) / name)


def _written_out(files: tuple[tuple[str, str], ...]) -> Path:
    digest = hashlib.sha256(repr(files).encode()).hexdigest()[:20]
    folder = (cache_folder() / "sources" / digest).resolve()
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:  # a cache that cannot be written
        temporary = folder = Path(tempfile.mkdtemp())
    for name, text in files:
        (temporary / name).write_text(text, encoding="utf-8")
    try:
        if temporary != folder:
            temporary.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def make_player(text: str, game: Game, sources: Sources) -> Player:
    """The player of a text, its files taken from the sources that travel with the tournament."""
    player = find_player(text, game)
    changed: dict[str, Heuristic] = {}
    for option in dataclasses.fields(player):
        if option.type == HeuristicChoice:
            for call in _file_calls(getattr(player, option.name)):
                file = call.name.rpartition(":")[0]
                if file in sources:
                    changed[option.name] = _pick(load_source(sources[file], Path(file).name), call)
    return dataclasses.replace(player, **changed) if changed else player
