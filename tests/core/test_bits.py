"""Bit tricks: compiled code and plain Python give the same results, also for bit 63."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import uint64

from zermelo.core import bit, compiled, count, highest, lowest, mix, njit, without_lowest

boards = st.integers(0, 2**64 - 1).map(np.uint64)


@njit
def all_of_them(board):
    return count(board), lowest(board), highest(board), without_lowest(board), mix(board), bit(lowest(board) & 63)


@settings(deadline=None)  # the first call compiles
@given(boards)
def test_compiled_code_agrees_with_plain_python(board):
    found = compiled(all_of_them, uint64)(board)
    number = int(board)
    assert found[0] == count(board) == bin(number).count("1")
    assert found[1] == lowest(board) == (next(i for i in range(64) if number >> i & 1) if number else 64)
    assert found[2] == highest(board) == number.bit_length() - 1
    assert found[3] == without_lowest(board) == (number & (number - 1) if number else 0)
    assert found[4] == mix(board)
    assert found[5] == bit(lowest(board) & 63)


def test_a_board_stays_unsigned():
    assert compiled(all_of_them, uint64)(np.uint64(2**63))[5] == 2**63
    assert isinstance(bit(63), np.uint64)


@pytest.mark.parametrize(("value", "mixed"), [(0, 0), (1, 0x5692161D100B05E5)])
def test_mix_is_the_finaliser_of_splitmix64(value, mixed):
    """mix(1): worked out with plain integers from the published constants (Steele, Lea and Flood 2014)."""
    assert mix(np.uint64(value)) == mixed
