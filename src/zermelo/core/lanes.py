"""Four 64-bit boards side by side, worked on by one machine instruction: the four directions of a line at once.

    steps = lanes(1, 7, 8, 9)
    reached = either(spread(board) << steps)          # a board: all squares reached by any of the four steps

In compiled code they are LLVM vectors. On a machine without vector instructions LLVM takes them apart again. In plain
Python they are NumPy arrays of four. Operators are & | ^ ~ + - << >>, between lanes only; a shift is by less than 64.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from zermelo.core.numba_private import chosen_by_types, declared, first_element

NUMBER = 4

_I64 = ir.IntType(64)
_VECTOR = ir.VectorType(_I64, NUMBER)


def lanes(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Four boards as lanes."""
    return np.array([a, b, c, d], np.uint64)


def spread(board: Any) -> Any:
    """The same board in every lane."""
    return np.full(NUMBER, board, np.uint64)


def lanes_at(table: Any, row: Any) -> Any:
    """A row of a C-ordered array of shape (n, 4) of boards."""
    return table[row].copy()


def set_lanes(table: Any, row: Any, vector: Any) -> None:
    """Write lanes to a row of such an array, or to the words 4 * row to 4 * row + 3 of a flat array of any numbers."""
    table.reshape(-1).view(np.uint64).reshape(-1, NUMBER)[row] = vector


def either(vector: Any) -> Any:
    """The union of the four boards."""
    return np.bitwise_or.reduce(vector)


def highest_bits(vector: Any) -> Any:
    """In each lane, the highest bit alone; bit 0 in a lane that has none."""
    return np.array([1 << max(int(board).bit_length() - 1, 0) for board in vector], np.uint64)


def nonzero_lanes(vector: Any) -> Any:
    """1 in each lane that has a bit set, 0 in the others."""
    return (vector != 0).astype(np.uint64)


class LanesType(types.Type):
    """The Numba type of lanes."""

    def __init__(self) -> None:
        super().__init__(name="lanes")


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, _VECTOR)


def _constant(value):
    return ir.Constant(_VECTOR, [ir.Constant(_I64, value)] * NUMBER)


def _element(index):
    return ir.Constant(ir.IntType(32), index)


@intrinsic
def _lanes(typing_context, a, b, c, d):
    def generate(context, builder, signature, arguments):
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for index, value in enumerate(arguments):
            vector = builder.insert_element(vector, value, _element(index))
        return vector

    return LANES(types.uint64, types.uint64, types.uint64, types.uint64), generate


@intrinsic
def _spread(typing_context, board):
    def generate(context, builder, signature, arguments):
        single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), arguments[0], _element(0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), NUMBER), [0] * NUMBER)
        return builder.shuffle_vector(single, single, places)

    return LANES(types.uint64), generate


@intrinsic
def _lanes_at(typing_context, table, row):
    def generate(context, builder, signature, arguments):
        data = first_element(context, builder, signature.args[0], arguments[0])
        pointer = builder.gep(data, [builder.mul(arguments[1], ir.Constant(_I64, NUMBER))])
        return builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=8)

    return LANES(table, types.int64), generate


@intrinsic
def _set_lanes(typing_context, table, row, vector):
    def generate(context, builder, signature, arguments):
        data = first_element(context, builder, signature.args[0], arguments[0])
        pointer = builder.gep(builder.bitcast(data, _VECTOR.as_pointer()), [arguments[1]])
        builder.store(arguments[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(table, types.int64, LANES), generate


@intrinsic
def _either(typing_context, vector):
    def generate(context, builder, signature, arguments):
        function = declared(builder.module, ir.FunctionType(_I64, [_VECTOR]), "llvm.vector.reduce.or.v4i64")
        return builder.call(function, arguments)

    return types.uint64(LANES), generate


@intrinsic
def _highest_bits(typing_context, vector):
    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(_VECTOR, [_VECTOR, ir.IntType(1)])
        function = declared(builder.module, kind, "llvm.ctlz.v4i64")
        some = builder.or_(arguments[0], _constant(1))
        above = builder.call(function, [some, ir.Constant(ir.IntType(1), 1)])
        return builder.lshr(_constant(1 << 63), above)

    return LANES(LANES), generate


@intrinsic
def _nonzero_lanes(typing_context, vector):
    def generate(context, builder, signature, arguments):
        return builder.zext(builder.icmp_unsigned("!=", arguments[0], _constant(0)), _VECTOR)

    return LANES(LANES), generate


def _binary(instruction):
    @intrinsic
    def function(typing_context, left, right):
        def generate(context, builder, signature, arguments):
            return getattr(builder, instruction)(*arguments)

        return LANES(LANES, LANES), generate

    return function


@intrinsic
def _inverted(typing_context, vector):
    def generate(context, builder, signature, arguments):
        return builder.not_(arguments[0])

    return LANES(LANES), generate


chosen_by_types(lanes)(lambda a, b, c, d: _lanes)
chosen_by_types(spread)(lambda board: _spread)
chosen_by_types(lanes_at)(lambda table, row: _lanes_at)
chosen_by_types(set_lanes)(lambda table, row, vector: _set_lanes)
chosen_by_types(either)(lambda vector: _either)
chosen_by_types(highest_bits)(lambda vector: _highest_bits)
chosen_by_types(nonzero_lanes)(lambda vector: _nonzero_lanes)


def _register(operation: Any, function: Any) -> None:
    """Let an operator stand for an intrinsic if all that it is given are lanes."""
    chosen_by_types(operation)(
        lambda *operands: function if all(isinstance(one, LanesType) for one in operands) else None
    )


for _operation, _instruction in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    _register(_operation, _binary(_instruction))
_register(operator.invert, _inverted)
