"""Where compiled code is kept between runs, and how stale code is recognised.

Numba's own cache has three faults. It looks only at the file in which a function stands, although code from other files
is linked into it. One entry whose class cannot be imported makes a whole index unreadable. And two processes can
overwrite each other's entries.

This cache keeps one file for each function, combination of argument types, options and machine. The file begins with
the digest of everything that the code was made from (see digest.py) and a checksum. It is replaced atomically when
either of them differs, and it is removed when nobody has used it for UNUSED_DAYS. The cache never makes its caller
fail: if the folder cannot be written, code is compiled in memory, as it would be without a cache.
"""

import contextlib
import hashlib
import inspect
import os
import pickle
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs

from zermelo.core import numba_private
from zermelo.core.claims import claims
from zermelo.core.digest import digest_of, named_values, state_classes
from zermelo.core.worlds import lasting_name

UNUSED_DAYS = 30
DAY = 86400


def cache_folder() -> Path:
    """The folder that ZERMELO_CACHE_DIR names, or else the user's cache folder."""
    chosen = os.environ.get("ZERMELO_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("zermelo", appauthor=False)


def folder_below() -> Path | None:
    """A second folder, which is only read: code of this package, for a process whose own cache begins empty."""
    chosen = os.environ.get("ZERMELO_CACHE_BELOW")
    return Path(chosen) if chosen else None


def is_writable() -> bool:
    """Can code be kept in the cache folder?"""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


_OURS = re.compile(r"zermelo\.(?!core\.shells\.native_(?!zermelo\.))")


def code_of_ours() -> Path | None:
    """A folder with copies of the compiled code of this package, without that of anybody's files.

    Other users may read it, so it can be given to a process in a sandbox. None if it cannot be made.
    """
    folder = cache_folder() / "ours"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        for file in cache_folder().glob("zermelo.*.nbc"):
            copy = folder / file.name
            if _OURS.match(file.name) and not (copy.exists() and copy.stat().st_mtime >= file.stat().st_mtime):
                data = file.read_bytes()
                save(copy, lambda out, data=data: out.write(data))  # type: ignore[misc]
                copy.chmod(0o644)
    except OSError:
        return None
    return folder


def _is_importable(cls: type) -> bool:
    """Could another process find this class by its name? A class from a prompt or inside a function is not found."""
    module = sys.modules.get(cls.__module__)
    return cls.__module__ != "__main__" and getattr(module, cls.__qualname__, None) is cls


# ------------------------------------------------------------------------------------------ the files

_pruned: set[Path] = set()


def prune(folder: Path) -> None:
    """Remove files that nobody has used for UNUSED_DAYS, and parts that killed processes left; once per process."""
    if folder in _pruned:
        return
    _pruned.add(folder)
    now = time.time()
    for file in folder.iterdir():
        with contextlib.suppress(OSError):
            age = now - file.stat().st_mtime
            if (file.suffix == ".nbc" and age > UNUSED_DAYS * DAY) or (file.suffix == ".part" and age > DAY):
                file.unlink()


_CHECK = 16  # bytes of the checksum


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK).digest()


def read(path: Path, digest: str) -> Any:
    """What was saved under this digest; None if nothing was, or if a single bit of it has changed since."""
    start = digest.encode() + b"\n"
    try:
        with path.open("rb") as file:
            if file.read(len(start)) != start:
                return None
            check, data = file.read(_CHECK), file.read()
        if _checksum(data) != check:
            return None
        saved = pickle.loads(data)
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # it is in use: prune() must not take it
        return saved
    except Exception:  # the file is missing, or names classes that are gone: either way, compile
        return None


def write(path: Path, digest: str, data: Any) -> None:
    """Save data under a digest. On a disk that is full or read-only, nothing is left behind."""
    content = numba_private.pickled(data)
    if save(path, lambda file: file.write(digest.encode() + b"\n" + _checksum(content) + content)):
        prune(path.parent)


_writing = threading.Lock()


def finish_writing() -> None:
    """Write nothing more: wait until what is being written is complete, before this process is ended."""
    _writing.acquire()


def save(path: Path, fill: Callable[[Any], object]) -> bool:
    """Write a file of the cache completely or not at all. Return whether that was possible."""
    with _writing:
        return _save(path, fill)


def _save(path: Path, fill: Callable[[Any], object]) -> bool:
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            temporary = Path(file.name)
            fill(file)
        temporary.replace(path)
    except BaseException as error:  # Ctrl-C, too, must leave no part of a file behind
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        if not isinstance(error, OSError):
            raise
        return False
    return True


# ------------------------------------------------------------------------------------------ what Numba talks to

_progress = threading.local()


def _number_functions() -> None:
    """Let Numba number the functions of this process from a random start.

    A symbol in compiled code consists of a function's name, types and number. Numba counts from 1. So two processes may
    compile two different functions of the same name under one symbol, such as closures over different constants, or a
    heuristic before and after it was edited. A third process that loads both would link the first in place of either.
    """
    numba_private.number_functions_from(int.from_bytes(os.urandom(8), "little"))


def _begin_again() -> None:
    """In a fork of this process, functions have other numbers, and nobody is writing."""
    global _writing
    _number_functions()
    _writing = threading.Lock()


_number_functions()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_again)


@contextlib.contextmanager
def announcing(tell: Callable[[], None]) -> Iterator[None]:
    """Inside, the first function that must be compiled makes a call of tell()."""
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


@contextlib.contextmanager
def counting_compiled(tell: Callable[[int], None]) -> Iterator[None]:
    """Inside, tell(number) is called after each function that this thread compiled, with their number so far."""
    before = number_compiled()
    _progress.each = lambda number: tell(number - before)
    try:
        yield
    finally:
        _progress.each = None


def number_compiled() -> int:
    """How many functions this thread has compiled."""
    number: int = getattr(_progress, "count", 0)
    return number


def _count() -> None:
    _progress.count = number_compiled() + 1
    each = getattr(_progress, "each", None)
    if each is not None:
        each(_progress.count)


PACKAGE = str(Path(__file__).parent.parent) + os.sep


def is_ours(function: Any) -> bool:
    """Does this function belong to the package? If not, a user wrote it, and it is compiled with checks."""
    file: str = function.__code__.co_filename
    return file.startswith(PACKAGE)


def _is_recursive_of_a_user(function: Any) -> bool:
    """Does a user's function call itself? Given literals, Numba makes two functions of it that call each other.

    When they are loaded from a cache (Numba's own too), one of them does not find the other, and the process crashes.
    The functions of this package are never given literals.
    """
    itself = any(getattr(value, "py_func", None) is function for _, value in named_values(function))
    return itself and not is_ours(function)


def _classes(signature: Any) -> list[Any]:
    """The classes of the states among the arguments."""
    return [numba_private.tuple_class(one) for one in getattr(signature, "args", signature)]


class CodeCache:
    """The cached versions of one function, a file each; `numba_private.use_cache` puts it in the place of Numba's."""

    in_use = True
    """False in a process that compiles for other machines: code from the cache is for this one."""

    def __init__(self, function: Any, options: dict[str, Any]):
        self.function = function
        self.options = repr(sorted(options.items()))  # the key of Numba's own cache lacks boundscheck and error_model
        self.enabled = True
        self._before: dict[Any, str | None] = {}

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """There is nothing to do, since stale files are replaced."""

    def _path(self, signature: Any, machine: tuple[Any, ...]) -> Path:
        classes = sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in state_classes(signature))
        function = self.function
        where, name = function.__code__.co_filename, function.__qualname__
        parts = (lasting_name(function.__module__), name, where, str(signature), classes, self.options)
        mark = hashlib.sha256(repr((*parts, machine)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        readable = f"{parts[0]}.{name}".replace("<locals>.", "").replace("<lambda>", "lambda")
        return cache_folder() / f"{re.sub(r'[^A-Za-z0-9_.]', '_', readable)[:80]}-{mark}.nbc"

    def _digest(self, signature: Any) -> str | None:
        """The digest to keep code under; None if the code cannot be kept, or if its sources cannot be determined."""
        if not (self.enabled and CodeCache.in_use) or not all(map(_is_importable, state_classes(signature))):
            return None
        if inspect.isgeneratorfunction(self.function):  # Numba does not find its code again when it is restored
            return None
        try:
            return digest_of(self.function, signature)
        except Exception:  # a value in a user's module that cannot be inspected
            return None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        digest = self._before[sig] = self._digest(sig)
        if digest is None:
            _announce()
            return None
        path = self._path(sig, numba_private.machine_of(target_context))
        found = self._found(path, digest, sig, target_context)
        if found is None:
            _announce()
            if claims.take(path.parent, f"{path.name} {digest}"):  # another process has compiled it meanwhile
                found = self._found(path, digest, sig, target_context)
        return found

    def _found(self, path: Path, digest: str, sig: Any, target_context: Any) -> Any:
        """The code in the cache, or in the folder below it; None if there is none that can be used."""
        below = folder_below()
        saved = read(path, digest)
        if saved is None and below is not None:
            saved = read(below / path.name, digest)
        if saved is not None:
            numba_private.prepare(target_context)  # it takes a second the first time: not before it is needed
            with contextlib.suppress(Exception):  # code that LLVM cannot read is compiled again and replaced
                found = numba_private.restored(target_context, saved)
                if _classes(found.signature) == _classes(sig):  # else it is for a class of the same file, loaded twice
                    return found
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep code, unless its sources changed while it was being compiled."""
        _count()
        digest = self._before.pop(sig, None)
        if digest is None:
            return
        path = self._path(sig, numba_private.machine_of_result(data))
        keep = numba_private.is_self_contained(data) and not _is_recursive_of_a_user(self.function)
        if keep and self._digest(sig) == digest:
            write(path, digest, numba_private.saved_form(data))
        claims.give_back(path.parent, f"{path.name} {digest}")
