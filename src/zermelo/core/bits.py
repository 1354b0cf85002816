"""Bit tricks on 64-bit boards, the same in Python and in compiled code.

In compiled code `board & 1` is signed, since a bare literal is an int64. Write ONE and bit(i) instead.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import chosen_by_types

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


def _of_word(result: Any, generate: Any) -> Any:
    """An intrinsic of one 64-bit word, for numbers only: sets of cells have code of their own (see zermelo.boards)."""

    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return generate(builder, arguments[0])

    @intrinsic
    def function(typing_context: Any, word: Any) -> Any:
        return result(types.uint64), generated

    return function


def _population(builder: Any, word: Any) -> Any:
    return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [_I64]), [word])


def _zeros(name: str, builder: Any, word: Any) -> Any:
    """The LLVM intrinsics that count zero bits take a second argument, which says whether 0 has no defined result."""
    function = builder.module.declare_intrinsic(name, [_I64], ir.FunctionType(_I64, [_I64, ir.IntType(1)]))
    return builder.call(function, [word, ir.IntType(1)(0)])


def _mixed(builder: Any, word: Any) -> Any:
    for places, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = builder.mul(builder.xor(word, builder.lshr(word, _I64(places))), _I64(factor))
    return builder.xor(word, builder.lshr(word, _I64(31)))


def _register(function: Any, result: Any, generate: Any) -> None:
    compiled = _of_word(result, generate)
    chosen_by_types(function)(lambda word: compiled if isinstance(word, _NUMBERS) else None)


_register(count, types.int64, _population)
_register(lowest, types.int64, lambda builder, word: _zeros("llvm.cttz", builder, word))
_register(highest, types.int64, lambda builder, word: builder.sub(_I64(63), _zeros("llvm.ctlz", builder, word)))
_register(bit, types.uint64, lambda builder, word: builder.shl(_I64(1), word))
_register(without_lowest, types.uint64, lambda builder, word: builder.and_(word, builder.sub(word, _I64(1))))
_register(mix, types.uint64, _mixed)
