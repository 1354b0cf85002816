"""exp, log and tanh of our own: near those of the C library, and the same in plain Python and in compiled code."""

import math
import random

import numpy as np
import pytest

from zermelo.core import functions

CHANCE = random.Random(1)
SOME = {
    "exp": [CHANCE.uniform(-700, 700) for _ in range(300)] + [CHANCE.uniform(-1, 1) for _ in range(300)],
    "log": [10 ** CHANCE.uniform(-300, 300) for _ in range(300)] + [float(n) for n in range(1, 300)] + [5e-324],
    "tanh": [CHANCE.uniform(-3, 3) for _ in range(300)] + [1e-10, 0.3, 0.30000001, 19.9, 25.0],
}


def units_apart(one, other):
    """How many numbers lie between two numbers of the same sign."""
    return abs(int(np.float64(one).view(np.int64)) - int(np.float64(other).view(np.int64)))


@pytest.mark.parametrize("name", SOME)
def test_near_the_c_library_and_the_same_without_the_compiler(name):
    ours, theirs = getattr(functions, name), getattr(math, name)
    plain = getattr(ours, "py_func", ours)
    for x in SOME[name]:
        assert units_apart(ours(x), theirs(x)) <= 3, x
        assert ours(x) == plain(x), x


def test_at_the_ends():
    assert functions.exp(1000.0) == math.inf and functions.exp(-1000.0) == 0.0 and functions.exp(0.0) == 1.0
    assert functions.log(0.0) == -math.inf and functions.log(1.0) == 0.0 and functions.log(math.inf) == math.inf
    assert math.isnan(functions.log(-1.0)) and math.isnan(functions.exp(math.nan))
    assert functions.tanh(0.0) == 0.0 and functions.tanh(100.0) == 1.0 and functions.tanh(-100.0) == -1.0
