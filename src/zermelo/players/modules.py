"""Published players as files: the parts of a WebAssembly module that a host must know.

The room `publish` makes such modules, and wasm.py plays with them; so what both must agree on stands here.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.core.state import ArrayOf
from zermelo.errors import FileError

FORMAT = 2
"""Of the manifest and the entry points. A host refuses modules of another format."""

SECTION = "zermelo"
"""The custom section of a module that holds its manifest, so that the module alone is enough."""

DATA = 11
"""The kind of the section of a module that holds what its memory contains at the beginning."""

DONE, GO_ON, AGAIN = range(3)
"""What `step` returns: the search has ended; there is a next depth; or the nodes of this step were used up before those
of the search, so that the same depth may be searched again."""

PAST = 512
"""How many keys of earlier positions a search may be given."""
LONGEST_LINE = 128

CONTROL = np.dtype(
    [
        ("failed", np.int64),  # 1 after a trap that was caused by an exception, such as a division by zero
        ("limit", np.int64),  # given to a search: maximum number of nodes
        ("seed", np.int64),  # given to a search that plays at random; -1: the player's own
        ("past", np.int64),  # given to a search: the number of `keys`
        ("depth_limit", np.int64),  # given to a search: maximum depth; 0: the player's own
        ("no_solver", np.int64),  # given to a search: 1: the game's own solver must not be asked; 2: not for a move
        ("move", np.int64),  # what the search answers
        ("score", np.int64),  # for the player to move, in units
        ("depth", np.int64),
        ("nodes", np.int64),
        ("evaluated", np.int64),
        ("exact", np.int64),
        ("complete", np.int64),
        ("solved", np.int64),  # 1 if the game's own solver has found the move; the score is then in points of the game
        ("plies", np.int64),  # if solved: plies to the end of the game; 0 if they are not known
        ("length", np.int64),  # of the line
        ("line", np.int32, LONGEST_LINE),
        ("keys", np.uint64, PAST),  # given to a search: the keys of the positions before this one, the oldest first
    ],
    align=True,
)
"""What a host and a search tell each other."""


# ------------------------------------------------------------------------------------------ states in memory


@dataclass(frozen=True)
class Field:
    """A field of a state in memory."""

    name: str
    kind: Any  # a NumPy type, or ArrayOf
    offset: int

    @property
    def described(self) -> dict[str, Any]:
        """The field as it stands in a manifest."""
        if isinstance(self.kind, ArrayOf):
            kind = f"array of {np.dtype(self.kind.kind).name}"
        else:
            kind = np.dtype(self.kind).name
        return {"name": self.name, "offset": self.offset, "type": kind}


def state_fields(cls: Any) -> tuple[list[Field], int]:
    """Where each field of a state stands in memory, and the size of a state.

    A field that is an array takes one word for its address and one for each dimension.
    """
    at, fields = 0, []
    for name, kind in zip(cls._fields, cls.kinds, strict=True):
        size = 8 if isinstance(kind, ArrayOf) else np.dtype(kind).itemsize
        at = -(-at // size) * size
        fields.append(Field(name, kind, at))
        at += 8 * (1 + kind.dimensions) if isinstance(kind, ArrayOf) else size
    return fields, -(-at // 8) * 8


def state_bytes(state: Any, array_address: Any = None) -> bytes:
    """A state as it stands in memory. array_address: the function that gives the address of an array's numbers."""
    fields, size = state_fields(type(state))
    out = bytearray(size)
    for one, value in zip(fields, state, strict=True):
        if isinstance(one.kind, ArrayOf):
            words = np.array([array_address(one.name, value), *value.shape], np.int64)
            written = words.tobytes()
        else:
            written = np.dtype(one.kind).type(value).tobytes()
        out[one.offset : one.offset + len(written)] = written
    return bytes(out)


# ------------------------------------------------------------------------------------------ files


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The sections of a module or of an object file: the kind of each, and its contents."""
    at = 8
    while at < len(data):
        kind = data[at]
        size, at = read_number(data, at + 1)
        yield kind, data[at : at + size]
        at += size


def manifest_of(data: bytes, name: str = "") -> dict[str, Any]:
    """The manifest of a module. name: what errors call it."""
    try:
        for kind, content in sections(data):
            length, at = read_number(content, 0) if kind == 0 else (0, 0)
            if kind == 0 and content[at : at + length] == SECTION.encode():
                found = json.loads(content[at + length :])
                if found["format"] == FORMAT:
                    return dict(found)
                raise FileError(
                    "{name}: published in format {format}; this version of zermelo plays format {known}",
                    name=name,
                    format=found["format"],
                    known=FORMAT,
                )
    except (IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
    raise FileError("{name}: not a player that zermelo has published (a .wasm file with a manifest)", name=name)
