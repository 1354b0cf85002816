"""Sets of cells as tuples of 64-bit words: what compiled code does with them, one instruction for each word."""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.core import ZERO, bit, count, lowest, njit, without_lowest
from zermelo.core.numba_private import chosen_by_types
from zermelo.core.words import replaced

_I64 = ir.IntType(64)


def either(words: Any, others: Any) -> Any:
    """The union of two sets."""
    return tuple(map(operator.or_, words, others))


def common(words: Any, others: Any) -> Any:
    """The cells that are in both sets."""
    return tuple(map(operator.and_, words, others))


def differing(words: Any, others: Any) -> Any:
    """The cells that are in one of the two sets but not in both."""
    return tuple(map(operator.xor, words, others))


def without(words: Any, others: Any) -> Any:
    """The cells of the first set that are not in the other."""
    return tuple(word & ~other for word, other in zip(words, others, strict=True))


def _wordwise(combine):
    """An intrinsic that combines two tuples of words, word by word."""

    @intrinsic
    def function(typing_context, words, others):
        def generate(context, builder, signature, arguments):
            result = arguments[0]
            for number in range(signature.args[0].count):
                parts = [builder.extract_value(argument, number) for argument in arguments]
                result = builder.insert_value(result, combine(builder, *parts), number)
            return result

        return words(words, words), generate

    return function


def _register(function, combine):
    wordwise = _wordwise(combine)
    chosen_by_types(function)(lambda words, others: wordwise)


_register(either, lambda builder, word, other: builder.or_(word, other))
_register(common, lambda builder, word, other: builder.and_(word, other))
_register(differing, lambda builder, word, other: builder.xor(word, other))
_register(without, lambda builder, word, other: builder.and_(word, builder.not_(other)))


@njit
def is_empty(words):
    """Is there no cell in the set?"""
    any_bits = ZERO
    for i in range(len(words)):
        any_bits |= words[i]
    return any_bits == ZERO


@njit
def number_of(words):
    """The number of cells in the set."""
    number = 0
    for i in range(len(words)):
        number += count(words[i])
    return number


@njit
def has_place(words, place):
    """Is the cell at this place in the set?"""
    return words[place >> 6] & bit(place & 63) != ZERO


@njit
def with_place(words, place):
    """The set with the cell at this place."""
    return replaced(words, place >> 6, words[place >> 6] | bit(place & 63))


@njit
def first_place(words):
    """The least place of a cell in the set; -1 if the set is empty."""
    for i in range(len(words)):
        if words[i]:
            return 64 * i + lowest(words[i])
    return -1


@njit
def without_first(words):
    """The set without the cell at its least place."""
    for i in range(len(words)):
        if words[i]:
            return replaced(words, i, without_lowest(words[i]))
    return words


@intrinsic
def _one_word(typing_context, like, word):
    def generate(context, builder, signature, arguments):
        first = ir.Constant(arguments[0].type, [0] * signature.args[0].count)
        return builder.insert_value(first, arguments[1], 0)

    return like(like, types.uint64), generate


def with_bits(like: Any, bits: Any) -> Any:
    """The set of these bits of the first word, in as many words as `like` has."""
    return (np.uint64(bits), *(ZERO for _ in like[1:]))


chosen_by_types(with_bits)(lambda like, bits: _one_word)


@njit
def moved_bits(words, step):
    """The bits moved up by this many places, from word to word; down if the number is negative."""
    result = words
    bits = abs(step) & 63
    whole = abs(step) >> 6
    for i in range(len(words)):
        source = i - whole if step >= 0 else i + whole
        beyond = source - 1 if step >= 0 else source + 1
        word = ZERO
        if 0 <= source < len(words):
            word = words[source] << np.uint64(bits) if step >= 0 else words[source] >> np.uint64(bits)
        if bits and 0 <= beyond < len(words):
            word |= words[beyond] >> np.uint64(64 - bits) if step >= 0 else words[beyond] << np.uint64(64 - bits)
        result = replaced(result, i, word)
    return result
