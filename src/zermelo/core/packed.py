"""States as rows of 64-bit words: so compiled code takes many of them at a time, and another process can be told them."""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numba.np import arrayobj

from zermelo.core.state import ArrayOf

MASK = (1 << 64) - 1


def is_packable(cls: Any) -> bool:
    """Are all fields whole numbers? (A state that holds arrays, such as a tree's, cannot be packed.)"""
    return all(not isinstance(kind, ArrayOf) and issubclass(kind, (np.integer, np.bool_)) for kind in cls.kinds)


def words_of(state: Any) -> list[int]:
    """The fields of a state as 64-bit words."""
    return [int(part) & MASK for part in state]


def _place(context: Any, builder: Any, array_type: Any, array: Any, row: Any, column: int) -> Any:
    """The pointer to a word of a two-dimensional array."""
    whole = arrayobj.make_array(array_type)(context, builder, array)
    width = builder.extract_value(whole.shape, 1)
    index = builder.add(builder.mul(row, width), context.get_constant(types.intp, column))
    return builder.gep(whole.data, [index])


@intrinsic
def state_at(typing_context, like, words, row):
    """The state in a row of packed ones, which is of the class of `like`."""

    def generate(context, builder, signature, arguments):
        parts = []
        for column, kind in enumerate(like.types):
            word = builder.load(_place(context, builder, words, arguments[1], arguments[2], column))
            parts.append(context.cast(builder, word, types.uint64, kind))
        return context.make_tuple(builder, like, parts)

    return like(like, words, types.intp), generate


@intrinsic
def put_state(typing_context, words, row, state):
    """Write a state into a row."""

    def generate(context, builder, signature, arguments):
        for column, kind in enumerate(state.types):
            part = context.cast(builder, builder.extract_value(arguments[2], column), kind, types.uint64)
            builder.store(part, _place(context, builder, words, arguments[0], arguments[1], column))
        return context.get_dummy_value()

    return types.none(words, types.intp, state), generate
