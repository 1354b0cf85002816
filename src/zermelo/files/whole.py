"""Files are written as a whole or not at all, and what is damaged is known as such when it is read."""

import contextlib
import lzma
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from zermelo.errors import FileError
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


def write_whole(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file by fill(file); another of this name is replaced only when all is written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            fill(file)
        part.replace(path)
    except OSError as error:
        raise FileError(_("{path}: cannot be written: {reason}").format(path=path, reason=error.strerror)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
