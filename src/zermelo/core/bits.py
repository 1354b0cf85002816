"""Bit tricks on 64-bit boards, the same in Python and in compiled code.

In compiled code `board & 1` is signed, since a bare literal is an int64. Write ONE and bit(i) instead.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = ~ZERO

_I64 = ir.IntType(64)
_NUMBERS = (types.Integer, types.Boolean)  # sets of cells have code of their own (see zermelo.boards)


def count(board: Any) -> int:
    """The number of bits that are set."""
    return int(board).bit_count()


def lowest(board: Any) -> int:
    """The index of the lowest bit set; 64 if there is none."""
    value = int(board)
    return (value & -value).bit_length() - 1 if value else 64


def highest(board: Any) -> int:
    """The index of the highest bit set; -1 if there is none."""
    return int(board).bit_length() - 1


def bit(index: Any) -> Any:
    """The board with this one bit set."""
    return ONE << np.uint64(index)


def without_lowest(board: Any) -> Any:
    """The board without its lowest bit; a set of cells stays one."""
    value = int(board)
    rest = value & (value - 1) if value else 0
    return np.uint64(rest) if isinstance(board, (int, np.generic)) else board & rest


def mix(value: Any) -> Any:
    """A hash key: 64 bits, each of which depends on every bit of value (the last step of SplitMix64)."""
    number = int(value)
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    number = (number ^ number >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return np.uint64(number ^ number >> 31)


@intrinsic
def _population(typing_context, board):
    def generate(context, builder, signature, arguments):
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [_I64]), arguments)

    return types.int64(types.uint64), generate


def _zeros(name):
    """The LLVM intrinsics that count zero bits take a second argument, which says whether 0 has no defined result."""

    @intrinsic
    def zeros(typing_context, board):
        def generate(context, builder, signature, arguments):
            kind = ir.FunctionType(_I64, [_I64, ir.IntType(1)])
            function = builder.module.declare_intrinsic(name, [_I64], kind)
            return builder.call(function, [arguments[0], ir.Constant(ir.IntType(1), 0)])

        return types.int64(types.uint64), generate

    return zeros


_trailing_zeros = _zeros("llvm.cttz")
_leading_zeros = _zeros("llvm.ctlz")


@overload(count, inline="always")
def _(board):
    return (lambda board: _population(board)) if isinstance(board, _NUMBERS) else None


@overload(lowest, inline="always")
def _(board):
    return (lambda board: _trailing_zeros(board)) if isinstance(board, _NUMBERS) else None


@overload(highest, inline="always")
def _(board):
    return (lambda board: 63 - _leading_zeros(board)) if isinstance(board, _NUMBERS) else None


@overload(bit, inline="always")
def _(index):
    return lambda index: ONE << np.uint64(index)


@overload(without_lowest, inline="always")
def _(board):
    return (lambda board: board & (board - ONE)) if isinstance(board, _NUMBERS) else None


@overload(mix, inline="always")
def _(value):
    def mixed(value):
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return value ^ (value >> np.uint64(31))

    return mixed
