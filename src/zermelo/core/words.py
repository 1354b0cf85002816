"""Boards of several 64-bit words. They are tuples; compiled code keeps them in registers."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core.numba_private import TypingError, chosen_by_types, stack_copy


def replaced(words: Any, index: Any, word: Any) -> Any:
    """The same tuple or state with another word at this index, which must exist (compiled code does not check).

    >>> replaced((4, 5, 6), 1, 0)
    (4, 0, 6)
    """
    parts = list(words)
    parts[index] = word
    return tuple(parts) if type(words) is tuple else type(words)(*parts)


@intrinsic
def _replaced(typing_context, words, index, word):
    def generate(context, builder, signature, arguments):
        given, at, new = arguments
        memory = stack_copy(builder, given)  # LLVM turns it into registers once the loop is unrolled
        builder.store(new, builder.gep(memory, [ir.Constant(at.type, 0), at]))
        return builder.load(memory)

    return words(words, types.int64, words.dtype), generate


@chosen_by_types(replaced)
def _(words, index, word):
    if not isinstance(words, (types.UniTuple, types.NamedUniTuple)):
        raise TypingError("replaced: all parts of the tuple must be of one type")
    return _replaced
