"""Finding the game in a file, and making it ready to be played."""

import os
import re
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.core import Heuristic, heuristic
from zermelo.core.explanations import loading_failure
from zermelo.core.state import let_annotations_mean
from zermelo.core.worlds import has_rules, loaded
from zermelo.errors import GameError
from zermelo.game_files import generic_rules
from zermelo.game_files.class_rules import looks_like_rules, rules_of
from zermelo.game_files.drawing import PLAYERS
from zermelo.game_files.game import ClassGame, FileGame, GenericGame, complete
from zermelo.game_files.notation import ClassNotation, GenericNotation
from zermelo.game_files.shells import men, nothing
from zermelo.language import gettext
from zermelo.position import Game

_lock = threading.RLock()
_NOWHERE = ModuleType("nowhere")
_FILE = re.compile(r".+\.py(?::\w+)?", re.DOTALL)


def is_game_file(text: str) -> bool:
    """Is this the path of a Python file, or `file.py:Name`, the name of one of several games in it?"""
    return _FILE.fullmatch(text) is not None


def game_in_file(text: str, name: str | None = None) -> Game:
    """The game in a file: `breakthrough.py`, or `games.py:Breakthrough` if the file has several.

    name: what the game is called in texts, if not by its file.

    The file is read again when it, or a file that it imports from its folder, has changed.
    """
    file, _colon, wanted = text.rpartition(":") if not text.endswith(".py") else (text, "", "")
    path = os.path.expanduser(file)
    if not os.path.isfile(path):
        raise GameError("there is no file {path}, so the game in it cannot be played", path=file)
    with _lock:
        module = _module(Path(path).resolve())
        made = vars(module).setdefault("__zermelo_games__", {})
        name = name or text
        if name not in made:
            made[name] = _made(module, name, wanted)
        found = made[name]
        assert isinstance(found, type) and issubclass(found, Game)
        return found()


def _module(path: Path) -> ModuleType:
    try:
        return loaded(path)
    except Exception as error:
        raise GameError(loading_failure(error, path)) from None


def holds_game(path: Path) -> bool:
    """Does this file seem to hold a game? It is not run."""
    return has_rules(path)


def games_in(path: Path) -> list[str]:
    """The names of the games in a file. What is outside their rules runs."""
    return list(_candidates(_module(path.resolve()))[0])


def game_of_class(cls: type) -> Game | None:
    """The game of a class of states, if it comes from a file."""
    module = sys.modules.get(cls.__module__)
    if module is None or "__zermelo_world__" not in vars(module):
        return None
    for made in vars(module).get("__zermelo_games__", {}).values():
        if type(made().start_state()) is cls:
            found: Game = made()
            return found
    names = [name for name, value in vars(module).items() if looks_like_rules(value) and rules_of(value).state is cls]
    wanted = names or [cls.__name__]
    return game_in_file(f"{module.__file__}:{wanted[0]}") if is_game_file(str(module.__file__)) else None


def _board_meant(annotation: Any) -> Any:
    """The class of boards that a class of rules stands for in an annotation; None for other annotations."""
    if "__zermelo_world__" not in vars(sys.modules.get(getattr(annotation, "__module__", ""), _NOWHERE)):
        return None
    return rules_of(annotation).board if looks_like_rules(annotation) else None


let_annotations_mean(_board_meant)


def _candidates(module: ModuleType) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What may be games in a module, by name; those among them that are subclasses of Game, and classes of rules."""
    own = {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    games = {name: value for name, value in own.items() if isinstance(value, type) and issubclass(value, Game)}
    classes = {value.__name__: value for value in own.values() if looks_like_rules(value)}
    states = {value.__name__: value for value in own.values() if generic_rules.looks_like_state(value)}
    return games or (classes | states), games, classes


def _made(module: ModuleType, text: str, wanted: str) -> type[Game]:
    """The class of the game in a module."""
    found, games, classes = _candidates(module)
    if wanted:
        found = {name: value for name, value in found.items() if name == wanted}
    if not found:
        raise GameError(
            "{file} has no game{wanted}; write a class with the methods start, moves, play and winner",
            file=module.__file__,
            wanted=f" {wanted}" if wanted else "",
        )
    if len(found) > 1:
        raise GameError(
            "{file} has several games: {names}; write {file}:{first}",
            file=module.__file__,
            names=", ".join(found),
            first=next(iter(found)),
        )
    cls = next(iter(found.values()))
    if cls in games.values():
        return type(cls.__name__, (cls,), {"name": text, "__module__": module.__name__, "__doc__": cls.__doc__})
    return _class_game(module, cls, text) if cls in classes.values() else _generic_game(module, cls, text)


def _title(name: str) -> str:
    """`ConnectFive` as two words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def _told(module: ModuleType, cls: type, text: str, told: dict[str, Any]) -> dict[str, Any]:
    """What every game made here says of itself; told: what its author says."""
    own = [value for value in vars(module).values() if isinstance(value, Heuristic)]
    known = {value.name: value for value in own if value.__module__ == module.__name__}
    title = _title(cls.__name__)
    return {
        "name": text,
        "title": str(told.get("title", title)),
        "players": tuple(told.get("players", Game.players)),
        "own_heuristics": known,
        "default_heuristic": told.get("default_heuristic", next(iter(known), "")),
        "shown_plies": 4,
        "__module__": module.__name__,
        "__doc__": told.get("__doc__") or title,
    }


def _class_game(module: ModuleType, cls: type, text: str) -> type[FileGame]:
    rules = rules_of(cls)
    complete(rules)
    writing = ClassNotation(rules)
    rules.move_text = writing.move_text
    told = {
        name: getattr(rules.instance, name) for name in ("title", "players", "default_heuristic") if hasattr(cls, name)
    }
    told = {"players": PLAYERS} | told | {"__doc__": cls.__doc__}
    body = _told(module, cls, text, told)
    if not body["own_heuristics"]:
        body |= {"own_heuristics": {"men": heuristic(men, of=rules.state)}, "default_heuristic": "men"}
    body |= {"rules": rules, "writing": writing, "notes": rules.notes}
    body |= {"moves_stand_alone": not hasattr(rules.instance, "move_text")}
    return type(f"{cls.__name__}Game", (ClassGame,), body)


def _generic_game(module: ModuleType, cls: Any, text: str) -> type[FileGame]:
    generic_rules.check_answers(module, cls)
    rules = generic_rules.PlainRules(module, cls)
    try:
        first = module.start() if hasattr(module, "start") else cls()
    except TypeError as error:
        told = gettext("the first state is not known: give every field a default, or write def start()")
        raise GameError(f"{generic_rules.heading(module, cls)}\n    {told} ({error})") from None
    generic_rules.try_out(rules, first)
    notes = generic_rules.complete(rules, first)
    said = {name: getattr(module, name) for name in ("title", "players", "default_heuristic") if hasattr(module, name)}
    body = _told(module, cls, text, said | {"__doc__": cls.__doc__ or module.__doc__})
    if not body["own_heuristics"]:
        body |= {"own_heuristics": {"nothing": heuristic(nothing, of=cls)}, "default_heuristic": "nothing"}
    body |= {"first": first, "plain": rules, "writing": GenericNotation(module, cls), "notes": notes}
    return type(f"{cls.__name__}Game", (GenericGame,), body)
