"""What a user's file holds besides heuristics, told by its text: the file is not run.

RECOGNISERS has a list of functions for each kind of thing. Each takes the parsed file and returns names; others may add
theirs.
"""

import ast
from collections.abc import Callable
from pathlib import Path

Recogniser = Callable[[ast.Module], list[str]]


def names_in(text: str, kind: str) -> list[str]:
    """The names of the things of this kind (`search`, `player`) in the text of a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(dict.fromkeys(name for recognise in RECOGNISERS[kind] for name in recognise(tree)))


def is_named(name: str, *kinds: str, folder: Path = Path()) -> bool:
    """Does `mine.py:my_alphabeta` name a thing of one of these kinds? The file is read, but it is not run."""
    file, colon, inside = name.rpartition(":")
    if not (colon and file.endswith(".py")):
        return False
    try:
        text = (folder / file).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, ValueError, RuntimeError):
        return False
    return any(inside in names_in(text, kind) for kind in kinds)


def search_names(tree: ast.Module) -> list[str]:
    """The names of the functions under `@z.search`."""
    return [
        part.name
        for part in tree.body
        if isinstance(part, ast.FunctionDef) and any(_last_name(d) == "search" for d in part.decorator_list)
    ]


def class_names(tree: ast.Module) -> list[str]:
    """The names of the classes of players: those with a method `choose`, those derived from them, and from z.Player.

    A class whose name begins with an underscore is one from which others are derived. z.Player is called `Player` only
    in a file that imports zermelo; elsewhere a class of that name is another one.
    """
    ours = "Player" if imports_zermelo(tree) else None
    found: dict[str, bool] = {}
    for part in tree.body:
        if isinstance(part, ast.ClassDef):
            bases = [_last_name(base) for base in part.bases]
            methods = {one.name for one in part.body if isinstance(one, ast.FunctionDef)}
            found[part.name] = "choose" in methods or any(found.get(base, base == ours) for base in bases)
    return [name for name, is_player in found.items() if is_player and not name.startswith("_")]


def imports_zermelo(tree: ast.Module) -> bool:
    """Is a file written for this lab?"""
    named = [alias.name for part in ast.walk(tree) if isinstance(part, ast.Import) for alias in part.names]
    named += [part.module or "" for part in ast.walk(tree) if isinstance(part, ast.ImportFrom)]
    return any(name.partition(".")[0] == "zermelo" for name in named)


def _last_name(expression: ast.expr) -> str:
    """`search` of `z.search(...)`."""
    named = expression.func if isinstance(expression, ast.Call) else expression
    return named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""


RECOGNISERS: dict[str, list[Recogniser]] = {"search": [search_names], "player": [class_names]}
