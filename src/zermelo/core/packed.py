"""States as rows of 64-bit words, so that compiled code and other processes can work on many at a time."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import word_at
from zermelo.core.state import ArrayOf

MASK = (1 << 64) - 1


def is_packable(cls: Any) -> bool:
    """Are all fields integers? (A state that holds arrays, such as that of a game tree, cannot be packed.)"""
    return all(not isinstance(kind, ArrayOf) and issubclass(kind, (np.integer, np.bool_)) for kind in cls.kinds)


def words_of(state: Any) -> list[int]:
    """The fields of a state as 64-bit words."""
    return [int(part) & MASK for part in state]


@intrinsic
def state_at(typing_context, like, words, row):
    """The state in a row of packed states; it has the same class as `like`."""

    def generate(context, builder, signature, arguments):
        parts = []
        for column, kind in enumerate(like.types):
            word = builder.load(word_at(context, builder, words, arguments[1], arguments[2], column))
            parts.append(context.cast(builder, word, types.uint64, kind))
        return context.make_tuple(builder, like, parts)

    return like(like, words, types.intp), generate


@intrinsic
def put_state(typing_context, words, row, state):
    """Write a state into a row of packed states."""

    def generate(context, builder, signature, arguments):
        for column, kind in enumerate(state.types):
            part = context.cast(builder, builder.extract_value(arguments[2], column), kind, types.uint64)
            builder.store(part, word_at(context, builder, words, arguments[0], arguments[1], column))
        return context.get_dummy_value()

    return types.none(words, types.intp, state), generate
