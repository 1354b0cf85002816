"""The board as an electric circuit: how much resistance lies between a player's two edges.

An empty cell has a resistance of 1 ohm, a stone of the player has none, and an enemy stone cuts the wire. The
resistance between two neighbours is the sum of theirs (Shannon's machine; Anshelevich's Hexy). Kirchhoff's laws for
n x n cells are a linear system in which cell i is linked only to i ± 1, i ± (n - 1), i ± n. It is solved by
elimination within that band, in n^4 steps, exactly but for rounding.
"""

import math

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import BLACK, CELLS, MOST_SIZE, START, common, flooded, has_cell, part_of, without
from zermelo.games.hex.bridges import bridge_cells
from zermelo.games.hex.rules import AROUND_X, AROUND_Y, board_of

EMPTY, WALL = 1.0, math.inf  # ohm
STONE = 5e-9
"""The resistance of a stone. It should be 0, but the arithmetic needs a little: a chain of k stones has k times 1e-8
ohm, and the elimination loses as many digits. The result is right to 1e-6 of its value."""

MOST_CELLS = MOST_SIZE * MOST_SIZE
ROOM = MOST_CELLS * (MOST_SIZE + 1)


@njit
def read_cells(state, player, bridge, ohm):
    """Write each cell's resistance for this player. White's rows and columns are exchanged, so both go down from row 0.

    bridge is the resistance of the empty cells of the player's bridges. Cells that cannot be reached from the first
    edge are walls too, since no current flows there.
    """
    size = np.int64(state.size)
    mine, theirs = board_of(state, player), board_of(state, 1 - player)
    open_cells = without(part_of(CELLS, size, mine), theirs)
    reached = flooded(common(open_cells, part_of(START[player], size, mine)), open_cells, size)
    bridged = bridge_cells(mine, without(open_cells, mine), player, size)
    for cell in range(size * size):
        own_cell = cell if player == BLACK else cell % size * size + cell // size
        if not has_cell(reached, own_cell):
            ohm[cell] = WALL
        elif has_cell(mine, own_cell):
            ohm[cell] = STONE
        else:
            ohm[cell] = max(bridge, STONE) if has_cell(bridged, own_cell) else EMPTY


@njit
def write_equations(ohm, size, matrix, current):
    """Write size + 1 numbers per cell: the diagonal and the size places after it. The first edge has 1 volt."""
    row = size + 1
    for i in range(size * size * row):
        matrix[i] = 0.0
    for cell in range(size * size):
        x, y = cell % size, cell // size
        current[cell] = 1.0 / ohm[cell] if y == 0 else 0.0
        matrix[cell * row] += current[cell]
        if y == size - 1:
            matrix[cell * row] += 1.0 / ohm[cell]
        if ohm[cell] == WALL:
            matrix[cell * row] = 1.0
        for way in range(3):  # to the right, to the lower left, to the lower right
            step = 1 if way == 0 else size - 1 if way == 1 else size
            if (x + 1 < size) if way == 0 else (y + 1 < size and (way == 2 or x > 0)):
                wire = 1.0 / (ohm[cell] + ohm[cell + step])
                matrix[cell * row + step] -= wire
                matrix[cell * row] += wire
                matrix[(cell + step) * row] += wire


@njit
def solve_band(size, matrix, current):
    """Gaussian elimination; a positive definite matrix needs no pivoting. current[cell] becomes the cell's voltage."""
    cells, row = size * size, size + 1
    for i in range(cells):
        first = i * row
        for k in range(1, min(row, cells - i)):
            if matrix[first + k] != 0.0:
                factor = matrix[first + k] / matrix[first]
                other = (i + k) * row - k
                for m in range(k, row):
                    matrix[other + m] -= factor * matrix[first + m]
                current[i + k] -= factor * current[i]
    for i in range(cells - 1, -1, -1):
        total = current[i]
        for k in range(1, min(row, cells - i)):
            total -= matrix[i * row + k] * current[i + k]
        current[i] = total / matrix[i * row]


@njit
def total_flow(ohm, size, voltage):
    """The current that arrives at the second edge."""
    total = 0.0
    for cell in range(size * (size - 1), size * size):
        total += voltage[cell] / ohm[cell]
    return total


@njit
def add_currents(ohm, size, player, voltage, share):
    """Add to share[cell] the part of the player's whole current that flows through each empty cell."""
    total = total_flow(ohm, size, voltage)
    for cell in range(size * size):
        if ohm[cell] != EMPTY:
            continue
        x, y = cell % size, cell // size
        through = 0.0  # the current in plus the current out
        if y == 0:
            through += 1.0 - voltage[cell]
        if y == size - 1:
            through += voltage[cell]
        for way in range(6):
            other_x, other_y = x + AROUND_X[way], y + AROUND_Y[way]
            if 0 <= other_x < size and 0 <= other_y < size:
                other = other_y * size + other_x
                through += abs(voltage[cell] - voltage[other]) / (EMPTY + ohm[other])
        share[cell if player == BLACK else x * size + y] += 0.5 * through / total


@njit
def flow(state, player, bridge):
    """The current from edge to edge at 1 volt, which is 1 / resistance; 0 if the player is cut off."""
    size = np.int64(state.size)
    ohm, voltage = scratch(MOST_CELLS, np.float64), scratch(MOST_CELLS, np.float64)
    matrix = scratch(ROOM, np.float64)
    read_cells(state, player, bridge, ohm)
    write_equations(ohm, size, matrix, voltage)
    solve_band(size, matrix, voltage)
    return total_flow(ohm, size, voltage)
