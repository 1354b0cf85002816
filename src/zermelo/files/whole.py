"""Files are written as a whole or not at all, and what is damaged is known as such when it is read."""

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
    ValueError,  # also what JSON, TOML, Unicode, NumPy and Arrow raise most often
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,  # Arrow, where a file ends too soon
    NotImplementedError,  # a ZIP file that names another compression
    RuntimeError,  # one that says it is encrypted; RecursionError: lists in lists in lists
    OverflowError,
    MemoryError,  # an array of 2^60 numbers, its header says
    SyntaxError,  # NumPy, of the header of an array; TokenError too
    tokenize.TokenError,
    struct.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a damaged file raises: Python's, NumPy's and Arrow's readers have many ways to say that it is one."""

BAD_JSON: tuple[type[Exception], ...] = (ValueError, RecursionError)
"""What text raises that is no JSON or TOML; ValueError alone is not enough: lists may be in lists without end."""


ROOM, GROWTH = 1 << 27, 50
"""What a compressed file holds may take so many bytes of memory, and so many more for each byte of the file."""


def check_growth(size: int, needed: int) -> None:
    """ValueError if a file of this size would take far more memory than files of ours do."""
    if needed > ROOM + GROWTH * size:
        raise ValueError(
            _("its contents would take {needed:,} bytes of memory, and the file has only {size:,}").format(
                needed=needed, size=size
            )
        )


def decompressed(packed: bytes) -> bytes:
    """What zlib.compress was given; ValueError if that is far more than files of ours hold."""
    most = ROOM + GROWTH * len(packed)
    reader = zlib.decompressobj()
    data = reader.decompress(packed, most)
    if not reader.eof:
        check_growth(len(packed), most + 1 if len(data) == most else 0)
        raise EOFError
    return data


BAD_PATH = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL)
"""Why a file cannot be written, where its name is to blame and not the disk."""


def cannot_write(path: Path, error: OSError) -> FileError:
    """What to raise when a file cannot be written."""
    cls = FileError if error.errno in BAD_PATH else ResourceError
    return cls(_("{path}: cannot be written: {reason}").format(path=path, reason=error.strerror or error))


def write_whole(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file by fill(file); another of this name is replaced only when all is written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            fill(file)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
