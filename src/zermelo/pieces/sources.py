"""The files that a text of a player or heuristic names: they travel with the work to machines that do not have them."""

import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from zermelo.calls import Call, call_of
from zermelo.core.cache import cache_folder
from zermelo.errors import FileError, ZermeloError
from zermelo.files.neighbours import with_neighbours
from zermelo.files.reading import cannot_read

Files = Mapping[str, Mapping[str, bytes]]
"""For each file that a text names: the contents of that file and of those that it imports, by file name."""


def file_calls(value: Any) -> Iterator[Call]:
    """All calls of the form `file.py:name` inside a call, at any depth."""
    if isinstance(value, str) and ".py:" in value:
        try:
            value = call_of(value)
        except ZermeloError:  # it is a command or a path
            return
    if isinstance(value, Call):
        if value.name.rpartition(":")[0].endswith(".py"):
            yield value
        for inner in value.options.values():
            yield from file_calls(inner)


@functools.lru_cache(maxsize=4096)
def files_of(player: str) -> tuple[str, ...]:
    """The files with code that a player names."""
    return tuple(sorted({call.name.rpartition(":")[0] for call in file_calls(player)}))


# ------------------------------------------------------------------------------------------ going


def named_files(settings: Any) -> dict[str, dict[str, bytes]]:
    """The contents of all files that the texts in these settings name: code with its neighbours, and weights."""
    found: dict[str, dict[str, bytes]] = {}
    for text in _texts(settings):
        for name in _names(text):
            path = Path(os.path.expanduser(name))
            if name in found or not path.suffix or not path.is_file():
                continue
            if path.suffix == ".py":
                found[name] = {file: content.encode() for file, content in with_neighbours(path).items()}
            else:
                try:
                    found[name] = {path.name: path.read_bytes()}
                except OSError as error:
                    raise cannot_read(path, error) from None
    return found


def with_code(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings together with digests of the files that they name: work with another text is other work."""
    files = named_files(settings).items()
    code = {name: hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest() for name, texts in files}
    return settings | {"code": code} if code else settings


def _texts(settings: Any) -> Iterator[str]:
    """All texts inside a value of JSON."""
    if isinstance(settings, str):
        yield settings
    elif isinstance(settings, dict):
        for value in settings.values():
            yield from _texts(value)
    elif isinstance(settings, list):
        for value in settings:
            yield from _texts(value)


def _names(text: str) -> Iterator[str]:
    """The names in a call that may be files: `mine.py` of `mine.py:name`, and `weights.json`."""
    try:
        waiting: list[Any] = [call_of(text)]
    except ZermeloError:  # it is some other text
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, Call):
            yield _file_of(value.name)
            waiting += value.options.values()
        elif isinstance(value, str):
            yield _file_of(value)


def _file_of(name: str) -> str:
    file, _colon, _function = name.rpartition(":")
    return file if file.endswith(".py") else name


# ------------------------------------------------------------------------------------------ arriving


def moved(settings: Any, files: Files) -> Any:
    """The settings for this machine: what they call by the name of a file that travelled is the copy that is here."""
    if not files:
        return settings
    if isinstance(settings, dict):
        return {name: moved(value, files) for name, value in settings.items()}
    if isinstance(settings, list):
        return [moved(value, files) for value in settings]
    if isinstance(settings, str) and any(file in settings for file in files):
        try:
            return str(_moved_call(call_of(settings), files))
        except ZermeloError:
            return settings
    return settings


def _moved_call(call: Call, files: Files) -> Call:
    options = {
        key: _moved_call(value, files)
        if isinstance(value, Call)
        else _moved_name(value, files)
        if isinstance(value, str)
        else value
        for key, value in call.options.items()
    }
    return Call(_moved_name(call.name, files), options)


def _moved_name(name: str, files: Files) -> str:
    file = _file_of(name)
    return f"{written_out(files[file]) / Path(file).name}{name.removeprefix(file)}" if file in files else name


def written_out(contents: Mapping[str, bytes]) -> Path:
    """The folder that holds a file that has travelled, together with its neighbours."""
    return _written_out(tuple(contents.items()))


@functools.lru_cache(maxsize=256)
def _written_out(files: tuple[tuple[str, bytes], ...]) -> Path:
    """The files are written once, to a folder named after all their contents."""
    digest = hashlib.sha256(repr(files).encode()).hexdigest()[:20]
    folder = (cache_folder() / "sources" / digest).resolve()
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:  # the cache cannot be written to
        temporary = folder = Path(tempfile.mkdtemp())
    for name, content in files:
        place = temporary / name
        if not place.resolve().is_relative_to(temporary.resolve()):
            raise FileError("{name!r} is not a valid name for a contestant's file", name=name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    try:
        if temporary != folder:
            temporary.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(temporary, ignore_errors=True)
    return folder
