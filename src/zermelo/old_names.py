"""The module names of version 0.1 that documentation and users' files mention; they answer for one more version.

`from zermelo.features import features` still works, with a warning that names the new place. Remove this module in 0.3.
"""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder

    class _Finder(MetaPathFinder, Loader): ...

else:
    _Finder = object  # importlib.abc imports twenty modules, and every command would wait for them

NEW_NAMES = {
    "features": "evaluation.features",
    "models": "evaluation.models",
    "playing": "players.player",
    "search": "searches",
    "solution": "solving.solution",
    "stats": "tournaments.intervals",
    "svg": "drawing.svg",
    "tables": "evaluation.tables",
    "tournament": "tournaments",
    "learn.files": "learn.dataset_files",
    "learn.models": "learn.trainers",
    "games.onitama.tables": "games.onitama.endgames",
}

FOLDERS = ("zermelo.search", "zermelo.tournament")


def new_name(name: str) -> str | None:
    """The module that took the place of this one, by its full name; None if this never was an old name."""
    for old, new in NEW_NAMES.items():
        if name == f"zermelo.{old}":
            return f"zermelo.{new}"
        if name.startswith(f"zermelo.{old}.") and f"zermelo.{old}" in FOLDERS:
            return f"zermelo.{new}{name.removeprefix(f'zermelo.{old}')}"
    return None


class _Room(ModuleType):
    """A folder under its old name. It can be called, because `z.tournament(...)` is also a function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return getattr(self, self.__name__.rpartition(".")[2])(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        new = new_name(self.__name__)
        if new is None or name.startswith("__"):  # it keeps its own __path__, so that the finder below gets its modules
            raise AttributeError(name)
        return getattr(importlib.import_module(new), name)


class _OldNames(_Finder):
    """Finds a module under its old name, after all other finders have failed."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if new_name(fullname) is None:
            return None
        return ModuleSpec(fullname, self, is_package=fullname in FOLDERS)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = new_name(spec.name)
        assert new is not None
        warnings.warn(f"{spec.name} is now {new}; the old name goes in version 0.3", DeprecationWarning, stacklevel=2)
        if spec.name in FOLDERS:
            return _Room(spec.name)
        module = importlib.import_module(new)
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing: the module has already run under its new name, which it keeps."""
        spec = module.__spec__
        if spec is not None and spec.name in self._specs:
            module.__spec__ = self._specs.pop(spec.name)


def install() -> None:
    """Make imports find the old names."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        sys.meta_path.append(_OldNames())
