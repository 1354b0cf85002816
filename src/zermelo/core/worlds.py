"""Loading a user's file in a world of its own.

Two folders may hold files of the same name, each with a helper module of the same name beside it. They must not be
mixed up. So every file that is loaded gets a package of its own, whose folder is the file's folder. Every module that
the file imports from there belongs to that package: `import helper` means `<its package>.helper`, also when it runs
later, since the import statement uses the `__builtins__["__import__"]` of the module in which it stands. What a file
expects to find beside it may also be provided (`provide_modules`): it then exists for this file only, and only if the
folder has no such file. Modules from elsewhere are shared, as always. So are modules whose names belong to Python or to
this package, whatever lies in the folder. A file that holds the rules of a game (see game_files/) is shared too: a
heuristic that imports the game's class from the file beside it must get the class of the game that is played.

The text of each file is remembered, so that an edit is noticed. It is compiled here and not by Python's loader, because
the loader's `__pycache__` does not notice a second edit of the same length within one second.
"""

import builtins
import hashlib
import importlib.util
import itertools
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.core.numba_private import WORLDS

SHARED = frozenset(sys.stdlib_module_names) | {"numba", "numpy", "zermelo"}
"""Names of modules that no file in a user's folder can replace."""
RACY = 2 * 10**9
"""Nanoseconds in which a second change of a file may go unnoticed, since the clocks of file systems are coarse."""

_worlds: dict[str, "World"] = {}
_providers: list[Callable[[str], Mapping[str, ModuleType]]] = []
_versions = itertools.count(1)


def provide_modules(provider: Callable[[str], Mapping[str, ModuleType]]) -> None:
    """Ask this function, for the text of every file that is loaded, which modules the file takes for granted."""
    _providers.append(provider)


def lasting_name(module: str | None) -> str:
    """The name of a module, without the number of its world, which differs between processes; empty if it has none."""
    module = module or ""
    package, _, rest = module.partition(".")
    world = _worlds.get(package)
    return module if world is None else f"{world.path.stem}.{rest}" if rest else world.path.stem


def source_of(path: str) -> str | None:
    """The text of a user's file as it was loaded last; None if no world has loaded it."""
    for world in reversed(_worlds.values()):
        if path in world.files:
            return importlib.util.decode_source(world.files[path].data)
    return None


class _Seen:
    """A file as it was when it was read."""

    def __init__(self, path: str):
        self.path = path
        self.status = self._status()
        self.when = time.time_ns()
        self.data = Path(path).read_bytes()

    def _status(self) -> tuple[int, int, int]:
        status = os.stat(self.path)
        return status.st_mtime_ns, status.st_size, status.st_ino

    def is_current(self) -> bool:
        try:
            status = self._status()
            if status == self.status and self.when - status[0] > RACY:
                return True
            if Path(self.path).read_bytes() != self.data:
                return False
        except OSError:
            return False
        self.status, self.when = status, time.time_ns()
        return True


class _Loader(SourceFileLoader):
    """Loads a module of a world from its source, and remembers the source."""

    def __init__(self, name: str, path: str, world: "World"):
        super().__init__(name, path)
        self.world = world

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        self.world.files[path] = seen = _Seen(path)
        return self.source_to_code(seen.data, path)

    def exec_module(self, module: ModuleType) -> None:
        self.world.adopt(module)
        super().exec_module(module)


class World:
    """One user's file, and what it imported from its own folder."""

    def __init__(self, path: Path):
        self.path = path
        self.folder = str(path.parent)
        self.files: dict[str, _Seen] = {}
        self.provided: dict[str, ModuleType] = {}
        place = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        self.package = f"{WORLDS}{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{place}"
        if self.package in _worlds:  # it holds an earlier version of the file, whose functions may still be in use
            self.package += f"_{next(_versions)}"
        self.builtins = vars(builtins) | {"__import__": self._import}

    def adopt(self, module: ModuleType) -> None:
        """Make a module part of this world, so that its imports come here."""
        module.__dict__["__builtins__"] = self.builtins
        module.__dict__["__zermelo_world__"] = self.package

    def load(self) -> ModuleType:
        """Run the file, and return its module."""
        self._provide()
        _worlds[self.package] = self
        root = ModuleType(self.package)
        root.__path__ = [self.folder]
        root.__spec__ = ModuleSpec(self.package, None, is_package=True)
        sys.modules[self.package] = root
        name = f"{self.package}.{self.path.stem}"
        loader = _Loader(name, str(self.path), self)
        spec = importlib.util.spec_from_file_location(name, self.path, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except BaseException:
            self.forget()
            raise
        return module

    def _provide(self) -> None:
        """Find the modules that the file takes for granted. One that cannot even be read fails when it is run."""
        try:
            text = importlib.util.decode_source(self.path.read_bytes())
        except (OSError, SyntaxError, ValueError):
            return
        for provider in _providers:
            self.provided |= provider(text)

    def forget(self) -> None:
        """Remove the modules of this world, which nobody will use."""
        for name in list(sys.modules):
            if name == self.package or name.startswith(f"{self.package}."):
                del sys.modules[name]
        _worlds.pop(self.package, None)

    def is_current(self) -> bool:
        """Are all its files the same as when they were loaded?"""
        return all(file.is_current() for file in list(self.files.values()))

    def stands_for(self, path: Path) -> bool:
        """Is this the world of the file at this path, or does that file have the same contents?"""
        return path == self.path or self.is_like(path.parent)

    def is_like(self, folder: Path) -> bool:
        """Does this folder hold the same files as this world?"""
        try:
            others = [folder / Path(name).relative_to(self.folder) for name in self.files]
            return all(other.read_bytes() == seen.data for other, seen in zip(others, self.files.values(), strict=True))
        except (OSError, ValueError):
            return False

    def owns(self, name: str) -> bool:
        """Does a module of this name (without dots) belong to the file's own folder?"""
        if name in SHARED:
            return False
        if f"{self.package}.{name}" in sys.modules:
            return True
        return PathFinder.find_spec(name, [self.folder]) is not None

    def find_spec(self, fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader) and spec.origin is not None:
            if spec.submodule_search_locations is None and has_rules(Path(spec.origin)):
                return ModuleSpec(fullname, _SharedLoader(self, Path(spec.origin).resolve()), origin=spec.origin)
            loader = _Loader(fullname, spec.origin, self)
            places = spec.submodule_search_locations
            spec = importlib.util.spec_from_file_location(
                fullname, spec.origin, loader=loader, submodule_search_locations=places
            )
        return spec

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What the import statement calls in this world."""
        first = name.partition(".")[0]
        if level == 0 and name in self.provided and not self.owns(first):
            return self.provided[name]
        if level > 0 or not self.owns(first):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = builtins.__import__(f"{self.package}.{name}", globals, locals, fromlist or ("__name__",), 0)
        return module if fromlist else sys.modules[f"{self.package}.{first}"]


def source_as_loaded(function: Any) -> str | None:
    """The text of the user's file that a function comes from, as it was when the file was loaded; None for others."""
    world = _worlds.get(function.__globals__.get("__zermelo_world__", ""))
    seen = world.files.get(function.__code__.co_filename) if world is not None else None
    return None if seen is None else importlib.util.decode_source(seen.data)


class _Finder(MetaPathFinder):
    """Finds the modules of worlds."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        world = _worlds.get(fullname.partition(".")[0])
        return None if world is None or path is None else world.find_spec(fullname, path)


sys.meta_path.insert(0, _Finder())

_lock = threading.RLock()
_loaded: dict[Path, tuple[World, ModuleType]] = {}


def loaded(path: Path) -> ModuleType:
    """The module of a user's file, which runs in a world of its own, and again when one of its files has changed."""
    with _lock:
        known = _loaded.get(path)
        if known is None or not known[0].is_current() or not known[0].stands_for(path):
            known = _same_game(path)
            if known is None:
                world = World(path)
                known = world, world.load()
            _loaded[path] = known
        return known[1]


# ------------------------------------------------------------------------------------------ games that files share

_RULES = re.compile(
    rb"legal_moves\.of\(|^[ \t]+def (moves|play|winner)\(self\b(?s:.*)^[ \t]+def (?!\1\()(?:moves|play|winner)\(self\b",
    re.MULTILINE,
)
"""What the text of a file with the rules of a game contains: generic rules, or a class with two of these methods."""


def has_rules(path: Path) -> bool:
    """Does a file hold the rules of a game? Files that import it must then share them, with each other and with us."""
    try:
        return _RULES.search(path.read_bytes()) is not None
    except OSError:
        return False


def _same_game(path: Path) -> tuple[World, ModuleType] | None:
    """The world of a game that was loaded from a file with the same name and contents, in any folder.

    A tournament copies the files of its contestants, and a heuristic must know the game that it was written for.
    """
    if not has_rules(path):
        return None
    for world, module in list(_loaded.values()):
        if world.path.name == path.name and world.is_current() and world.is_like(path.parent):
            return world, module
    return None


class _SharedLoader(Loader):
    """Gives a module that is loaded already, in a world of its own."""

    def __init__(self, world: World, path: Path):
        self.world, self.path = world, path

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = loaded(self.path)
        self.was = module.__spec__
        self.world.files |= _loaded[self.path][0].files | {str(self.path): _Seen(str(self.path))}
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.was
