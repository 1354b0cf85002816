"""The shell around a heuristic, `int32 native(state, address of the weights)`, which is what a search calls."""

import ctypes

import numba
import numpy as np
from numba import int32, types
from numba.extending import intrinsic, overload

from zermelo.core.numba_private import borrowed
from zermelo.core.numbers import FINE, MOST_POINTS, POINT, units_of

STATE_BYTES = 4096
"""The number of bytes that is enough for a state of any game, as compiled code holds it."""


@intrinsic
def as_pointer(typing_context, address):
    """An address as a pointer to weights."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float32)(types.uint64), generate


def bounded(value):
    """A heuristic's value in the units of a search."""
    return units_of(round(float(value)))


def _from_integer(value):
    if -FINE <= value <= FINE:
        return int32(value * POINT)
    return units_of(value)


def _from_float(value):
    if value != value:
        raise ValueError("it returned nan, which is not a number")
    return units_of(round(min(max(value, -MOST_POINTS), MOST_POINTS)))


@overload(bounded)
def _bounded_by_type(value):
    return _from_float if isinstance(value, types.Float) else _from_integer


@intrinsic
def remember(typing_context, state, place):
    """Write a state to an address with room for STATE_BYTES."""

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(signature.args[0])
        assert context.get_abi_sizeof(kind) <= STATE_BYTES
        builder.store(arguments[0], builder.inttoptr(arguments[1], kind.as_pointer()))
        return context.get_dummy_value()

    return types.void(state, types.uint64), generate


@intrinsic
def remembered(typing_context, like, place):
    """The state that was written to an address; it has the same class as `like`."""

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(signature.return_type)
        value = builder.load(builder.inttoptr(arguments[1], kind.as_pointer()))
        return borrowed(context, builder, signature.return_type, value)

    return like(like, types.uint64), generate


@numba.njit
def read_state(like, place):
    """The same, to be called from Python."""
    return remembered(like, place)


# ------------------------------------------------------------------------------------------ shells


@intrinsic
def itself(typing_context, state):
    """The state as it is."""

    def generate(context, builder, signature, arguments):
        return borrowed(context, builder, signature.return_type, arguments[0])

    return state(state), generate


def shell_of(inner, number, given=itself):
    """The shell around a compiled function of a state or, if `number` is not None, of a state and that many weights.

    given: what makes the function's argument of a state, such as a board.
    """
    if number is None:

        def native(state, address):
            return bounded(inner(given(state)))
    else:

        def native(state, address):
            return bounded(inner(given(state), numba.carray(as_pointer(address), (number,))))

    return native


def recording_shell_of(inner, number, place, given=itself):
    """The same shell, but it first writes each state to an address (see `remember`)."""
    judge = numba.njit(shell_of(inner, number, given), nogil=True)

    def native(state, address):
        remember(state, place)
        return judge(state, address)

    return native


def interpreted_shell(function, number, given):
    """The same shell around a plain Python function, which runs in the interpreter; given: as for `shell_of`."""
    if number is None:
        return lambda state, address: bounded(function(given(state)))

    def native(state, address):
        vector = np.ctypeslib.as_array((ctypes.c_float * number).from_address(int(address)))
        return bounded(function(given(state), vector))

    return native


def callback_shell(call, signature):
    """A compiled shell that calls an interpreted one."""

    @numba.njit(signature)
    def native(state, address):
        with numba.objmode(value="int32"):
            value = call(state, address)
        return value  # noqa: RET504 - it may not return from inside

    return native
