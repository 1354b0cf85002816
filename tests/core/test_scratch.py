"""Scratch memory of a function call."""

import numba
import numpy as np
import pytest

from zermelo.core import JIT, njit
from zermelo.core.scratch import scratch, short_numbers

LENGTH = 1000


@njit
def sum_of_squares(number):
    squares, total = scratch(LENGTH, np.int64), scratch(1, np.float64)
    total[0] = 0
    for i in range(number):
        squares[i] = i * i
    for i in range(number):
        total[0] += squares[i]
    return total[0]


@njit
def nested(number):
    mine = scratch(4, np.int64)
    mine[:] = number
    inner = sum_of_squares(number)  # has its own memory
    return inner + mine.sum()


def test_what_is_written_stays_until_the_function_ends() -> None:
    assert sum_of_squares(LENGTH) == 332_833_500.0  # n (n + 1) (2 n + 1) / 6 for n = 999
    assert nested(3) == 0 + 1 + 4 + 4 * 3


@pytest.mark.skipif(not JIT, reason="plain Python takes an ordinary array")
def test_nothing_is_allocated() -> None:
    fresh = numba.njit(sum_of_squares.py_func)  # what comes from the cache cannot be looked at
    fresh(3)
    code = "".join(fresh.inspect_llvm().values())
    assert "NRT_MemInfo_alloc" not in code
    assert "NRT_Allocate" not in code


@pytest.mark.skipif(not JIT, reason="plain Python takes any number")
def test_the_number_must_be_a_constant() -> None:
    @njit
    def of_size(number):
        return scratch(number, np.int64)[0]

    with pytest.raises(Exception, match="must be a constant"):
        of_size(5)


def test_short_numbers_are_those_of_the_same_memory() -> None:
    def second_and_length(numbers):
        short = short_numbers(numbers)
        return short[1], len(short)

    numbers = np.array([1, -2, 3, 4], np.int16).view(np.float32)
    for run in (second_and_length, njit(second_and_length)):
        assert tuple(run(numbers)) == (-2, 4)
