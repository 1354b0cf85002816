"""What rewritten code calls (see rewriting.py): unpacking the rows of a table, and reversing a sequence."""

from typing import Any

import numba
from numba import types
from numba.extending import overload


def _pair(value: Any) -> Any:
    first, second = value
    return first, second


def _triple(value: Any) -> Any:
    first, second, third = value
    return first, second, third


def _four(value: Any) -> Any:
    first, second, third, fourth = value
    return first, second, third, fourth


def backwards(values: Any) -> Any:
    """The values in reverse order."""
    return reversed(values)


def _unpacked(size: int, take: Any) -> Any:
    def choose(value):
        if isinstance(value, types.BaseTuple):
            return lambda value: value
        if isinstance(value, types.List) or (isinstance(value, types.Array) and value.ndim >= 1):

            def unpack(value):
                if len(value) != size:
                    raise ValueError("there are not as many values as names to unpack them to")
                return take(value)

            return unpack
        return None

    return choose


overload(_pair)(_unpacked(2, numba.njit(lambda v: (v[0], v[1]))))
overload(_triple)(_unpacked(3, numba.njit(lambda v: (v[0], v[1], v[2]))))
overload(_four)(_unpacked(4, numba.njit(lambda v: (v[0], v[1], v[2], v[3]))))


@overload(backwards)
def _backwards(values):
    if isinstance(values, types.RangeType):
        return lambda values: range(
            values.start + (len(values) - 1) * values.step, values.start - values.step, -values.step
        )
    return lambda values: values[::-1]


HELPERS = {"__zermelo_2": _pair, "__zermelo_3": _triple, "__zermelo_4": _four, "__zermelo_backwards": backwards}
"""The names under which rewritten code calls them."""
