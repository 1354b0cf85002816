"""The memory of a module: which address holds what, and how compiled code reads and writes there.

Everything has a fixed address that is known before the code is compiled. So no function takes arrays, which Numba would
count the users of, and the host needs no allocator.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import array_at, array_lengths, array_of_shape, first_element
from zermelo.core.state import ArrayOf
from zermelo.players.modules import CONTROL, LONGEST_LINE, state_bytes, state_fields

__all__ = ["CONTROL", "LONGEST_LINE", "state_bytes"]

STACK = 1 << 20
"""The bytes from 0 to here are the stack. It grows down, so a recursion that is too deep ends with a trap."""


class Scaled(NamedTuple):
    """A matrix that is made when the module begins: integers of 8 bits, times the scales of their columns."""

    address: int
    integers: int  # their address
    scales: int
    number: int  # of integers
    columns: int


@dataclass
class Memory:
    """Which parts of the memory are taken."""

    end: int = STACK
    places: dict[str, tuple[int, int]] = field(default_factory=dict)  # address and size, by name
    contents: dict[str, bytes] = field(default_factory=dict)  # what stands there when the module begins
    scaled: list[Scaled] = field(default_factory=list)

    def take(self, name: str, size: int, contents: bytes = b"") -> int:
        """The address of a part with this size and these contents. Its name is free for the caller to choose."""
        address = -(-self.end // 64) * 64
        self.places[name] = address, size
        if contents:
            self.contents[name] = contents
        self.end = address + size
        return address


# ------------------------------------------------------------------------------------------ in compiled code

_WORD = ir.IntType(64)


def _pointer(builder: Any, address: Any, offset: int, kind: Any) -> Any:
    place = builder.add(address, ir.Constant(address.type, offset))
    return builder.inttoptr(place, kind.as_pointer())


def state_reader(cls: Any) -> Any:
    """What reads a state of this class at an address."""
    fields, _ = state_fields(cls)

    @intrinsic
    def read(typing_context: Any, address: Any) -> Any:
        made = cls.numba

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            parts = []
            for one, kind in zip(fields, made.types, strict=True):
                if isinstance(one.kind, ArrayOf):
                    parts.append(_read_array(context, builder, kind, arguments[0], one.offset))
                else:
                    place = _pointer(builder, arguments[0], one.offset, context.get_data_type(kind))
                    parts.append(context.unpack_value(builder, kind, place))
            return context.make_tuple(builder, made, parts)

        return made(types.int64), generate

    return read


def _read_array(context: Any, builder: Any, kind: Any, address: Any, offset: int) -> Any:
    words = [builder.load(_pointer(builder, address, offset + 8 * i, _WORD)) for i in range(1 + kind.ndim)]
    pointer = builder.inttoptr(words[0], context.get_data_type(kind.dtype).as_pointer())
    return array_of_shape(context, builder, kind, pointer, words[1:])


def _array_words(context: Any, builder: Any, kind: Any, array: Any) -> list[Any]:
    address = builder.ptrtoint(first_element(context, builder, kind, array), _WORD)
    return [address, *array_lengths(context, builder, kind, array)]


def state_writer(cls: Any) -> Any:
    """What writes a state of this class to an address."""
    fields, _ = state_fields(cls)

    @intrinsic
    def write(typing_context: Any, address: Any, state: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            for place, (one, kind) in enumerate(zip(fields, state.types, strict=True)):
                value = builder.extract_value(arguments[1], place)
                if isinstance(one.kind, ArrayOf):
                    for number, word in enumerate(_array_words(context, builder, kind, value)):
                        builder.store(word, _pointer(builder, arguments[0], one.offset + 8 * number, _WORD))
                else:
                    at = _pointer(builder, arguments[0], one.offset, context.get_data_type(kind))
                    context.pack_value(builder, kind, value, at)
            return context.get_dummy_value()

        return types.void(types.int64, state), generate

    return write


def record_reader(record: Any) -> Any:
    """What makes a record of this Numba type of an address; it is the memory itself, not a copy."""

    @intrinsic
    def read(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(record))

        return record(types.int64), generate

    return read


def array_reader(element: Any) -> Any:
    """What makes an array of so many elements of this Numba type of an address."""

    @intrinsic
    def read(typing_context: Any, address: Any, length: Any) -> Any:
        kind = types.Array(element, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = builder.inttoptr(arguments[0], context.get_data_type(element).as_pointer())
            return array_at(context, builder, kind, pointer, arguments[1])

        return kind(types.int64, types.int64), generate

    return read
