"""Boards of up to 8x8 cells in a single word, for the solver. The bits are those of boards.py."""

import numpy as np

from zermelo.core import ONE, bit, njit
from zermelo.games.hex.boards import CELLS as ALL_CELLS
from zermelo.games.hex.boards import GOAL, NOT_FIRST_COLUMN, NOT_LAST_COLUMN, START
from zermelo.games.hex.rules import AROUND_X, AROUND_Y

MOST_SIZE = 8
MOST_CELLS = MOST_SIZE * MOST_SIZE

# These are indexed by size, unless stated otherwise.
CELLS = ALL_CELLS[: MOST_SIZE + 1, 0].copy()
EDGES = np.stack([START[:, : MOST_SIZE + 1, 0], GOAL[:, : MOST_SIZE + 1, 0]])
"""By edge (0 where a player begins, 1 the other), player and size."""

_RIGHT = NOT_FIRST_COLUMN[: MOST_SIZE + 1, 0].copy()
_LEFT = NOT_LAST_COLUMN[: MOST_SIZE + 1, 0].copy()


def _neighbours():
    """By size, cell and direction (clockwise): the neighbour as a board of one cell, or an empty board."""
    table = np.zeros((MOST_SIZE + 1, MOST_CELLS, 6), np.uint64)
    for size in range(2, MOST_SIZE + 1):
        for cell in range(size * size):
            for direction in range(6):
                x, y = cell % size + AROUND_X[direction], cell // size + AROUND_Y[direction]
                if 0 <= x < size and 0 <= y < size:
                    table[size, cell, direction] = bit(y * size + x)
    return table


NEIGHBOUR = _neighbours()
NEIGHBOURS = np.bitwise_or.reduce(NEIGHBOUR, axis=2)
"""By size and cell: all neighbours."""


@njit
def grown(board, region, size):
    """The cells of region that are in the set or next to one of its cells."""
    row, slant = np.uint64(size), np.uint64(size - 1)
    right = (board << ONE | board >> slant) & _RIGHT[size]
    left = (board >> ONE | board << slant) & _LEFT[size]
    return (right | left | board << row | board >> row | board) & region


@njit
def flooded(board, region, size):
    """The cells of region that can be reached from the set through region."""
    board &= region
    while True:
        wider = grown(board, region, size)
        if wider == board:
            return board
        board = wider


@njit
def is_joined(stones, player, size):
    """Do these stones join the player's two edges?"""
    return flooded(EDGES[0, player, size], stones, size) & EDGES[1, player, size] != np.uint64(0)


_SWAPS = tuple(
    (np.uint64(1 << i), np.uint64(sum(1 << bit for bit in range(64) if not bit >> i & 1))) for i in range(6)
)  # bit numbers differ in place i: shift by 2^i, and the bits whose number has a 0 there


@njit
def rotated(board, size):
    """The board turned by 180 degrees, which does not change the game: the last cell becomes the first."""
    for step, low in _SWAPS:
        board = (board >> step & low) | (board & low) << step
    return board >> np.uint64(64 - size * size)
