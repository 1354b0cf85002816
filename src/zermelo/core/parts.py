"""The optional modules of a game's package: heuristics, players, solver, features and others."""

import importlib
import warnings
from collections.abc import Mapping
from types import ModuleType
from typing import Any, TypeVar

Value = TypeVar("Value")


def part_of(package: str, name: str) -> ModuleType | None:
    """The module of this name in a game's package; None if there is none. An error inside the module is raised."""
    try:
        return importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{name}":
            raise
        return None


def old_names(package: str) -> Mapping[str, str]:
    """The names of an earlier version that a game's package still answers to, each with the name of today.

    A package lists them in a module `old_names`, as `OLD_NAMES = {"old": "new"}`.
    """
    return _table(package, "OLD_NAMES")


def old_fields(package: str) -> Mapping[str, str]:
    """Likewise the earlier names of the fields of its states, which files of data hold: `OLD_FIELDS`."""
    return _table(package, "OLD_FIELDS")


def _table(package: str, name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = getattr(part_of(package, "old_names"), name, {})
    return found


class Named(dict[str, Value]):
    """What a game's package offers under names: heuristics, players or feature sets.

    An old name is answered with a warning. `in` knows the old names too; lists and loops show those of today only.
    """

    def __init__(self, known: Mapping[str, Value], package: str):
        super().__init__(known)
        self._package = package

    def _new_name(self, name: object) -> str | None:
        new = old_names(self._package).get(name) if isinstance(name, str) else None
        return new if new is not None and super().__contains__(new) else None

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._new_name(name) is not None

    def __missing__(self, name: str) -> Value:
        new = self._new_name(name)
        if new is None:
            raise KeyError(name)
        warnings.warn(f"{name!r} is now {new!r}; the old name goes in version 0.3", DeprecationWarning, stacklevel=3)
        return self[new]

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default
