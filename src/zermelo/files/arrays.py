"""Files of learned weights, whatever the kind: NPZ, read without pickle. One of the arrays, `about`, is JSON as bytes.

It says what the others are: the file's format, the kind of thing it holds, the game, its shape and how it was made.
"""

import contextlib
import json
import math
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from zermelo.errors import FileError, ZermeloError
from zermelo.files.whole import DAMAGED, check_growth
from zermelo.language import _

FORMAT = 1


def about_bytes(kind: str, **told: Any) -> np.ndarray[Any, Any]:
    """The array `about` of a file to be written."""
    about = {"format": FORMAT, "kind": kind} | told
    return np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8)


@contextlib.contextmanager
def arrays_of(path: Path) -> Iterator[Any]:
    """The arrays of an NPZ file, each read when it is asked for.

    What they would take in memory is looked at first: a few megabytes of ZIP can hold gigabytes of zeros.
    """
    with path.open("rb") as file:
        _check_sizes(file, path.stat().st_size)
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            yield arrays


def _check_sizes(file: BinaryIO, size: int) -> None:
    """ValueError if the arrays are much larger than the file, or not as large as they say."""
    with zipfile.ZipFile(file) as members:
        check_growth(size, sum(member.file_size for member in members.infolist()))
        for member in members.infolist():
            with members.open(member) as array:
                version = np.lib.format.read_magic(array)
                read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
                shape, _order, kind = read[version](array)
                if min(shape, default=0) < 0 or array.tell() + math.prod(shape) * kind.itemsize != member.file_size:
                    raise ValueError(_("an array is not as large as its head says"))


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[dict[str, Any], Any]]:
    """What a file says of itself, and its arrays; FileError if it is no such file, also while they are read."""
    try:
        with arrays_of(path) as arrays:
            about = json.loads(arrays["about"].tobytes().decode())
            _check(about, path)
            yield about, arrays
    except ZermeloError:
        raise
    except OSError as error:
        raise FileError(
            _("{path}: cannot be read: {reason}").format(path=path, reason=error.strerror or error)
        ) from None
    except DAMAGED as error:
        raise FileError(
            _("{path}: is no file of learned weights, or damaged ({error})").format(path=path, error=error)
        ) from None


def _check(about: Any, path: Path) -> None:
    if (
        not isinstance(about, dict)
        or not isinstance(about.get("made"), dict)
        or not {"kind", "game", "shape"} <= set(about)
    ):
        raise FileError(
            _("{path}: is no file of learned weights, or damaged (it does not say what it is)").format(path=path)
        )
    if about.get("format") != FORMAT:
        raise FileError(
            _("{path}: has format {format}, and this version reads format {ours}").format(
                path=path, format=about.get("format"), ours=FORMAT
            )
        )


def about_of(path: Path) -> dict[str, Any]:
    """What a file of learned weights says of itself."""
    with opened(path) as (about, _arrays):
        return about
