"""How a search represents a value: as an int32 that counts units of a thousandth of a point.

A heuristic returns points. Values of up to a million points, positive or negative, keep three decimals. Beyond that the
steps grow, so that even values of hundreds of millions stay in order. Values are limited to MOST_POINTS. All of them
are less than the value of a won game, which is WIN minus one point for every ply until the end of the game.
"""

from typing import Any

from numba import float64, int32

from zermelo.core.compiling import njit

POINT = 1000
"""The number of units in a point."""

WIN = 2_000_000_000
"""The value of a won game in units, less PLY for every ply until the end."""

PLY = POINT
"""How many units more a win is worth if it comes one ply earlier."""

MOST_PLIES = 1 << 10
"""The maximum number of plies that a search looks ahead."""

PROVEN = WIN - MOST_PLIES * PLY
"""A score above PROVEN is a proven win, and a score below -PROVEN a proven loss."""

MOST_POINTS = 10**9
"""The largest value of a heuristic, in points. Larger values are cut off."""

FINE = 1_000_000  # up to this many points, every unit is a thousandth of a point
_FINE_UNITS = FINE * POINT
_ROOM = 900_000_000.0  # the number of units for all values beyond FINE
_BEND = _ROOM / POINT  # with this value the first steps beyond FINE are still one unit


@njit
def units_of(points: Any) -> Any:
    """A heuristic's value in units."""
    size = abs(float64(points))
    if size <= FINE:
        units = size * POINT
    else:
        beyond = min(size, float64(MOST_POINTS)) - FINE
        units = _FINE_UNITS + _ROOM * beyond / (beyond + _BEND)
    return int32(round(units)) if points > 0 else int32(-round(units))


def points_of(units: int) -> float:
    """The value in points that a number of units stands for; an int if it is whole."""
    size = abs(int(units))
    if size <= _FINE_UNITS:
        points = size / POINT
    elif size >= units_of(MOST_POINTS):
        points = MOST_POINTS
    else:
        share = (size - _FINE_UNITS) / _ROOM
        points = round(FINE + _BEND * share / (1 - share))
    signed = points if units > 0 else -points
    return int(signed) if signed == int(signed) else signed
