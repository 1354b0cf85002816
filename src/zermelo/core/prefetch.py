"""Telling the processor early which memory will be read, so that it does not wait for it later."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import chosen_by_types, declared, first_element

_BYTES = ir.IntType(8).as_pointer()
_I32 = ir.IntType(32)
_READ, _KEEP, _DATA = 0, 3, 1  # for reading, to be kept in all caches, data rather than code


def prefetch(array: Any, index: Any) -> None:
    """Begin to bring the cache line of this element of an array near. It changes no result; plain Python ignores it."""


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(first_element(context, builder, signature.args[0], arguments[0]), [arguments[1]])
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _I32, _I32, _I32])
        function = declared(builder.module, kind, "llvm.prefetch.p0i8")
        options = [ir.Constant(_I32, option) for option in (_READ, _KEEP, _DATA)]
        builder.call(function, [builder.bitcast(place, _BYTES), *options])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


chosen_by_types(prefetch)(lambda array, index: _prefetch)
