"""Tuples of words in compiled code."""

import numpy as np
import pytest

from zermelo.core import JIT, njit
from zermelo.core.words import replaced
from zermelo.games.hex.rules import Hex2


@njit
def doubled(words):
    for i in range(len(words)):
        words = replaced(words, i, words[i] + words[i])
    return words


@njit
def first_gone(words):
    return replaced(words, 0, 0)


@pytest.mark.parametrize("length", [1, 2, 6])
def test_words_are_replaced_one_by_one(length: int) -> None:
    words = tuple(np.uint64(2**62 + i) for i in range(length))
    assert doubled(words) == tuple(2 * int(word) for word in words)


def test_a_state_stays_a_state() -> None:
    before = Hex2(*range(9))
    after = doubled(before)
    assert type(after) is Hex2
    assert after == tuple(range(0, 18, 2))
    assert before == tuple(range(9)), "the old one is not touched"


@pytest.mark.skipif(not JIT, reason="plain Python does not mind")
def test_parts_of_several_types_are_refused() -> None:
    with pytest.raises(Exception, match="all parts of the tuple must be of one type"):
        first_gone((1, 2.5))
