"""Lanes: compiled code and NumPy give the same four boards."""

import numpy as np
import pytest

from zermelo.core import njit
from zermelo.core.lanes import either, highest_bits, lanes, lanes_at, nonzero_lanes, set_lanes, spread

TABLE = np.random.default_rng(5).integers(0, 1 << 64, (8, 4), np.uint64)
EDGE = [0, 1, 1 << 63, (1 << 64) - 1, 0x8040201008040201]


def everything(a, b, row):
    """Every operation once, the lanes of each folded into one board so that any difference shows."""
    left, right = lanes(a, b, a ^ b, 0), spread(b)
    steps = lanes(1, 7, 8, 63)
    stored = lanes_at(TABLE, row)
    results = (
        left & right,
        left | stored,
        left ^ right,
        ~left,
        left + stored,
        left - stored,
        left << steps,
        stored >> steps,
        highest_bits(left),
        nonzero_lanes(left),
    )
    total = np.uint64(0)
    for result in results:
        for weight in TABLE[row]:
            total = total * np.uint64(3) + either(result & spread(weight))
    return total


compiled_everything = njit(everything)


@pytest.mark.parametrize("a", EDGE)
@pytest.mark.parametrize("b", EDGE)
def test_compiled_lanes_agree_with_numpy(a: int, b: int) -> None:
    for row in range(len(TABLE)):
        with np.errstate(over="ignore"):
            expected = everything(np.uint64(a), np.uint64(b), row)
        assert compiled_everything(np.uint64(a), np.uint64(b), row) == expected


def test_lanes_are_written_to_their_row():
    def copy(table, row):
        set_lanes(table, row, lanes_at(TABLE, row) + spread(1))

    for run in (copy, njit(copy)):
        out = np.zeros((8, 4), np.uint64)
        run(out, 3)
        assert (out[3] == TABLE[3] + np.uint64(1)).all() and not out[:3].any() and not out[4:].any()


def test_lanes_are_written_to_a_flat_array_of_short_numbers():
    def copy(out, row):
        set_lanes(out, row, lanes_at(TABLE, row))

    for run in (copy, njit(copy)):
        out = np.zeros(32, np.uint16)
        run(out, 1)
        assert (out.view(np.uint64)[4:] == TABLE[1]).all() and not out[:16].any()
