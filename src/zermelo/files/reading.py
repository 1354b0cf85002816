"""Reading files: what every reader says of a file that is missing, damaged, or of another version."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from zermelo.errors import FileError
from zermelo.files.whole import DAMAGED


def cannot_read(path: Path, error: OSError | ValueError) -> FileError:
    """The exception to raise when a file cannot be read, or is not text in UTF-8."""
    if isinstance(error, OSError):
        return FileError("{path}: cannot be read: {reason}", path=path, reason=error.strerror or error)
    return FileError("{path}: cannot be read: it is not text", path=path)


def read_text(path: Path) -> str:
    """The text of a file in UTF-8. Raises FileError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None


@contextlib.contextmanager
def reading(path: Path, damaged: str) -> Iterator[None]:
    """While a file is read: a FileError says that it cannot be read or, in the words of `damaged`, what is wrong.

    `damaged` is a marked text with the places {path} and {error}. The error may be one of ours, which lacks the path.
    """
    try:
        yield
    except OSError as error:
        raise cannot_read(path, error) from None
    except DAMAGED as error:
        raise FileError(damaged, path=path, error=error) from None


def check_format(path: Path, found: object, ours: int) -> None:
    """Raise FileError if a file has another format than the one that this version reads."""
    if found != ours:
        raise FileError(
            "{path} has format {format}, but this version reads only format {ours}", path=path, format=found, ours=ours
        )
