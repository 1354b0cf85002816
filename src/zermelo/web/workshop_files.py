"""The files of the workshop, in which users write heuristics, searches and players. Nothing here runs them."""

import ast
import importlib
import re
import typing
from pathlib import Path

from zermelo.core.contents import names_in
from zermelo.errors import HeuristicError
from zermelo.games.handed_in import styles_in
from zermelo.homework import HeuristicStyle
from zermelo.position import Game
from zermelo.web.settings import Settings

FILE_NAME = re.compile(r"[a-z_][a-z0-9_]{0,39}\.py")
WORKSHOP_NAME = re.compile(r"([a-z_][a-z0-9_]{0,39}\.py):([A-Za-z_]\w{0,59})")
"""The name of something in a file of the workshop, such as `mine.py:middle`."""

MOST_TEXT = 100_000
MOST_FILES = 200


def file_path(settings: Settings, name: str) -> Path:
    """The path of a file of the workshop, whether it exists or not."""
    if not FILE_NAME.fullmatch(name):
        raise HeuristicError(
            "{name!r} is not a valid file name; use lower-case letters, digits and _, followed by .py", name=name[:60]
        )
    return settings.workshop_folder / name


def files(settings: Settings) -> list[str]:
    """The names of all files, in alphabetical order."""
    folder = settings.workshop_folder
    if not folder.is_dir():
        return []
    return sorted(file.name for file in folder.glob("*.py") if FILE_NAME.fullmatch(file.name))


def read_file(settings: Settings, name: str) -> str | None:
    """A file's text; None if it is not there."""
    path = file_path(settings, name)
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None


def write_file(settings: Settings, name: str, text: str) -> None:
    """Save a file."""
    path = file_path(settings, name)
    if len(text) > MOST_TEXT:
        raise HeuristicError("{name} is longer than {most:,} characters", name=name, most=MOST_TEXT)
    if not path.exists() and len(files(settings)) >= MOST_FILES:
        raise HeuristicError("the workshop already contains {number} files; delete some first", number=MOST_FILES)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def remove_file(settings: Settings, name: str) -> bool:
    """Delete a file; False if it is not there."""
    path = file_path(settings, name)
    if not path.is_file():
        return False
    path.unlink()
    return True


def heuristics_in(settings: Settings, game: Game) -> dict[str, str]:
    """The heuristics of all files that take the game's states: name, such as `mine.py:middle` -> docstring.

    Classes that were handed in for a course on this game are among them.
    """
    wanted, package = type(game.start_state()), importlib.import_module(type(game).__module__)
    found: dict[str, str] = {}
    for name in files(settings):
        text = read_file(settings, name) or ""
        for function, (classes, about) in written_heuristics(text).items():
            meant = [getattr(package, cls, None) for cls in classes]
            if any(wanted is one or wanted in typing.get_args(one) for one in meant):
                found[f"{name}:{function}"] = about
        for style, handed_in in styles_in(text).items():
            if isinstance(style, HeuristicStyle) and type(style).__module__ == f"{type(game).__module__}.homework":
                found |= {f"{name}:{cls}": written_docs(text).get(cls, "") for cls in handed_in}
    return found


def searches_in(settings: Settings) -> dict[str, str]:
    """The searches of all files, which fit every game: name, such as `mine.py:my_alphabeta` -> docstring."""
    return _named_in(settings, "search")


def players_in(settings: Settings) -> dict[str, str]:
    """The classes of players in all files: name, such as `mine.py:Mine` -> docstring. Some may not play every game."""
    return _named_in(settings, "player")


def _named_in(settings: Settings, kind: str) -> dict[str, str]:
    texts = {name: read_file(settings, name) or "" for name in files(settings)}
    docs = {name: written_docs(text) for name, text in texts.items()}
    return {f"{name}:{one}": docs[name].get(one, "") for name, text in texts.items() for one in names_in(text, kind)}


def written_docs(text: str) -> dict[str, str]:
    """The first lines of the docstrings of all functions and classes in the text of a file, by name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = [part for part in tree.body if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    return {part.name: (ast.get_docstring(part) or "").partition("\n")[0] for part in found}


def written_heuristics(text: str) -> dict[str, tuple[set[str], str]]:
    """The functions with @heuristic above them: name -> (the types of states that they take, their docstring).

    >>> written_heuristics("@z.heuristic\\ndef middle(state: Connect4): 'Stones.'")
    {'middle': ({'Connect4'}, 'Stones.')}
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(_is_heuristic(decorator) for decorator in node.decorator_list):
            annotations = [argument.annotation for argument in node.args.args[:1] if argument.annotation is not None]
            names = {
                part.id if isinstance(part, ast.Name) else part.attr
                for annotation in annotations
                for part in ast.walk(annotation)
                if isinstance(part, (ast.Name, ast.Attribute))
            }
            about = (ast.get_docstring(node) or "").partition("\n")[0]
            found[node.name] = (names, about)
    return found


def _is_heuristic(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "heuristic"
