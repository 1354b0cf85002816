"""Files are written completely or not at all, and damaged files are recognised when they are read."""

import contextlib
import errno
import lzma
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from zermelo.errors import FileError, ResourceError
from zermelo.language import _

DAMAGED: tuple[type[Exception], ...] = (
    ValueError,  # JSON, TOML, Unicode, NumPy and Arrow raise it most often
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,  # from Arrow, if a file ends too soon
    NotImplementedError,  # a ZIP file with an unknown compression
    RuntimeError,  # an encrypted ZIP file; RecursionError comes from deeply nested lists
    OverflowError,
    MemoryError,  # an array whose header claims 2^60 numbers
    SyntaxError,  # from NumPy, about the header of an array; likewise TokenError
    tokenize.TokenError,
    struct.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)
"""The exceptions that the readers of Python, NumPy and Arrow raise for a damaged file."""

BAD_JSON: tuple[type[Exception], ...] = (ValueError, RecursionError)
"""The exceptions for a text that is not JSON or TOML; RecursionError comes from deeply nested lists."""


ROOM, GROWTH = 1 << 27, 50
"""The contents of a compressed file may take ROOM bytes of memory, plus GROWTH for each byte of the file."""


def check_growth(size: int, needed: int) -> None:
    """Raise ValueError if a file of this size would need far more memory than the files of this package do."""
    if needed > ROOM + GROWTH * size:
        raise ValueError(
            _("its contents would take {needed:,} bytes of memory, but the file has only {size:,} bytes").format(
                needed=needed, size=size
            )
        )


def decompressed(packed: bytes) -> bytes:
    """The data that zlib.compress was given. ValueError if it is far more than the files of this package hold."""
    most = ROOM + GROWTH * len(packed)
    reader = zlib.decompressobj()
    data = reader.decompress(packed, most)
    if not reader.eof:
        check_growth(len(packed), most + 1 if len(data) == most else 0)
        raise EOFError
    return data


BAD_PATH = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL)
"""The error numbers that mean that the name of a file is wrong, and not that the disk has a problem."""


def cannot_write(path: Path, error: OSError) -> FileError:
    """The exception to raise when a file cannot be written."""
    cls = FileError if error.errno in BAD_PATH else ResourceError
    return cls(_("{path}: cannot be written: {reason}").format(path=path, reason=error.strerror or error))


def write_whole(path: Path, fill: Callable[[BinaryIO], object], is_private: bool = False) -> None:
    """Write a file by calling fill(file). An older file of this name is replaced only when everything is written.

    is_private: only its owner may read the file, and it is on the disk when this returns.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        with os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if is_private else 0o666), "wb"
        ) as file:
            fill(file)
            if is_private:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
