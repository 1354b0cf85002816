"""What a learned table looks at: edges, corners, rows and diagonals, moves, frontier and parity, in fifteen phases.

The patterns are those of M. Buro's Logistello (Experiments with multi-ProbCut and a new high-quality evaluation
function for Othello, 1997). The images of a pattern under the board's eight symmetries share their entries.

The 46 numbers that the patterns read from a board are found all at once: they are the 16-bit parts of three vectors,
and each byte of the board adds a row of such vectors. This takes 18 ns, so nothing is gained by carrying the numbers
along from move to move.
"""

import numpy as np

from zermelo.core import ALL, count, njit
from zermelo.core.lanes import lanes, lanes_at, set_lanes
from zermelo.core.scratch import scratch
from zermelo.evaluation.tables import CellTuples, table_entries, table_limit, table_phases, table_size, table_twin
from zermelo.games.reversi.heuristics import move_counts, neighbours
from zermelo.games.reversi.rules import MOST, ROW, Reversi


def squares(text: str) -> tuple[int, ...]:
    return tuple("abcdefgh".index(word[0]) + ROW * (int(word[1]) - 1) for word in text.split())


PATTERNS = (
    squares("b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"),  # the edge, with both X squares
    squares("a1 b1 c1 a2 b2 c2 a3 b3 c3"),  # the corner, 3x3
    squares("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),  # the corner, 2x5
    squares("a2 b2 c2 d2 e2 f2 g2 h2"),
    squares("a3 b3 c3 d3 e3 f3 g3 h3"),
    squares("a4 b4 c4 d4 e4 f4 g4 h4"),
    squares("a1 b2 c3 d4 e5 f6 g7 h8"),
    squares("a2 b3 c4 d5 e6 f7 g8"),
    squares("a3 b4 c5 d6 e7 f8"),
    squares("a4 b5 c6 d7 e8"),
    squares("a5 b6 c7 d8"),
)
PHASE = 4  # number of moves in a phase
PHASES = 15
MOST_MOVES = 15
MOST_FRONTIER = 23
QUADRANTS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))


def turned(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A tuple of cells under each of the eight symmetries of the board."""
    last = MOST - 1
    found = []
    for swap in (False, True):
        for left in (False, True):
            for down in (False, True):
                image = []
                for cell in cells:
                    column, row = divmod(cell, ROW) if swap else (cell % ROW, cell // ROW)
                    image.append((last - column if left else column) + ROW * (last - row if down else row))
                found.append(tuple(image))
    return found


def images(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A pattern's images under the symmetries of the board, each once."""
    made: dict[frozenset[int], tuple[int, ...]] = {}
    for image in turned(cells):
        made.setdefault(frozenset(image), image)
    return list(made.values())


TUPLES = CellTuples([images(cells) for cells in PATTERNS], values=3)
NUMBER = len(TUPLES)
STEPS = TUPLES.packed(12)
FIRSTS = TUPLES.firsts

MOVES = TUPLES.size  # the first entries for moves, frontier and parity
FRONTIER = MOVES + (MOST_MOVES + 1) ** 2
PARITY = FRONTIER + (MOST_FRONTIER + 1) ** 2
SIZE = PARITY + 5 * PHASE  # the number of entries of one phase
TWINS = np.concatenate([TUPLES.twins([turned(cells) for cells in PATTERNS]), np.arange(MOVES, SIZE, dtype=np.int32)])


@njit
def phase_of(discs):
    return min(max((discs - 4) // PHASE, 0), PHASES - 1)


@njit
def write_numbers(mine, theirs, out):
    """Write the numbers of all patterns to out, which has room for 48 numbers of 16 bits."""
    a, b, c = lanes(0, 0, 0, 0), lanes(0, 0, 0, 0), lanes(0, 0, 0, 0)
    for byte in range(8):
        row = 3 * (256 * byte + int(theirs >> np.uint64(8 * byte) & np.uint64(0xFF)))
        a, b, c = a + lanes_at(STEPS, row), b + lanes_at(STEPS, row + 1), c + lanes_at(STEPS, row + 2)
    a, b, c = a + a, b + b, c + c  # a disc of theirs counts twice as much as one of mine
    for byte in range(8):
        row = 3 * (256 * byte + int(mine >> np.uint64(8 * byte) & np.uint64(0xFF)))
        a, b, c = a + lanes_at(STEPS, row), b + lanes_at(STEPS, row + 1), c + lanes_at(STEPS, row + 2)
    set_lanes(out, 0, a)
    set_lanes(out, 1, b)
    set_lanes(out, 2, c)


@table_entries.of(Reversi)
def _(state, out):
    discs = count(state.mine | state.theirs)
    first = np.int32(phase_of(discs) * SIZE)
    numbers = scratch(48, np.uint16)
    write_numbers(state.mine, state.theirs, numbers)
    for i in range(NUMBER):
        out[i] = np.int32(numbers[i]) + FIRSTS[i] + first
    mine, theirs = move_counts(state)
    out[NUMBER] = first + MOVES + min(mine, MOST_MOVES) * (MOST_MOVES + 1) + min(theirs, MOST_MOVES)
    empty = ALL & ~(state.mine | state.theirs)
    mine = min(count(neighbours(state.theirs) & empty), MOST_FRONTIER)
    theirs = min(count(neighbours(state.mine) & empty), MOST_FRONTIER)
    out[NUMBER + 1] = first + FRONTIER + mine * (MOST_FRONTIER + 1) + theirs
    odd = 0
    for quadrant in QUADRANTS:
        odd += count(empty & quadrant) & 1
    out[NUMBER + 2] = first + PARITY + PHASE * odd + discs % PHASE
    return NUMBER + 3


@table_size.of(Reversi)
def _(state):
    return SIZE * PHASES


@table_limit.of(Reversi)
def _(state):
    return MOST * MOST


@table_phases.of(Reversi)
def _(state):
    return PHASES


@table_twin.of(Reversi)
def _(state, entry):
    return entry - entry % SIZE + TWINS[entry % SIZE]
