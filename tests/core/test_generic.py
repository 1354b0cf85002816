"""Generic functions: the implementation follows the state's class, in Python and in compiled code."""

from typing import NamedTuple

import numpy as np
import pytest

from zermelo.core import JIT, compiled, generic, njit, state


@state
class Left(NamedTuple):
    value: np.int64 = np.int64(1)


@state
class Right(NamedTuple):
    value: np.int64 = np.int64(2)


@generic
def weigh(state):
    """How heavy it is."""


@generic
def name(state):
    """What it is called."""


@weigh.of(Left)
def _(state):
    return state.value * 10


@weigh.of()
def _(state):
    return state.value * 1000


@njit
def twice(state):
    return 2 * weigh(state)


def test_the_class_decides():
    assert weigh(Left(3)) == 30
    assert weigh(Right(3)) == 3000
    assert weigh.__doc__ == "How heavy it is."


def test_compiled_code_decides_alike():
    assert compiled(twice, Left.numba if JIT else None)(Left(3)) == 60
    assert compiled(twice, Right.numba if JIT else None)(Right(3)) == 6000


def test_a_missing_rule_says_what_to_write():
    with pytest.raises(TypeError, match=r"name is not defined for Left: write @name.of\(Left\)"):
        name(Left())


def test_changing_a_rule_in_use_warns():
    weigh(Left())
    with pytest.warns(UserWarning, match="code that has been compiled keeps the old version"):

        @weigh.of(Left)
        def _(state):
            return state.value * 10
