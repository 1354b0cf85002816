"""What a number is inside a search: an int32 that counts thousandths of a point.

A heuristic's value is given in points. Up to a million points (either way) three decimals are kept. Beyond that the
steps grow, so that even a heuristic which speaks in hundreds of millions keeps its order; no value passes MOST_POINTS.
All of that lies below a won game, which counts WIN less a point for every ply that it takes.
"""

from typing import Any

from numba import float64, int32

from zermelo.core.compiling import njit

POINT = 1000
"""Units in a point."""

WIN = 2_000_000_000
"""A won game scores WIN less PLY for every ply it took."""

PLY = POINT
"""So much more is a win worth that comes a ply earlier."""

MOST_PLIES = 1 << 10
"""No search looks further ahead."""

PROVEN = WIN - MOST_PLIES * PLY
"""A score above it is a proven win, one below -PROVEN a proven loss."""

MOST_POINTS = 10**9
"""A heuristic's value beyond it is cut off."""

FINE = 1_000_000  # points up to which every unit is a thousandth
_FINE_UNITS = FINE * POINT
_ROOM = 900_000_000.0  # units for all that is beyond
_BEND = _ROOM / POINT  # so the steps begin to grow gently


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
    """The value in points that such a number stands for: an int where it is whole."""
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
