"""The parts of a game's package that it may have or not: heuristics, players, solver, features..."""

import importlib
from types import ModuleType


def part_of(package: str, name: str) -> ModuleType | None:
    """The module of this name in a game's package; None if it has none. A fault inside the module is no absence."""
    try:
        return importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{name}":
            raise
        return None
