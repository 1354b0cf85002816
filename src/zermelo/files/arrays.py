"""Files of learned weights of every kind. They are NPZ files, which are read without pickle.

One of the arrays, `about`, holds JSON as bytes. It describes the others: the format of the file, the kind of model, the
game, its shape and how the model was made.
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
from zermelo.files.reading import cannot_read, check_format
from zermelo.files.whole import DAMAGED, check_growth
from zermelo.language import _

FORMAT = 1


def about_bytes(kind: str, **told: Any) -> np.ndarray[Any, Any]:
    """The array `about` of a file to be written."""
    about = {"format": FORMAT, "kind": kind} | told
    return np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8)


@contextlib.contextmanager
def arrays_of(path: Path) -> Iterator[Any]:
    """The arrays of an NPZ file. Each is read when it is asked for.

    The memory that they need is checked first, since a few megabytes of ZIP can hold gigabytes of zeros.
    """
    with path.open("rb") as file:
        _check_sizes(file, path.stat().st_size)
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            yield arrays


def _check_sizes(file: BinaryIO, size: int) -> None:
    """Raise ValueError if the arrays are much larger than the file, or not as large as their headers say."""
    with zipfile.ZipFile(file) as members:
        check_growth(size, sum(member.file_size for member in members.infolist()))
        for member in members.infolist():
            with members.open(member) as array:
                version = np.lib.format.read_magic(array)
                read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
                shape, _order, kind = read[version](array)
                if min(shape, default=0) < 0 or array.tell() + math.prod(shape) * kind.itemsize != member.file_size:
                    raise ValueError(_("an array does not have the size that its header gives"))


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[dict[str, Any], Any]]:
    """The description and the arrays of a file. FileError if it is not such a file, also while the arrays are read."""
    try:
        with arrays_of(path) as arrays:
            about = json.loads(arrays["about"].tobytes().decode())
            _check(about, path)
            yield about, arrays
    except ZermeloError:
        raise
    except OSError as error:
        raise cannot_read(path, error) from None
    except DAMAGED as error:
        raise FileError(
            "{path} is not a file of learned weights, or it is damaged ({error})", path=path, error=error
        ) from None


def _check(about: Any, path: Path) -> None:
    if (
        not isinstance(about, dict)
        or not isinstance(about.get("made"), dict)
        or not {"kind", "game", "shape"} <= set(about)
    ):
        raise FileError(
            "{path} is not a file of learned weights, or it is damaged (its description is missing)", path=path
        )
    check_format(path, about.get("format"), FORMAT)


def about_of(path: Path) -> dict[str, Any]:
    """The description in a file of learned weights."""
    with opened(path) as (about, _arrays):
        return about
