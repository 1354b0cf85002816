"""The contestants: players, heuristics that share a common search, and whole files or folders of heuristics.

A user's files travel with the tournament as source text, so every machine plays the files as they were when the
tournament began. They are never loaded in this process; each is loaded in a process of its own (see guest.py).
"""

import dataclasses
import functools
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from zermelo.calls import Call, Value, call_of
from zermelo.core import Heuristic
from zermelo.core.contents import is_named
from zermelo.core.threads import in_order
from zermelo.errors import FileError, HeuristicError, PlayerError
from zermelo.evaluation.weight_files import read_weights
from zermelo.files.neighbours import with_neighbours
from zermelo.games import HeuristicLike, find_heuristic, load_file, pick_heuristic, weighted
from zermelo.language import Message, gettext
from zermelo.pieces.sources import file_calls, files_of, written_out
from zermelo.players import KINDS, ClassPlayer, HumanPlayer, OwnSearchPlayer, Player, find_player, named_players
from zermelo.players.classes import class_options
from zermelo.players.own import own_options, pick_search, searches_in
from zermelo.position import Game
from zermelo.processes.sandbox import SandboxLimits
from zermelo.searches.own.search import OwnSearch
from zermelo.tournaments.guests import Sources, check_player, enlisted
from zermelo.tournaments.referee import LOAD_LIMIT


@dataclass(frozen=True)
class Contestant:
    """A player, and the name under which it appears in the tables."""

    name: str
    player: str


@dataclass(frozen=True)
class Entry:
    """How heuristics become players: the search they use, the common budget, and the folder where files are found."""

    game: Game
    search: Call = dataclasses.field(default_factory=lambda: Call("alphabeta"))
    budget: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    folder: Path = Path()
    load_limit: float = LOAD_LIMIT  # seconds allowed for loading and compiling a file
    left_out: list[str] = dataclasses.field(default_factory=list)  # why files in a folder cannot be used
    titles: dict[str, str] = dataclasses.field(default_factory=dict)  # what players (as texts) call themselves
    sandbox: SandboxLimits | None = None  # of the processes in which files are tried; None: they run with our rights

    def enlist(self, text: str) -> list[Contestant]:
        """The contestants that a text stands for: a single one, or all those in a file or folder."""
        path = self.folder / text
        if os.path.isdir(path):  # (Path.is_dir raises an error if the text is too long for a name)
            found = self._of_folder(path)
            if not found:
                told = gettext("the folder {path} contains no heuristics for {title}").format(
                    path=path, title=gettext(self.game.title)
                )
                raise PlayerError("\n".join([told, *self.left_out]))
            return found
        if text.endswith(".py") and os.path.isfile(path):
            return self._of_file(path)
        call = self._unfolded(call_of(text))
        if call.name == HumanPlayer.kind:
            raise PlayerError("a human player cannot take part in a tournament")
        if is_named(call.name, "search", folder=self.folder):
            player = self._own_search(call)
        elif is_named(call.name, "player", folder=self.folder):
            player = self._class(call)
        elif call.name in KINDS or self._brings(call):
            player = self._player(call).full_text
        else:
            if call.name.rpartition("/")[0] and not call.name.rpartition(":")[1]:
                self._check_named(call)
            player = str(self._with_heuristic(call))
        self._check_files(player)
        name = text if call.name in KINDS or self._brings(call) else str(call) if call.options else call.name
        return [Contestant(name, player)]

    def _unfolded(self, call: Call) -> Call:
        """The call, in which `tuned.json` is replaced by the heuristic it names if that heuristic comes from a file."""
        if call.name.endswith(".json"):
            read = read_weights(self.folder / os.path.expanduser(call.name))
            if ".py:" in read.heuristic:
                named = call_of(read.heuristic)
                return Call(named.name, named.options | read.weights | call.options)
        options = {
            key: self._unfolded(call_of(value))
            if isinstance(value, Call) or (isinstance(value, str) and value.endswith(".json"))
            else value
            for key, value in call.options.items()
        }
        return Call(call.name, options)

    def _check_files(self, player: str) -> None:
        """Check in a separate process whether the files that a player names can be used."""
        sources = gather_sources([player], self.folder, follow=self.sandbox is None)
        if sources:
            self.left_out.extend(check_player(player, sources, str(self.game), self.load_limit, self.sandbox))

    def _of_folder(self, path: Path) -> list[Contestant]:
        """All heuristics of the files in a folder and in the folders directly inside it, perhaps one for each student.

        A bad file does not stop the others. Several files are tried at a time.
        """
        inner = sorted(folder for folder in path.glob("[!_.]*") if folder.is_dir())
        files = sorted(path.glob("[!_.]*.py")) + [f for folder in inner for f in sorted(folder.glob("[!_.]*.py"))]
        for folder in inner:
            if not any(file.parent == folder for file in files):
                name = os.path.relpath(folder, self.folder)
                self.left_out.append(gettext("left out: {name}: the folder contains no Python file").format(name=name))
        contestants = []
        for heard in in_order(self._heard, files):
            self.left_out.extend(heard.said)
            contestants += self._of_heard(heard)
        return _told_apart(contestants)

    def _of_file(self, path: Path) -> list[Contestant]:
        heard = self._heard(path)
        if not (heard.names or heard.searches or heard.players):
            raise HeuristicError("\n".join(heard.said))
        self.left_out.extend(heard.said)
        return self._of_heard(heard)

    def _heard(self, path: Path) -> "_Heard":
        """Find out in a separate process what a file holds."""
        name = os.path.relpath(path, self.folder)
        try:
            texts = with_neighbours(path, follow=self.sandbox is None)
            return _Heard(name, *enlisted(name, texts, str(self.game), self.load_limit, self.sandbox))
        except (HeuristicError, FileError) as error:
            return _Heard(name, [], [], [], [], [gettext("left out: {error}").format(error=error)])

    def _of_heard(self, heard: "_Heard") -> list[Contestant]:
        """The contestants in a file: one for each of its heuristics, its searches and its classes of players."""
        searches = [Call(f"{heard.file}:{name}") for name in heard.searches]
        players = [Call(f"{heard.file}:{name}") for name in heard.players]
        return [
            *(self._heuristic_of(heard.file, *named) for named in zip(heard.names, heard.titles, strict=True)),
            *(Contestant(call.name, self._own_search(call)) for call in searches),
            *(Contestant(call.name, self._class(call)) for call in players),
        ]

    def player_text(self, kind: str, call: Call) -> str:
        """The player that something in a file makes, `mine.py:name`: a heuristic, a search or a class of players."""
        if kind == "heuristic":
            return str(self._with_heuristic(call))
        return self._own_search(call) if kind == "search" else self._class(call)

    def _own_search(self, call: Call) -> str:
        """The player that a search in a file makes. Elsewhere the file may have another path, so the text says all."""
        options: dict[str | int, Value] = dict(own_options(call).items())
        return self._player(Call(OwnSearchPlayer.kind, options)).full_text

    def _class(self, call: Call) -> str:
        """The player that a class in a file makes, likewise."""
        options: dict[str | int, Value] = dict(class_options(call).items())
        return self._player(Call(ClassPlayer.kind, options)).full_text

    def _heuristic_of(self, file: str, name: str, title: str) -> Contestant:
        call = Call(f"{file}:{name}")
        player = str(self._with_heuristic(call))
        self.titles[player] = title
        return Contestant(call.name, player)

    def player_of(self, value: Player | HeuristicLike) -> tuple[Player, str]:
        """A player or heuristic that was given in Python: the player, and the name under which it appears."""
        if isinstance(value, Player):
            return value, str(value)
        heuristic = find_heuristic(value, self.game)
        return self._player(self.search).with_heuristics({"heuristic": heuristic}), str(heuristic)

    def _brings(self, call: Call) -> bool:
        name = call.name.removeprefix(f"{self.game.name}/")
        return name in named_players(self.game)

    def _check_named(self, call: Call) -> None:
        game = call.name.rpartition("/")[0]
        if game != self.game.name:
            raise PlayerError(
                "{name} belongs to {game}, but this is a tournament of {title}",
                name=call.name,
                game=game,
                title=Message(self.game.title),
            )

    def _with_heuristic(self, call: Call) -> Player:
        if not any(file_calls(call)):
            self._check_known(call)
        heuristic: Value = call if call.options else call.name
        return self._player(Call(self.search.name, {"heuristic": heuristic, **self.search.options}))

    def _check_known(self, call: Call) -> None:
        try:
            find_heuristic(call, self.game)
        except HeuristicError as error:
            if ":" in call.name or call.options:
                raise
            known = [*KINDS, *named_players(self.game)]
            raise PlayerError(
                "{error}; there is no player {name!r} either (the players are {known})",
                error=error,
                name=call.name,
                known=", ".join(known),
            ) from None

    def _player(self, call: Call) -> Player:
        """The player that a call describes, with the common budget unless the call sets its own."""
        cls = KINDS.get(call.name)
        if cls is None:
            return find_player(str(call), self.game)
        known = cls.options()
        given = {known[k] if isinstance(k, int) and k < len(known) else k for k in call.options}
        has_budget = bool(given & {"depth", "nodes", "seconds"})
        options = dict(call.options)
        for name, value in self.budget.items():
            # A player with its own budget takes only the time limit from the common one.
            if name in known and name not in given and (name == "seconds" or not has_budget):
                options[name] = value
        return find_player(str(Call(call.name, options)), self.game)


class _Heard(NamedTuple):
    """What a process found in a file."""

    file: str
    names: list[str]  # the names of its heuristics
    titles: list[str]  # what they call themselves, in the same order; empty for most
    searches: list[str]
    players: list[str]
    said: list[str]  # why it is left out, or what users should know about it


_MOODLE = re.compile(r"_\d+_assignsubmission_\w+(?=/)")


def _told_apart(contestants: list[Contestant]) -> list[Contestant]:
    """Shorten the folder names that Moodle makes to the student's name, unless two students have the same name."""
    short = [_MOODLE.sub("", contestant.name) for contestant in contestants]
    return [
        Contestant(name if short.count(name) == 1 else contestant.name, contestant.player)
        for name, contestant in zip(short, contestants, strict=True)
    ]


def _pick(known: Mapping[str, Heuristic], call: Call, text: str) -> Heuristic:
    """The heuristic that `file.py:name(weight=...)` names, chosen from those of the file, which has this text."""
    file, _, name = call.name.rpartition(":")
    return weighted(pick_heuristic(known, name, file, text).labelled(str(Call(call.name))), call)


# ------------------------------------------------------------------------------------------ sources that travel


def is_class(player: str) -> bool:
    """Is a contestant's player a class in a file? Then its process holds an object for each game."""
    return player.startswith(f"{ClassPlayer.kind}(")


def parts_of(player: Player) -> list[Heuristic | OwnSearch]:
    """The heuristics of a player that was made with files, and its search."""
    heuristics = [one for one in player.heuristics.values() if isinstance(one, Heuristic)]
    own = [player.own_search] if isinstance(player, OwnSearchPlayer) else []
    return [*own, *dict.fromkeys(heuristics)]


def gather_sources(players: list[str], folder: Path, follow: bool = True) -> dict[str, dict[str, str]]:
    """The texts of all files that these players name. follow: also if they are links."""
    files = {file for text in players for file in files_of(text)}
    return {file: with_neighbours(folder / file, follow) for file in sorted(files)}


_loading = threading.Lock()


def load_source(files: Mapping[str, str], name: str) -> dict[str, Heuristic]:
    """The heuristics of a file that came as text. It is written once, to a folder named after all its contents."""
    with _loading:
        return _load_source(tuple(files.items()), name)


@functools.lru_cache(maxsize=256)
def _load_source(files: tuple[tuple[str, str], ...], name: str) -> dict[str, Heuristic]:
    return load_file(written_folder(dict(files)) / name)


def written_folder(files: Mapping[str, str]) -> Path:
    """The folder that holds a file that came as text, together with its neighbours."""
    return written_out({name: text.encode() for name, text in files.items()})


def make_player(text: str, game: Game, sources: Sources) -> Player:
    """The player that a text describes. Its files are taken from the sources that travel with the tournament."""
    player = find_player(text, game)
    changed: dict[str, Heuristic] = {}
    for option, heuristic in player.heuristics.items():
        for call in file_calls(heuristic):
            file = call.name.rpartition(":")[0]
            if file in sources:
                heuristics = load_source(sources[file], Path(file).name)
                changed[option] = _pick(heuristics, call, sources[file].get(Path(file).name, ""))
    player = player.with_heuristics(changed)
    if isinstance(player, OwnSearchPlayer) and not isinstance(player.function, OwnSearch):
        for call in file_calls(player.function):
            file = call.name.rpartition(":")[0]
            if file in sources:
                known = searches_in(written_folder(sources[file]) / Path(file).name)
                return player.with_function(pick_search(known, call))
    return player
