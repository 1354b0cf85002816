"""Where compiled code is kept between runs, and when it is stale.

Numba's own cache stamps a function with the one file it stands in, though code of other files is linked into it;
one entry whose class cannot be imported makes a whole index unreadable; two processes can clobber each other. So
here: one file per function, argument types, options and machine; in it, first, the digest of all it was made from
(Numba and this folder, the files of every function it reaches, the constants compiled into it); replaced atomically
when that differs; removed when unused for UNUSED_DAYS. Nothing here may fail a caller: a folder that cannot be
written means that code is compiled in memory, as it would be without a cache.
"""

import contextlib
import functools
import hashlib
import inspect
import itertools
import os
import pickle
import sys
import tempfile
import threading
import time
import types as python_types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

UNUSED_DAYS = 30
DAY = 86400


def cache_folder() -> Path:
    """ZERMELO_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("ZERMELO_CACHE_DIR")
    return Path(chosen) if chosen else Path(AppDirs(appname="zermelo", appauthor=False).user_cache_dir)


# ------------------------------------------------------------------------------------------ what code is made from


@functools.lru_cache(maxsize=256)
def _file_version(name: str, modified: int, size: int) -> bytes:
    return Path(name).read_bytes()


def _file_bytes(name: str) -> bytes:
    """What stands in a file now: a user may edit it and go on in the same process."""
    status = Path(name).stat()
    return _file_version(name, status.st_mtime_ns, status.st_size)


@functools.cache
def _core_digest() -> bytes:
    """Numba, Python, and this folder: what stands behind every compiled function."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.digest()


def state_classes(kind: Any) -> set[type]:
    """The NamedTuple classes that a Numba type or signature mentions."""
    if isinstance(kind, (tuple, list)):
        return {cls for part in kind for cls in state_classes(part)}
    if isinstance(kind, types.FunctionType):
        return state_classes(kind.signature.args)
    if hasattr(kind, "args") and not isinstance(kind, types.Type):  # a signature
        return state_classes(kind.args)
    cls = getattr(kind, "instance_class", None)
    return set() if cls is None else {cls}


def _is_importable(cls: type) -> bool:
    """Could another process find this class again by its name? One of a prompt, or inside a function, could not be."""
    module = sys.modules.get(cls.__module__)
    return cls.__module__ != "__main__" and getattr(module, cls.__qualname__, None) is cls


def _named_values(function: Any) -> list[Any]:
    """The values of the global and closed-over names in a function, and of attributes of modules it names."""
    names: set[str] = set()
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, python_types.CodeType)]
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    for value in list(values):
        if isinstance(value, python_types.ModuleType):
            values += [getattr(value, name) for name in names if hasattr(value, name)]
    return values + [cell.cell_contents for cell in function.__closure__ or ()]


def _reached(function: Any, classes: set[type], seen: set[Any]) -> Iterator[Any]:
    """The function and every compiled function that it calls, generics resolved for these state classes."""
    if function in seen:
        return
    seen.add(function)
    yield function
    for value in _named_values(function):
        if hasattr(value, "implementations"):  # a generic
            for cls in classes:
                chosen = value.implementations.get(cls, value.default)
                if chosen is not None:
                    yield from _reached(getattr(chosen, "py_func", chosen), classes, seen)
        elif isinstance(getattr(value, "py_func", None), python_types.FunctionType):
            yield from _reached(value.py_func, classes, seen)


def _source(thing: Any) -> bytes:
    """The file of a function or class; of one typed at a prompt, its own lines or its byte-code."""
    try:
        return _file_bytes(inspect.getfile(thing))
    except (OSError, TypeError):
        pass
    try:
        return inspect.getsource(thing).encode()
    except (OSError, TypeError):
        return thing.__code__.co_code if hasattr(thing, "__code__") else repr(thing).encode()


def _constants(function: Any) -> Iterator[bytes]:
    """Numbers and arrays are compiled in as they stand, wherever they were read from."""
    for value in _named_values(function):
        if isinstance(value, np.ndarray):
            yield f"{value.dtype} {value.shape}".encode() + value.tobytes()
        elif isinstance(value, (int, float, str, tuple, np.generic)):
            yield repr(value).encode()


def digest_of(function: Any, signature: Any) -> str:
    """A digest of everything that compiling this function for these types reads."""
    classes = state_classes(signature)
    functions = list(_reached(function, classes, set()))
    parts = {_source(thing) for thing in [*functions, *classes]}
    parts |= {
        f.__code__.co_code + repr(f.__code__.co_consts).encode() for f in functions if "<" in f.__code__.co_filename
    }
    parts |= {constant for f in functions for constant in _constants(f)}
    return hashlib.sha256(b"\0".join([_core_digest(), *sorted(parts)])).hexdigest()


# ------------------------------------------------------------------------------------------ the files

_pruned: set[Path] = set()


def prune(folder: Path) -> None:
    """Remove what nobody has used for UNUSED_DAYS, and what a killed process left half written; once a process."""
    if folder in _pruned:
        return
    _pruned.add(folder)
    now = time.time()
    for file in folder.iterdir():
        with contextlib.suppress(OSError):
            age = now - file.stat().st_mtime
            if (file.suffix == ".nbc" and age > UNUSED_DAYS * DAY) or (file.suffix == ".part" and age > DAY):
                file.unlink()


def read(path: Path, digest: str) -> Any:
    """What was saved under this digest, or None."""
    try:
        with path.open("rb") as file:
            if pickle.load(file) != digest:
                return None
            saved = pickle.load(file)
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # it is in use: prune() must not take it
        return saved
    except Exception:  # missing, truncated, or pickled by a program with other classes: all mean "compile it"
        return None


def write(path: Path, digest: str, data: Any) -> None:
    """Save atomically; a disk that is full or read-only leaves nothing behind."""
    if save(path, lambda file: file.write(pickle.dumps(digest) + dumps(data))):
        prune(path.parent)


def save(path: Path, fill: Callable[[Any], object]) -> bool:
    """Write a file of the cache as a whole or not at all, and say whether the disk let us."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            temporary = Path(file.name)
            fill(file)
        temporary.replace(path)
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        return False
    return True


# ------------------------------------------------------------------------------------------ what Numba talks to

_progress = threading.local()


def _number_functions() -> None:
    """Let the numbers that Numba gives to functions begin anywhere, in every process elsewhere.

    A symbol is a function's name, types and number. Numba counts from 1, so code that two processes compiled may hold
    two functions under one symbol, if they have one name (closures over other constants, a heuristic before and after
    it was edited); and the linker of a third, which reads both, takes the first for both.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(8), "little"))


_number_functions()
os.register_at_fork(after_in_child=_number_functions)


@contextlib.contextmanager
def announcing(tell: Callable[[], None]) -> Iterator[None]:
    """Call tell() once if anything must be compiled meanwhile."""
    before = getattr(_progress, "tell", None)
    _progress.tell = tell
    try:
        yield
    finally:
        _progress.tell = before


def _announce() -> None:
    tell = getattr(_progress, "tell", None)
    if tell is not None:
        _progress.tell = None
        tell()


def _is_complete(data: Any) -> bool:
    """Can this code stand alone? Not with addresses of this process in it, nor as one half of a mutual recursion."""
    module = data.library._final_module
    named = [*module.functions, *module.global_variables]
    unresolved = any(thing.name.startswith(".numba.unresolved$") for thing in named)
    return not unresolved and all(lifted.can_cache for lifted in data.lifted) and not data.library.has_dynamic_globals


_PACKAGE = str(Path(__file__).parent.parent)


def _is_recursive_of_a_user(function: Any) -> bool:
    """Does a user's function call itself? With literals among its arguments it becomes two that call each other.

    Loaded from a cache, Numba's too, one of them does not find the other, which ends in a crash. (Ours take no
    literals.)
    """
    itself = any(getattr(value, "py_func", None) is function for value in _named_values(function))
    return itself and not function.__code__.co_filename.startswith(_PACKAGE)


class CodeCache(_Cache):
    """The files of one function; put in the place of a dispatcher's `_cache`."""

    def __init__(self, function: Any, options: dict[str, Any]):
        self.function = function
        self.options = repr(sorted(options.items()))  # Numba's own key forgets boundscheck and error_model
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """Nothing to do: what is stale is replaced."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        classes = sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in state_classes(signature))
        function = self.function
        where = function.__code__.co_filename
        parts = (function.__module__, where, str(signature), classes, self.options, codegen.magic_tuple())
        name = hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
        readable = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "").replace(
            "<lambda>", "lambda"
        )
        return cache_folder() / f"{readable[:80]}-{name}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        if self.enabled and all(map(_is_importable, state_classes(sig))):
            saved = read(self._path(sig, target_context.codegen()), digest_of(self.function, sig))
            if saved is not None:
                return CompileResult._rebuild(target_context, *saved)
        _announce()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        keep = self.enabled and _is_complete(data) and not _is_recursive_of_a_user(self.function)
        if keep and all(map(_is_importable, state_classes(sig))):
            write(self._path(sig, data.codegen), digest_of(self.function, sig), data._reduce())
