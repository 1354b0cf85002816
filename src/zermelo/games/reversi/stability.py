"""Discs that can never be flipped.

A disc is safe along a line if the whole line is full, or if its neighbour on that line is outside the board or is a
safe disc of the same colour. A disc that is safe along all four lines is stable. Full lines are found exactly; the
other stable discs grow from the corners.
"""

import numpy as np

from zermelo.core import ZERO, njit
from zermelo.core.lanes import either, lanes, lanes_at, spread
from zermelo.games.reversi.rules import DOWNWARDS, MOST, ROW, UPWARDS


def beyond(directions: tuple[tuple[int, int], ...], steps: int) -> list[int]:
    """For each direction, the squares from which this many steps leave the 8x8 board."""
    found = []
    for column_step, row_step in directions:
        places = [(s % ROW + steps * column_step, s // ROW + steps * row_step) for s in range(64)]
        outside = [not (0 <= column < MOST and 0 <= row < MOST) for column, row in places]
        found.append(sum(1 << square for square in range(64) if outside[square]))
    return found


OFF_BELOW = np.array([beyond(DOWNWARDS, steps) for steps in (1, 2, 4)], np.uint64)
OFF_ABOVE = np.array([beyond(UPWARDS, steps) for steps in (1, 2, 4)], np.uint64)
EDGES = OFF_BELOW[:1] | OFF_ABOVE[:1]  # for each line, the squares that have a neighbour on one side only


@njit
def full_lines(filled):
    """For each of the four lines through a square (as lanes): the squares whose line is full from end to end."""
    step, double, fourfold = lanes(1, 7, 8, 9), lanes(2, 14, 16, 18), lanes(4, 28, 32, 36)
    below = above = spread(filled)
    below = below & ((below << step) | lanes_at(OFF_BELOW, 0))
    below = below & ((below << double) | lanes_at(OFF_BELOW, 1))
    below = below & ((below << fourfold) | lanes_at(OFF_BELOW, 2))
    above = above & ((above >> step) | lanes_at(OFF_ABOVE, 0))
    above = above & ((above >> double) | lanes_at(OFF_ABOVE, 1))
    above = above & ((above >> fourfold) | lanes_at(OFF_ABOVE, 2))
    return below & above


@njit
def stable_discs(mine, theirs, squares):
    """My discs that provably can never be flipped, on the board of these squares."""
    step = lanes(1, 7, 8, 9)
    outside = ~squares
    safe = full_lines(mine | theirs | outside) | lanes_at(EDGES, 0)
    stable, before = ZERO, ~ZERO
    while stable != before:
        before = stable
        wall = spread(stable | outside)
        stable = mine & ~either(~(safe | (wall << step) | (wall >> step)))
    return stable
