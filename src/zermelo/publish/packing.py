"""Large constants of a module, packed: compiled code unpacks them when the module begins.

A packed piece is its address and its size, 32 bits each, and then pairs of parts until the size is reached: some bytes
as they are, and some bytes that were there before (how many, and how far back). A size of 0 ends the pieces. All other
numbers are LEB128.
"""

from collections import defaultdict
from typing import Any

from numba import int64, types

from zermelo.core import njit
from zermelo.publish.entries import Entry
from zermelo.publish.memory import array_reader

PLACE = 64
"""The address of the packed pieces: at the far end of the stack, which is not in use when the module begins."""

SHORTEST = 6  # a repetition of fewer bytes would not save anything
CANDIDATES = 64  # earlier places to look at for each repetition
HEAD = 8


def leb(value: int) -> bytes:
    """An unsigned number in LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def packed(address: int, data: bytes) -> bytes:
    """The packed form of the bytes at an address."""
    places: dict[bytes, list[int]] = defaultdict(list)
    out = [address.to_bytes(4, "little"), len(data).to_bytes(4, "little")]
    done = at = 0
    while at < len(data):
        length, back = _longest(data, at, places[data[at : at + SHORTEST]])
        if length >= SHORTEST or at == len(data) - 1:
            plain = data[done : at + (length < SHORTEST)]
            length = length if length >= SHORTEST else 0
            out += [leb(len(plain)), plain, leb(length), leb(back)]
            done = at + max(length, 1)
        for passed in range(at, max(done, at + 1)):
            places[data[passed : passed + SHORTEST]].append(passed)
        at = max(done, at + 1)
    return b"".join(out)


def _longest(data: bytes, at: int, earlier: list[int]) -> tuple[int, int]:
    """The longest repetition of earlier bytes that begins here: how many bytes, and how far back."""
    best, back = 0, 0
    for place in earlier[-CANDIDATES:]:
        length, step = 0, 256
        while step:
            here, there = at + length, place + length
            if here + step <= len(data) and data[there : there + step] == data[here : here + step]:
                length += step
            else:
                step //= 2
        if length > best:
            best, back = length, at - place
    return best, back


@njit
def read_number(memory: Any, at: Any) -> Any:
    """A number in LEB128, and the place behind it."""
    value = shift = int64(0)
    while True:
        byte = int64(memory[at])
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


@njit
def read_word(memory: Any, at: Any) -> Any:
    """A number of 32 bits."""
    return int64(memory[at]) | int64(memory[at + 1]) << 8 | int64(memory[at + 2]) << 16 | int64(memory[at + 3]) << 24


@njit
def unpack_all(memory: Any, first: Any) -> Any:
    """Unpack all pieces in an array of bytes whose first byte has this address, from the first byte on."""
    at = int64(0)
    while True:
        out, size = read_word(memory, at) - first, read_word(memory, at + 4)
        at += HEAD
        if size == 0:
            return int64(0)
        end = out + size
        while out < end:
            plain, at = read_number(memory, at)
            for i in range(plain):
                memory[out + i] = memory[at + i]
            out, at = out + plain, at + plain
            length, at = read_number(memory, at)
            back, at = read_number(memory, at)
            for i in range(length):
                memory[out + i] = memory[out + i - back]
            out += length


def unpack_entry(afterwards: Any) -> Entry:
    """The function by which a module begins; afterwards: a compiled function that it then calls."""
    bytes_at: Any = array_reader(types.uint8)

    def unpack() -> Any:
        # The array does not begin at 0, since LLVM takes that for a null pointer.
        unpack_all(bytes_at(int64(PLACE), int64(1) << 32), int64(PLACE))
        afterwards()
        return int64(0)

    return Entry("unpack", unpack, 0, "void")
