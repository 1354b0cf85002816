"""Writing files as a whole or not at all."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from zermelo.errors import FileError
from zermelo.language import _


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
