"""The shell around a heuristic, `int32 native(state, address of the weights)`, which is what a search calls."""

import decimal
import numbers
import reprlib

import numba
import numpy as np
from numba import int32, types
from numba.extending import intrinsic, overload

from zermelo.core.numba_private import borrowed, parts_of, tuple_class, whole
from zermelo.core.numbers import FINE, MOST_POINTS, POINT, units_of
from zermelo.core.weights import weights_at, weights_from
from zermelo.errors import Message, marked

STATE_BYTES = 4096
"""The number of bytes that is enough for a state of any game, as compiled code holds it."""


# ------------------------------------------------------------------------------------------ values


class BadValue(ValueError):
    """What a heuristic returned is no value: its text says what it was. Compiled code cannot translate it."""


NOT_A_NUMBER = marked("it returned nan, which stands for 'not a number'; a value must be a finite number")
INFINITE = marked("it returned an infinite number; a value must be a finite number")
NOTHING = marked("it returned None; a value must be a number (does the function end without a return?)")
NO_NUMBER = marked("it returned {value}; a value must be a number")


def bounded(value):
    """A heuristic's value in the units of a search. A BadValue says why it is none."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if value is None:
        raise BadValue(NOTHING)
    if not isinstance(value, (numbers.Real, np.bool_, decimal.Decimal)):
        raise BadValue(Message(NO_NUMBER, value=reprlib.repr(value)))
    if isinstance(value, int):
        return units_of(min(max(value, -MOST_POINTS), MOST_POINTS))  # it may be too large for a float
    return _from_float(float(value))


def _from_integer(value):
    if -FINE <= value <= FINE:
        return int32(value * POINT)
    return units_of(value)


def _from_float(value):
    if not abs(value) < np.inf:
        if value != value:
            raise BadValue(NOT_A_NUMBER)
        raise BadValue(INFINITE)
    return units_of(value)


def _from_optional(value):
    if value is None:
        raise BadValue(NOTHING)
    return bounded(value * 1)  # the product cannot be None


@overload(bounded)
def _bounded_by_type(value):
    if isinstance(value, types.Optional):
        return _from_optional
    return _from_float if isinstance(value, types.Float) else _from_integer


def is_number(kind):
    """Are the values of this Numba type numbers, or perhaps numbers and perhaps None?"""
    kind = kind.type if isinstance(kind, types.Optional) else kind
    return isinstance(kind, (types.Float, types.Integer, types.Boolean))


# ------------------------------------------------------------------------------------------ the state of a failure


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


def argument_for(boards):
    """What makes the argument of a compiled function of whatever another function passes to it: a board or a state.

    boards: the board class that the function wants around the states of each class; none if it wants the states.
    """

    @intrinsic
    def argument(typing_context, given):
        is_board = hasattr(given, "around")
        if is_board == bool(boards):
            wanted = given
        else:
            cls = given.state_class if is_board else tuple_class(given)
            wanted = cls.numba if is_board else boards[cls].numba(cls)

        def generate(context, builder, signature, arguments):
            value = arguments[0]
            if is_board and wanted is not given:
                value = parts_of(context, builder, given, value).state
            elif wanted is not given:
                filled = parts_of(context, builder, wanted)
                filled.state = value
                value = whole(filled)
            return borrowed(context, builder, wanted, value)

        return wanted(given), generate

    return argument


def callee_of(inner, form, boards):
    """The compiled function that another heuristic calls: it takes boards and states, whichever the inner one wants."""
    argument = argument_for(boards)
    if form is None:
        return numba.njit(lambda state: inner(argument(state)), nogil=True)
    return numba.njit(lambda state, w: inner(argument(state), w), nogil=True)


def shell_of(inner, form, given=itself, finish=bounded):
    """The shell around a compiled function of a state or, if `form` is not None, of a state and weights.

    given: what makes the function's argument of a state, such as a board. finish: what becomes of the value; with
    `float` it is neither checked nor rounded to the units of a search.
    """
    if form is None:

        def native(state, address):
            return finish(inner(given(state)))
    else:

        def native(state, address):
            return finish(inner(given(state), weights_at(address, form)))

    return native


def recording_shell_of(inner, form, place, given=itself):
    """The same shell, but it first writes each state to an address (see `remember`)."""
    judge = numba.njit(shell_of(inner, form, given), nogil=True)

    def native(state, address):
        remember(state, place)
        return judge(state, address)

    return native


def interpreted_shell(function, form, given, finish=bounded):
    """The same shell around a plain Python function, which runs in the interpreter."""
    if form is None:
        return lambda state, address: finish(function(given(state)))
    return lambda state, address: finish(function(given(state), weights_from(address, form)))


def given_shell(function, form, given):
    """A plain function of a state as other plain functions call it: of a state, or of a state and weights."""
    if form is None:
        return lambda state: function(given(state))
    return lambda state, w: function(given(state), w)


def called_back(heuristic, form):
    """The same for compiled code, around a heuristic that runs in the interpreter and knows its weights itself."""

    def judge(state):
        with numba.objmode(value="float64"):
            value = float(heuristic(state))
        return value  # noqa: RET504 - it may not return from inside

    judge = numba.njit(judge)
    return judge if form is None else numba.njit(lambda state, w: judge(state))


def strict(call):
    """The same interpreted shell, in which NumPy's numbers fail where compiled code fails, and wrap where it does."""

    def native(state, address):
        with np.errstate(over="ignore", under="ignore", divide="raise", invalid="raise"):
            return call(state, address)

    return native


def callback_shell(call, signature):
    """A compiled shell that calls an interpreted one."""

    @numba.njit(signature)
    def native(state, address):
        with numba.objmode(value="int32"):
            value = call(state, address)
        return value  # noqa: RET504 - it may not return from inside

    return native
