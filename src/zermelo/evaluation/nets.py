"""Small nets whose first layer is a table, as in the chess engines' NNUE: a row of numbers for each possible input.

Few of the inputs are active in a position, so the first layer is a sum of a few rows; two more layers follow:

    hidden = clip(bias + sum of the active inputs' rows, 0, 1)      y = out . max(0, second . hidden + bias) + bias

It may have been taught with a gap: every win counted so many points more, every loss so many less, which makes it look
harder at who wins than at when. What it says is then y - gap tanh(y / (SOFTNESS gap)), in points again: wins and losses
less the gap, and in between as far as it is sure.

A game may say what the inputs are (`net_view`); by default they are the entries of its table (see tables.py). It may
also settle a position before it is judged, or say at once what it is worth.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int32

from zermelo.core import generic, njit
from zermelo.core.scratch import scratch
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries, table_size


@generic
def net_view(state, out: int32[::1]):
    """Write the numbers of the active inputs to out. Gives (how many, sign, score).

    The net's value times the sign is what the position is worth to the player to move. With -1 of them there is nothing
    to ask the net: the position is worth the score.
    """


@net_view.of()
def _(state, out):
    return table_entries(state, out), 1, 0


@generic
def net_size(state):
    """How many inputs there are."""


@net_size.of()
def _(state):
    return table_size(state)


def net_layout(inputs: int, hidden: int, second: int) -> list[tuple[str, tuple[int, ...]]]:
    """The arrays of a net, in the order in which they stand in its vector."""
    return [
        ("rows", (inputs, hidden)),
        ("hidden_bias", (hidden,)),
        ("second", (hidden, second)),
        ("second_bias", (second,)),
        ("out", (second,)),
        ("out_bias", (1,)),
    ]


SOFTNESS = 1.5
"""Measured: of 1.25, 1.5, 2 and 3 the one with the least error."""


def net_function(inputs: int, hidden: int, second: int, gap: float, unit: float) -> Callable[..., Any]:
    """The function (state, w) of a net of this size, w being all its numbers; its value is in 1/unit points."""
    after_rows = inputs * hidden
    after_hidden = after_rows + hidden
    after_second = after_hidden + hidden * second
    after_bias = after_second + second
    last = after_bias + second
    factor, gap_points, width = np.float32(unit), np.float32(gap), np.float32(SOFTNESS * gap)
    has_gap = gap > 0
    zero, one = np.float32(0), np.float32(1)

    def net_value(state, w):
        entries = scratch(MOST_ENTRIES, np.int32)
        number, sign, score = net_view(state, entries)
        if number < 0:
            return factor * np.float32(score)
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
            value -= gap_points * np.float32(np.tanh(value / width))
        return factor * np.float32(sign) * value

    return net_value


@njit
def view_of(state, out):
    """net_view, for callers that take it as a function."""
    return net_view(state, out)
