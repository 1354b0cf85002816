"""The compiled shell round a heuristic, which the search calls: what it is made of."""

from typing import Any

from numba import int32
from numba.core import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload

from zermelo.core.numbers import FINE, MOST_POINTS, POINT, units_of

STATE_BYTES = 4096
"""Room for a state of any game, as compiled code holds it."""


@intrinsic
def as_pointer(typing_context, address):
    """An address as a pointer to weights."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float32)(types.uint64), generate


def bounded(value):
    """A heuristic's value as the search takes it."""
    return units_of(round(float(value)))


def _from_integer(value):
    if -FINE <= value <= FINE:
        return int32(value * POINT)
    return units_of(value)


def _from_float(value):
    if value != value:
        raise ValueError("it gave nan, which is no number")
    return units_of(round(min(max(value, -MOST_POINTS), MOST_POINTS)))


@overload(bounded)
def _bounded_by_type(value):
    return _from_float if isinstance(value, types.Float) else _from_integer


class KnownResult:
    """A compiled function that knows its addresses.

    Numba looks them up whenever the function is handed to compiled code: without this, half of what it costs Python to
    begin a search (0.13 ms a heuristic).
    """

    def __init__(self, result: Any):
        self.fndesc = result.fndesc
        self.library = self
        self._library = result.library
        self._addresses: dict[str, int] = {}

    def get_pointer_to_function(self, name: str) -> int:
        if name not in self._addresses:
            self._addresses[name] = self._library.get_pointer_to_function(name)
        return self._addresses[name]


@intrinsic
def remember(typing_context, state, place):
    """Write a state down at an address with room for STATE_BYTES."""

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(signature.args[0])
        assert context.get_abi_sizeof(kind) <= STATE_BYTES
        builder.store(arguments[0], builder.inttoptr(arguments[1], kind.as_pointer()))
        return context.get_dummy_value()

    return types.void(state, types.uint64), generate


@intrinsic
def remembered(typing_context, like, place):
    """The state written down at an address, which is of the same class as `like`."""

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(signature.return_type)
        value = builder.load(builder.inttoptr(arguments[1], kind.as_pointer()))
        return impl_ret_borrowed(context, builder, signature.return_type, value)

    return like(like, types.uint64), generate
