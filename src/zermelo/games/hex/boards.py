"""Sets of Hex cells as bits of one to six 64-bit words: a tuple of words, the same code for every board size.

Cell (x, y), column x and row y counted from 0 at the top left, is bit y * size + x. On the 4x4 board:

     a  b  c  d
    1 0  1  2  3            The neighbours of a cell lie 1, size - 1 and size bits before and after it:
     2 4  5  6  7           those of 5 are 4 and 6, 2 and 8, 1 and 9. A step to the right that arrives in the
      3 8  9 10 11          first column, or one to the left that arrives in the last, has wrapped round.
       4 12 13 14 15
"""

import numpy as np

from zermelo.core import ONE, ZERO, bit, count, lowest, njit, without_lowest
from zermelo.core.words import replaced

LEAST_SIZE, MOST_SIZE = 2, 19
WORD = 64
MOST_WORDS = (MOST_SIZE * MOST_SIZE + WORD - 1) // WORD
BLACK, WHITE = 0, 1

_LAST_BIT = np.uint64(WORD - 1)
_WORD = np.uint64(WORD)


def words_for(size: int) -> int:
    """How many words a board of this size takes."""
    return (size * size + WORD - 1) // WORD


def _table(belongs):
    """For every size, the words of the set of cells (x, y) for which belongs(x, y, last) is true; x, y are arrays."""
    bits = np.zeros((MOST_SIZE + 1, MOST_WORDS * WORD), bool)
    for size in range(LEAST_SIZE, MOST_SIZE + 1):
        y, x = np.divmod(np.arange(size * size), size)
        bits[size, : size * size] = belongs(x, y, size - 1)
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


CELLS = _table(lambda x, y, last: True)
NOT_FIRST_COLUMN = _table(lambda x, y, last: x > 0)
NOT_LAST_COLUMN = _table(lambda x, y, last: x < last)

# By player: the row or column of cells where its way across the board begins, and where it ends.
START = np.array([_table(lambda x, y, last: y == 0), _table(lambda x, y, last: x == 0)])
GOAL = np.array([_table(lambda x, y, last: y == last), _table(lambda x, y, last: x == last)])


@njit
def touches(board, other):
    """Do the two sets have a cell in common?"""
    common = ZERO
    for i in range(len(board)):
        common |= board[i] & other[i]
    return common != ZERO


@njit
def is_same(board, other):
    differing = ZERO
    for i in range(len(board)):
        differing |= board[i] ^ other[i]
    return differing == ZERO


@njit
def cell_count(board):
    total = 0
    for i in range(len(board)):
        total += count(board[i])
    return total


@njit
def is_empty(board):
    found = ZERO
    for i in range(len(board)):
        found |= board[i]
    return found == ZERO


@njit
def first_cell(board):
    """The first cell of a set that is not empty."""
    for i in range(len(board)):
        if board[i]:
            return WORD * i + np.int64(lowest(board[i]))
    return np.int64(-1)


@njit
def without_first(board):
    """The set without its first cell."""
    for i in range(len(board)):
        if board[i]:
            return replaced(board, i, without_lowest(board[i]))
    return board


@njit
def both(board, other):
    """The cells of the two sets together."""
    for i in range(len(board)):
        board = replaced(board, i, board[i] | other[i])
    return board


@njit
def common(board, other):
    """The cells that are in both sets."""
    for i in range(len(board)):
        board = replaced(board, i, board[i] & other[i])
    return board


@njit
def without(board, other):
    """The cells of the first set that are not in the other."""
    for i in range(len(board)):
        board = replaced(board, i, board[i] & ~other[i])
    return board


@njit
def with_cell(board, cell):
    return replaced(board, cell >> 6, board[cell >> 6] | bit(cell & 63))


@njit
def has_cell(board, cell):
    return board[cell >> 6] & bit(cell & 63) != ZERO


@njit
def part_of(table, size, like):
    """The set that a table such as CELLS or START[BLACK] holds for this size; like is any board of this size."""
    for i in range(len(like)):
        like = replaced(like, i, table[size, i])
    return like


@njit
def further(board, step):
    """Every cell moved forward by step bits (0 < step < 64)."""
    up, down = np.uint64(step), np.uint64(WORD - step)
    moved = board
    for i in range(len(board)):
        carried = board[i - 1] >> down if i > 0 else ZERO
        moved = replaced(moved, i, board[i] << up | carried)
    return moved


@njit
def nearer(board, step):
    """Every cell moved back by step bits (0 < step < 64)."""
    up, down = np.uint64(WORD - step), np.uint64(step)
    moved = board
    for i in range(len(board)):
        carried = board[i + 1] << up if i + 1 < len(board) else ZERO
        moved = replaced(moved, i, board[i] >> down | carried)
    return moved


EAST, SOUTH, SOUTH_WEST, WEST, NORTH, NORTH_EAST = range(6)  # clockwise; on the screen SOUTH is to the lower right


@njit
def stepped(board, direction, size):
    """Every cell moved to its neighbour in this direction; cells that leave the board are dropped."""
    if direction <= SOUTH_WEST:
        moved = further(board, 1 if direction == EAST else size if direction == SOUTH else size - 1)
    else:
        moved = nearer(board, 1 if direction == WEST else size if direction == NORTH else size - 1)
    for i in range(len(board)):
        if direction in (EAST, NORTH_EAST):
            mask = NOT_FIRST_COLUMN[size, i]
        elif direction in (WEST, SOUTH_WEST):
            mask = NOT_LAST_COLUMN[size, i]
        else:
            mask = CELLS[size, i]
        moved = replaced(moved, i, moved[i] & mask)
    return moved


@njit
def word_beside(board, i, size):
    """Word i of the cells next to a cell of the set; it may have bits beyond the board."""
    row, slant = np.uint64(size), np.uint64(size - 1)
    over_row, over_slant = _WORD - row, _WORD - slant
    here = board[i]
    before = board[i - 1] if i > 0 else ZERO
    after = board[i + 1] if i + 1 < len(board) else ZERO
    right = here << ONE | before >> _LAST_BIT | here >> slant | after << over_slant
    left = here >> ONE | after << _LAST_BIT | here << slant | before >> over_slant
    upright = here << row | before >> over_row | here >> row | after << over_row
    return (right & NOT_FIRST_COLUMN[size, i]) | (left & NOT_LAST_COLUMN[size, i]) | upright


@njit
def beside(board, size):
    """The cells next to a cell of the set."""
    result = board
    for i in range(len(board)):
        result = replaced(result, i, word_beside(board, i, size) & CELLS[size, i])
    return result


@njit
def grown(board, region, size):
    """The cells of region that are in the set or next to one of its cells."""
    result = board
    for i in range(len(board)):
        result = replaced(result, i, (word_beside(board, i, size) | board[i]) & region[i])
    return result


@njit
def flooded(board, region, size):
    """The cells of region that can be reached from the set through region."""
    while True:
        wider = grown(board, region, size)
        if is_same(wider, board):
            return board
        board = wider
