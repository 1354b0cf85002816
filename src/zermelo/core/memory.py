"""Words of memory by address. So a record can hold a large array of any length, and a call passes a single pointer.

(An array as an argument takes seven machine words and a change of its reference count at every call. And if a function
makes an array from an address, Numba's inliner drops what it writes there, unless the function reads it again.)
"""

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import chosen_by_types, declared

_I64 = ir.IntType(64)


def word_at(address: Any, index: Any) -> Any:
    """The uint64 at this index of an array that begins at an address."""
    return np.uint64(ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value)


def write_word(address: Any, index: Any, value: Any) -> None:
    """Write the uint64 at this index of an array that begins at an address."""
    ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value = int(value)


def prefetch(address: Any, index: Any) -> None:
    """Ask the processor to begin fetching this word from memory, because it will soon be read."""


def _place(builder, address, index):
    return builder.gep(builder.inttoptr(address, _I64.as_pointer()), [index])


@intrinsic
def _load(typing_context, address, index):
    def generate(context, builder, signature, arguments):
        return builder.load(_place(builder, *arguments))

    return types.uint64(types.uint64, types.int64), generate


@intrinsic
def _store(typing_context, address, index, value):
    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], _place(builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64, types.uint64), generate


@intrinsic
def _prefetch(typing_context, address, index):
    def generate(context, builder, signature, arguments):
        place = _place(builder, *arguments)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = declared(builder.module, kind, "llvm.prefetch.p0")
        to_write, soon_again, data = number(1), number(3), number(1)
        builder.call(function, [place, to_write, soon_again, data])
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64), generate


chosen_by_types(word_at)(lambda address, index: _load)
chosen_by_types(write_word)(lambda address, index, value: _store)
chosen_by_types(prefetch)(lambda address, index: _prefetch)
