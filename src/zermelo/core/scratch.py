"""Scratch memory for one function call. It lies on the stack, so that a heuristic need not allocate any."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zermelo.core.numba_private import (
    RequireLiteralValue,
    array_at,
    array_lengths,
    chosen_by_types,
    first_element,
    stack_room,
)


def scratch(number: Any, kind: Any) -> Any:
    """An array of this many numbers of a NumPy type, with arbitrary contents. Both arguments must be constants.

    In compiled code the array ends with the function that asked for it. Pass it on to other functions, never return it.
    Keep it small, since a thread may have as little as 512 kB of stack, and do not use it in recursive functions.
    """
    return np.empty(number, kind)


@intrinsic(prefer_literal=True)
def _scratch(typing_context, number, kind):
    if not isinstance(number, types.IntegerLiteral):
        raise RequireLiteralValue("scratch: the number of elements must be a constant")
    made = types.Array(kind.dtype, 1, "C")
    length = number.literal_value

    def generate(context, builder, signature, arguments):
        element = context.get_data_type(kind.dtype)
        memory = stack_room(builder, ir.ArrayType(element, length))
        return array_at(context, builder, made, builder.bitcast(memory, element.as_pointer()), length)

    return made(number, kind), generate


chosen_by_types(scratch, prefer_literal=True)(lambda number, kind: _scratch)


def scratch_record(kind: Any) -> Any:
    """A record of a NumPy type with fields, under the same conditions."""
    return np.empty(1, kind).view(np.recarray)[0]


@overload(scratch_record, inline="always", prefer_literal=True)
def _(kind):
    return lambda kind: _scratch(1, kind)[0]


def short_numbers(array: Any) -> Any:
    """The same memory as 16-bit integers. Unlike `view`, compiled code neither checks nor counts anything."""
    return array.view(np.int16)


@intrinsic
def _short_numbers(typing_context, array):
    made = types.Array(types.int16, 1, "C")
    ratio = array.dtype.bitwidth // made.dtype.bitwidth

    def generate(context, builder, signature, arguments):
        data = first_element(context, builder, array, arguments[0])
        [length] = array_lengths(context, builder, array, arguments[0])
        data = builder.bitcast(data, context.get_data_type(made.dtype).as_pointer())
        return array_at(context, builder, made, data, builder.mul(length, context.get_constant(types.intp, ratio)))

    return made(array), generate


chosen_by_types(short_numbers)(lambda array: _short_numbers)
