"""Small nets whose first layer is a table, as in the chess engines' NNUE: a row of numbers for each possible input.

Only a few of the inputs are active in a position, so the first layer is a sum of a few rows. Two more layers follow:

    hidden = clip(bias + sum of the active inputs' rows, 0, 1)      y = out . max(0, second . hidden + bias) + bias

A net may have been trained with a gap: a number of points added to every win and subtracted from every loss. So the net
learns who wins before it learns how fast. Its value is then y - gap tanh(y / (SOFTNESS gap)), which takes the gap out
again: all of it where the net is sure who wins, and less where it is not.

A game may define the inputs (`net_view`); by default they are the entries of its table (see tables.py). It may also
play on to a quiet position first, or give the value of a position without the net.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int32

from zermelo.core import generic, njit
from zermelo.core.functions import tanh
from zermelo.core.scratch import scratch
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries, table_size


@generic
def net_view(state: Any, out: int32[::1]) -> tuple[int, int, float]:
    """Write the numbers of the active inputs to out, and return (how many, sign, score).

    The value for the player to move is the net's value times the sign. If the first number is -1, the net is not
    needed, and the value is the score.
    """


@net_view.of()
def _(state: Any, out: Any) -> tuple[int, int, float]:
    return table_entries(state, out), 1, 0


@generic
def net_size(state: Any) -> int:
    """The number of inputs."""


@net_size.of()
def _(state: Any) -> int:
    return table_size(state)


def net_layout(inputs: int, hidden: int, second: int) -> list[tuple[str, tuple[int, ...]]]:
    """The names and shapes of a net's arrays, in the order in which they stand in its vector."""
    return [
        ("rows", (inputs, hidden)),
        ("hidden_bias", (hidden,)),
        ("second", (hidden, second)),
        ("second_bias", (second,)),
        ("out", (second,)),
        ("out_bias", (1,)),
    ]


SOFTNESS = 1.5
"""Of 1.25, 1.5, 2 and 3, this value gave the smallest error."""


def net_function(inputs: int, hidden: int, second: int, gap: float, unit: float) -> Callable[..., Any]:
    """The function (state, w) of a net of this size, where w is its vector. It returns round(unit times the points)."""
    after_rows = inputs * hidden
    after_hidden = after_rows + hidden
    after_second = after_hidden + hidden * second
    after_bias = after_second + second
    last = after_bias + second
    factor, gap_points, width = np.float32(unit), np.float32(gap), np.float32(SOFTNESS * gap)
    has_gap = gap > 0
    zero, one = np.float32(0), np.float32(1)

    def net_value(state: Any, w: Any) -> np.float32:
        entries = scratch(MOST_ENTRIES, np.int32)
        number, sign, score = net_view(state, entries)
        if number < 0:
            return np.rint(factor * np.float32(score))
        layer = scratch(hidden, np.float32)
        for j in range(hidden):
            layer[j] = w[after_rows + j]
        for i in range(number):
            start = np.uint64(entries[i]) * np.uint64(hidden)
            for j in range(hidden):
                layer[j] += w[start + np.uint64(j)]
        above = scratch(second, np.float32)
        for k in range(second):
            above[k] = w[after_second + k]
        for j in range(hidden):
            active = min(max(layer[j], zero), one)
            if active > zero:
                for k in range(second):
                    above[k] += active * w[after_hidden + j * second + k]
        value = w[last]
        for k in range(second):
            value += max(above[k], zero) * w[after_bias + k]
        if has_gap:
            value -= gap_points * np.float32(tanh(value / width))
        return np.rint(factor * np.float32(sign) * value)

    return net_value


@njit
def view_of(state: Any, out: Any) -> tuple[int, int, float]:
    """The same as net_view, as a plain compiled function that can be passed to others."""
    return net_view(state, out)
