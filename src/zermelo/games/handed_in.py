"""Homework in users' files (see homework.py): which games have a style, and what a file holds in each."""

import contextlib
import functools
import importlib.util
import types
from pathlib import Path

from zermelo.core import Heuristic
from zermelo.core.parts import part_of
from zermelo.core.worlds import provide_modules, source_of
from zermelo.errors import GameError
from zermelo.games.catalogue import packages
from zermelo.homework import HeuristicStyle, Style, syntax_of


@functools.cache
def styles() -> tuple[Style, ...]:
    """The styles of all games that have one."""
    found = []
    for package in packages().values():
        with contextlib.suppress(GameError):
            name = getattr(package.module, "__name__", "")
            part = part_of(name, "homework") if name and _has_homework(name) else None
            found += [part.STYLE] if part is not None else []
    return tuple(found)


def _has_homework(name: str) -> bool:
    return importlib.util.find_spec(f"{name}.homework") is not None


def styles_in(text: str) -> dict[Style, list[str]]:
    """The names of the classes in a file's text that are in the style of a course. The file is not run."""
    tree = syntax_of(text)
    found = {} if tree is None else {style: style.class_names(tree) for style in styles()}
    return {style: names for style, names in found.items() if names}


def holds_homework(path: Path) -> bool:
    """Does this file hold a class in the style of a course? It is not run."""
    try:
        return bool(styles_in(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError):
        return False


def modules_for(text: str) -> dict[str, types.ModuleType]:
    """The modules of a course that a file may import, if it holds homework for it."""
    return {name: module for style in styles_in(text) for name, module in style.modules().items()}


provide_modules(modules_for)

_KEPT = "__zermelo_homework__"


def classes_in(module: types.ModuleType) -> dict[str, tuple[Style, type]]:
    """The classes of a user's module that are homework, each with its style."""
    found = {}
    for style, names in styles_in(source_of(str(module.__file__)) or "").items():
        for name in names:
            cls = vars(module).get(name)
            if isinstance(cls, type):
                found[name] = style, cls
    return found


def heuristics_of(module: types.ModuleType) -> dict[str, Heuristic]:
    """The heuristics of a user's module that are homework; made once, as those under a decorator are."""
    kept: dict[str, Heuristic] | None = vars(module).get(_KEPT)
    if kept is None:
        found = classes_in(module).items()
        kept = {name: style.heuristic(cls) for name, (style, cls) in found if isinstance(style, HeuristicStyle)}
        vars(module)[_KEPT] = kept
    return kept
