"""The catalogue: every folder here is a game, and so is every package that offers one under `zermelo.games`."""

import functools
import inspect
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo.calls import Call, call_of, leading_call, named_options, text_of
from zermelo.core import Heuristic, class_of, heuristic
from zermelo.core.contents import RECOGNISERS, names_in
from zermelo.core.explanations import loading_failure
from zermelo.core.fallback import provide_trials
from zermelo.core.parts import part_of
from zermelo.core.worlds import loaded, source_of
from zermelo.errors import FileError, GameError, HeuristicError, PositionError
from zermelo.evaluation.models import heuristic_in
from zermelo.evaluation.tables import has_table
from zermelo.evaluation.weight_files import check_weights, read_weights
from zermelo.files.arrays import about_of
from zermelo.files.trust import check_trust, digest_of, remember
from zermelo.game_files import game_in_file, is_game_file
from zermelo.games.catalogue import (
    annotation_names,
    annotations,
    broken_games,
    find_annotation,
    game_names,
    game_of_states,
    packages,
)
from zermelo.games.handed_in import heuristics_of
from zermelo.games.trials import trial_of
from zermelo.language import Message, gettext
from zermelo.position import Game, Position

__all__ = [
    "GameLike",
    "HeuristicLike",
    "PositionLike",
    "annotation_names",
    "annotations",
    "broken_games",
    "catalogue_game",
    "find_annotation",
    "find_game",
    "find_heuristic",
    "find_position",
    "first_game",
    "game_names",
    "game_of_states",
    "load_file",
    "load_model",
    "load_module",
    "load_weights",
    "read_game",
    "stored_game",
    "table_game",
]

provide_trials(trial_of)


GameLike = str | Call | Game | Position
"""What users may give for a game: its name, with options or without, the game itself, or one of its positions."""
PositionLike = str | Game | Position
"""What users may give for a position: it, the game that begins there, or a text with both, `connect4 324443`."""
HeuristicLike = str | Call | Heuristic | Callable[..., float]
"""What users may give for a heuristic: its name, it itself, or a function whose first parameter has its type."""

_made_elsewhere: dict[str, Game] = {}
"""Games that are not in the catalogue but were given as objects: in this process, their texts name them, too."""


def find_game(text: GameLike, /, **options: Any) -> Game:
    """The game of this name, with its options: `find_game("hex", size=5)`, or as text, `hex(size=5)`.

    A game, or a position of it, may also be given instead of the name. The name may also be that of a file that holds a
    game: `find_game("breakthrough.py")`. The file runs as code.
    """
    if isinstance(text, Position):
        text = text.game
    if isinstance(text, Game):
        if text.name.partition("/")[0] not in packages() and not is_game_file(text.name):
            _made_elsewhere[str(text)] = text
        if not options:
            return text
        text = str(text)
    if not isinstance(text, (str, Call)):
        raise GameError("{value!r} is not a game; write its name, such as 'connect4'", value=text)
    call = call_of(text)
    if is_game_file(call.name):
        named_options(Call(call.name, call.options | dict(options.items())), (), GameError)
        remember(_digest_of_file(call.name))
        return game_in_file(call.name)
    return catalogue_game(call, **options)


def stored_game(text: str, where: str) -> Game:
    """The game that a file names, such as a record or a model; where: that file.

    If it is a game in a Python file that the user has never named on this machine, UntrustedError says what would run.
    """
    name = call_of(text).name
    if is_game_file(name):
        check_trust(where, [gettext("the file {file} on this machine").format(file=name)], _digest_of_file(name))
    return find_game(text)


def _digest_of_file(name: str) -> str:
    """The digest by which it is remembered that the user has named this file."""
    return digest_of("game", os.path.realpath(os.path.expanduser(name)))


def catalogue_game(text: str | Call, /, **options: Any) -> Game:
    """The game of this name in the catalogue, with its options. Unlike find_game, it never runs another file."""
    call = call_of(text)
    if not options and str(call) in _made_elsewhere:
        return _made_elsewhere[str(call)]
    name, _, variant = call.name.partition("/")
    package = packages().get(name)
    if package is None or (variant and variant not in package.variants):
        raise GameError(
            "there is no game {name!r}; the games are {games}", name=call.name, games=", ".join(game_names())
        )
    given = named_options(Call(name, call.options | dict(options.items())), package.options, GameError)
    return package.make(**given, **({"variant": variant} if variant else {}))


def first_game(fits: Callable[[Game], bool]) -> Game | None:
    """The first game of the catalogue that fits, for commands and pages without a given game; ours come first."""
    ours_first = sorted(game_names(), key=lambda name: bool(packages()[name.partition("/")[0]].origin))
    return next((game for game in map(find_game, ours_first) if fits(game)), None)


def read_game(text: str, folder: Path | None = None) -> Game:
    """The game of this text, which may also be the path of a file with a game; relative paths begin at folder."""
    if folder is not None and is_game_file(call_of(text).name):
        return find_game(str(Call(str((folder / os.path.expanduser(call_of(text).name)).resolve()))))
    if re.search(r"\.\w+$", text):
        for name in dict.fromkeys(known.partition("/")[0] for known in game_names()):
            if text.endswith(tuple(getattr(packages()[name].module.game, "file_endings", ()))):
                return packages()[name].make(file=text if folder is None else str(folder / text))
    return find_game(text)


def find_position(value: PositionLike) -> Position:
    """The position that a value stands for.

    It may be a position, a game, which stands for its start, or a text with the name of a game and perhaps a position:
    `connect4`, `hex(size=5) a1 b2`.
    """
    if isinstance(value, Position):
        return value
    if isinstance(value, Game):
        return find_game(value).start()
    if not isinstance(value, str):
        raise PositionError(
            "{value!r} is not a position; write a position, a game, or a text such as 'connect4 324443'", value=value
        )
    call, position = leading_call(value)
    return read_game(str(call)).position(position)


# ------------------------------------------------------------------------------------------ heuristics by name


@functools.lru_cache(maxsize=1024)
def _of_function(function: Callable[..., float]) -> Heuristic:
    """The heuristic that a function makes; the same function always makes the same heuristic."""
    return heuristic(function)


def find_heuristic(text: HeuristicLike, game: Game | None = None) -> Heuristic:
    """The heuristic of this name: `lines2` of the game at hand, `connect4/lines2`, `mine.py:corners`, or a
    file of learned or tuned weights: `mine.npz`, `tuned.json`.

    Weights may follow: `lines2(two=5)`. A function whose first parameter is annotated with a game is a heuristic, too.
    """
    if isinstance(text, Heuristic):
        return text
    if inspect.isfunction(text):
        return _of_function(text)
    if not isinstance(text, (str, Call)):
        raise HeuristicError(
            "{value!r} is not a heuristic; write its name, such as 'connect4/lines2', or a function", value=text
        )
    call = call_of(text)
    file, colon, inside = call.name.rpartition(":")
    if colon and file.endswith(".py"):
        heuristics, text = load_file(Path(file)), source_of(str(_found(Path(file)))) or ""
        found = pick_heuristic(heuristics, inside, file, text).labelled(str(Call(call.name)))
    elif call.name.endswith(".npz"):
        found = load_model(Path(call.name)).labelled(str(Call(call.name)))
    elif call.name.endswith(".json"):
        found = load_weights(Path(call.name), game).labelled(str(Call(call.name)))
    else:
        game_name, _, name = call.name.rpartition("/")
        if game_name and (game is None or game.name != game_name):
            game = find_game(game_name)
        if game is None:
            raise HeuristicError(
                "{name!r} does not say which game it belongs to; write the game first, as in connect4/lines2",
                name=call.name,
            )
        found = pick_heuristic(game.heuristics, name, gettext(game.title))
    return weighted(found, call)


def weighted(found: Heuristic, call: Call) -> Heuristic:
    """The heuristic with the weights that its call gives."""
    weights: dict[str, float] = {}
    names = list(found.weights)
    for key, value in call.options.items():
        name = names[key] if isinstance(key, int) and key < len(names) else str(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise HeuristicError(
                "{call}: weight {key}={value} is not a number", call=call, key=name, value=text_of(value)
            )
        weights[name] = value
    return found.with_weights(**weights) if weights else found


def pick_heuristic(known: Mapping[str, Heuristic], name: str, where: str, text: str = "") -> Heuristic:
    """One of these heuristics, by name; where says in errors what contains them, and text is that of a file."""
    if name not in known:
        others = [(other, kind) for kind in RECOGNISERS for other in names_in(text, kind)]
        if others:
            raise nothing_called(name, where, [*((one, "heuristic") for one in known), *others])
        raise HeuristicError(
            "{where} has no heuristic {name!r}; it has {known}",
            where=where,
            name=name,
            known=", ".join(known) or gettext("none"),
        )
    return known[name]


def nothing_called(name: str, where: str, known: Sequence[tuple[str, str]]) -> HeuristicError:
    """The error for a name that a file does not have, or that is something else there; known: names and kinds."""
    kind = dict(known).get(name)
    if kind == "search":
        return HeuristicError("{where}:{name} is a search, not a heuristic", where=where, name=name)
    if kind == "player":
        return HeuristicError("{where}:{name} is a player, not a heuristic", where=where, name=name)
    names = ", ".join(one for one, _ in known)
    if {kind for _, kind in known} == {"heuristic"}:
        return HeuristicError("{where} has no heuristic {name!r}; it has {known}", where=where, name=name, known=names)
    names = ", ".join(f"{one} ({gettext(kind)})" for one, kind in known)
    return HeuristicError("{where} has nothing called {name!r}; it has {known}", where=where, name=name, known=names)


def _found(path: Path) -> Path:
    """The full path of a file that exists."""
    whole = os.path.expanduser(path)  # (Path.expanduser raises errors of its own)
    if not os.path.isfile(whole):
        raise HeuristicError("there is no file {path}", path=path)
    return Path(whole).resolve()


def load_file(path: Path) -> dict[str, Heuristic]:
    """The heuristics written in a Python file, by name; also those that were handed in for a course (homework.py).

    The file is run in a world of its own (see core/worlds.py), and again when it or a file that it imports from its
    own folder has changed.
    """
    module = load_module(path)
    found = [value for value in vars(module).values() if isinstance(value, Heuristic)]
    own = {value.name: value for value in found if value.__module__ == module.__name__}
    return own | heuristics_of(module)


def load_module(path: Path) -> types.ModuleType:
    """The module in a user's file; an error in it is reported with its line."""
    path = _found(path)
    try:
        return loaded(path)
    except Exception as error:
        raise HeuristicError(loading_failure(error, path)) from None


def load_model(path: Path) -> Heuristic:
    """The table or model in a file, as a heuristic; read again when the file has changed."""
    path = _found(path)
    status = path.stat()
    return _load_model(path, (status.st_mtime_ns, status.st_size, status.st_ino))


@functools.lru_cache(maxsize=64)
def _load_model(path: Path, version: tuple[int, ...]) -> Heuristic:
    about = about_of(path)
    game = stored_game(str(about["game"]), str(path))
    found = heuristic_in(path, type(game).__module__, class_of(game.start_state()), path.stem)
    if found is None:
        raise HeuristicError(
            "{path}: {game} has no patterns for its board, so no table can evaluate it", path=path, game=game
        )
    return found


def load_weights(path: Path, game: Game | None = None, trust: bool = False) -> Heuristic:
    """The heuristic that a file of tuned weights names, with those weights.

    The file may name a function in a Python file. If the weights were not written on this machine, that function runs
    only with trust.
    """
    read = read_weights(Path(os.path.expanduser(path)))
    check_weights(read, str(path), trust)
    _check_chain(path, read.heuristic)
    found = find_heuristic(read.heuristic, game)
    try:
        return found.with_weights(**read.weights).renamed(path.stem)
    except HeuristicError as error:
        raise HeuristicError(f"{path}: {error}") from None


def _check_chain(path: Path, named: str) -> None:
    """Weights may name weights that name a heuristic, but not each other."""
    seen = {str(path)}
    while named.endswith(".json"):
        if named in seen:
            raise FileError("{path}: these weights files refer to each other in a circle", path=path)
        seen.add(named)
        named = read_weights(Path(os.path.expanduser(named))).heuristic


def table_game(text: str) -> Game:
    """The game of this text, if its positions can be described by the entries of a table."""
    game = find_game(text)
    package = type(game).__module__
    if part_of(package, "patterns") is None:
        raise GameError("{title} has no patterns, so no table can be learned for it", title=Message(game.title))
    if not has_table(game.start_state()):
        raise GameError("{game} has no patterns for its board, so no table can be learned for it", game=game)
    return game


class _Catalogue(types.ModuleType):
    """Lets `z.games()`, the version 0.1 name of `z.catalogue()`, work until version 0.3."""

    def __call__(self) -> list[str]:
        warnings.warn(
            "z.games() is now z.catalogue(); the old name goes in version 0.3", DeprecationWarning, stacklevel=2
        )
        return game_names()


sys.modules[__name__].__class__ = _Catalogue
