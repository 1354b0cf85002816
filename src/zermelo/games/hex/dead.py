"""Cells that no longer matter: dead cells, and pairs of cells that one player has captured.

A ring of six cells surrounds a cell. A stone on the cell matters only if the ring can still be split into four runs,
Black, White, Black, White: otherwise each colour's part of the ring is connected without it. Then the cell is *dead*,
and may be filled with either colour. Two neighbouring cells are *captured* by a player who can kill either of them by
playing on the other: they may be filled with that player's stones (Hayward and van Rijswijck, Hex and combinatorics,
2006). Outside the board the ring has the colour of the edge.
"""

import itertools

import numpy as np

from zermelo.core import ZERO, bit, lowest, njit, without_lowest
from zermelo.games.hex.rules import AROUND_X, AROUND_Y
from zermelo.games.hex.small import CELLS, MOST_CELLS, MOST_SIZE, NEIGHBOUR, NEIGHBOURS

# A ring is a number: bit d for a black cell in direction d, bit 6 + d for a white one.
RINGS = 1 << 12
IS_DEAD = 1 << 12


def _is_live(ring):
    """Can the empty cells of the ring be filled so that there are four runs?"""
    choices = [{(1, 0): "B", (0, 1): "W", (0, 0): "BW"}[ring >> d & 1, ring >> 6 + d & 1] for d in range(6)]
    return any(sum(full[d] != full[d - 1] for d in range(6)) >= 4 for full in itertools.product(*choices))


def _ring_table():
    """For every ring: whether the cell in it is dead (IS_DEAD), and the bits of single stones that would kill it."""
    possible = [ring for ring in range(RINGS) if not ring & ring >> 6 & 63]
    dead = {ring for ring in possible if not _is_live(ring)}
    table = np.zeros(RINGS, np.int64)
    for ring in possible:
        empty = [d for d in range(6) if not (ring >> d | ring >> 6 + d) & 1]
        killers = sum(1 << k for d in empty for k in (d, d + 6) if ring | 1 << k in dead)
        table[ring] = killers | IS_DEAD * (ring in dead)
    return table


def _edge_table():
    """By size and cell: the part of the ring that lies outside the board."""
    table = np.zeros((MOST_SIZE + 1, MOST_CELLS), np.int64)
    for size in range(2, MOST_SIZE + 1):
        for cell, direction in itertools.product(range(size * size), range(6)):
            x, y = cell % size + AROUND_X[direction], cell // size + AROUND_Y[direction]
            if not 0 <= y < size:
                table[size, cell] |= 1 << direction
            elif not 0 <= x < size:
                table[size, cell] |= 1 << 6 + direction
    return table


KILLERS = _ring_table()
EDGE_RING = _edge_table()


@njit
def killers_of(black, white, cell, size):
    """The entry of KILLERS for the ring around a cell."""
    ring = EDGE_RING[size, cell]
    for direction in range(6):
        other = NEIGHBOUR[size, cell, direction]
        if black & other:
            ring |= 1 << direction
        elif white & other:
            ring |= 64 << direction
    return KILLERS[ring]


@njit
def filled(black, white, size):
    """The boards with dead cells (as black stones) and captured cells filled in, and the dead cells; the winner stays
    the same.

    No proof needs a dead cell: whoever has a stone there in the end, the same player wins.
    """
    waiting, dead = CELLS[size] & ~(black | white), ZERO
    while waiting:
        cell = lowest(waiting)
        waiting = without_lowest(waiting)
        killers = killers_of(black, white, cell, size)
        gone = ZERO
        if killers & IS_DEAD:
            gone = bit(cell)
            black |= gone
            dead |= gone
        elif killers:
            for direction in range(6):
                if (killers >> direction | killers >> (6 + direction)) & 1:
                    other = NEIGHBOUR[size, cell, direction]
                    in_return = killers_of(black, white, lowest(other), size) >> ((direction + 3) % 6)
                    both_ways = killers >> direction & in_return
                    if both_ways & 65:  # bits 0 and 6: Black, White
                        gone = bit(cell) | other
                        if both_ways & 1:
                            black |= gone
                        else:
                            white |= gone
                        break
        while gone:  # the neighbours of filled cells may now be dead or captured
            waiting |= NEIGHBOURS[size, lowest(gone)]
            gone = without_lowest(gone)
        waiting &= ~(black | white)
    return black, white, dead
