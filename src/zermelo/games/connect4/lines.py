"""What the Connect 4 net looks at: every column, row and diagonal as a whole, on the 7x6 board.

Each window of four cells lies in one of the 25 lines, so the contents of a line say all about its windows. A line is
seen as first player's stones, second player's, and empty cells, since which rows are good depends on who began.
Each content of each line has its own input, numbered in this order:

    columns    7 x 128     the stones from below; one input per content, as in the key of a position
    rows       6 x 2187    three to the power of the cells
    diagonals  12 x 729    by rows, of those with four cells or more
    threats    2 x 64      cells that would complete four of the first player, of the second
    stones     43          how many there are, and with it who moves
"""

import numpy as np

from zermelo.core import count, lowest, njit, without_lowest
from zermelo.games.connect4.rules import COLUMN, board_of
from zermelo.games.connect4.threats import completing_cells

BOARD = board_of(7, 6)
BOTTOM = np.uint64(sum(1 << COLUMN * column for column in range(7)))
GATHER_ROW = np.uint64(sum(1 << 7 * i for i in range(1, 9)))  # moves bit 0 of byte i to bit i of the last byte
GATHER_BYTES = np.uint64(sum(1 << 8 * i for i in range(8)))  # adds all bytes up in the last
TOP = np.uint64(56)
BASE3 = np.array([sum(3**i for i in range(7) if bits >> i & 1) for bits in range(128)], np.int64)


def _diagonals() -> list[int]:
    """The diagonals with four cells or more, as boards: no two cells of one are in the same row."""
    found = []
    for step in (1, -1):
        for start in range(-5, 12):
            cells = [(start + step * row, row) for row in range(6)]
            inside = [(column, row) for column, row in cells if 0 <= column < 7]
            if len(inside) >= 4:
                found.append(sum(1 << COLUMN * column + row for column, row in inside))
    return found


DIAGONALS = np.array(_diagonals(), np.uint64)

ROW_INPUTS = 7 * 128
DIAGONAL_INPUTS = ROW_INPUTS + 6 * 3**7
THREAT_INPUTS = DIAGONAL_INPUTS + len(DIAGONALS) * 3**6
STONE_INPUTS = THREAT_INPUTS + 2 * 64
INPUTS = STONE_INPUTS + 43
MOST_ACTIVE = 7 + 6 + len(DIAGONALS) + 2 * 42 + 1


@njit
def row_bits(board, row):
    """The cells of a row as seven bits."""
    return (((board >> np.uint64(row)) & BOTTOM) * GATHER_ROW) >> TOP


@njit
def diagonal_bits(board, cells):
    """The cells of a diagonal as six bits, by their rows."""
    return ((board & cells) * GATHER_BYTES) >> TOP


@njit
def write_threats(mine, empty, start, out, n):
    cells = completing_cells(mine) & empty
    while cells:
        out[n] = start + lowest(cells)
        n += 1
        cells = without_lowest(cells)
    return n


@njit
def write_lines(mine, theirs, out):
    """Write the numbers of the active inputs and return how many there are; mine: of the player to move."""
    stones = count(mine | theirs)
    first, second = (theirs, mine) if stones & 1 else (mine, theirs)
    keys = first + (mine | theirs) + BOTTOM
    for column in range(7):
        out[column] = 128 * column + np.int64((keys >> np.uint64(COLUMN * column)) & np.uint64(127))
    n = 7
    for row in range(6):
        content = BASE3[row_bits(first, row)] + 2 * BASE3[row_bits(second, row)]
        out[n] = ROW_INPUTS + 2187 * row + content
        n += 1
    for i in range(len(DIAGONALS)):
        cells = DIAGONALS[i]
        content = BASE3[diagonal_bits(first, cells)] + 2 * BASE3[diagonal_bits(second, cells)]
        out[n] = DIAGONAL_INPUTS + 729 * i + content
        n += 1
    empty = BOARD & ~(mine | theirs)
    n = write_threats(first, empty, THREAT_INPUTS, out, n)
    n = write_threats(second, empty, THREAT_INPUTS + 64, out, n)
    out[n] = STONE_INPUTS + stones
    return n + 1
