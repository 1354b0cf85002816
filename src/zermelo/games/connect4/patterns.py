"""What a learned table looks at: walks of eight neighbouring cells, with the cells that can be filled next marked.

After M. Thill, P. Koch and W. Konen, Reinforcement learning with n-tuples on the game Connect-4 (2012): 70 such walks,
chosen at random, and a table for each player. Here every walk and its mirror image share their entries. One table
serves both players: its first half is for positions with the first player to move, its second half for the others.
"""

import random

import numpy as np

from zermelo.core import count, njit
from zermelo.evaluation.tables import CellTuples, add_board, table_entries, table_shape, table_size
from zermelo.games.connect4.rules import COLUMN, Connect4, board_of, landing_cells

COLUMNS, ROWS = 7, 6
LENGTH = 8
WALKS = 40
MINE, THEIRS, NEXT = 1, 2, 3  # the contents of a cell; 0: empty, and nothing can be put there yet


def random_walk(chance: random.Random) -> tuple[int, ...]:
    """A walk over different cells, each a neighbour (also diagonally) of the one before."""
    while True:
        column, row = chance.randrange(COLUMNS), chance.randrange(ROWS)
        walk = [(column, row)]
        while len(walk) < LENGTH:
            column, row = walk[-1]
            around = [(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
            around = [(x, y) for x, y in around if 0 <= x < COLUMNS and 0 <= y < ROWS and (x, y) not in walk]
            if not around:
                break
            walk.append(chance.choice(around))
        else:
            return tuple(sorted(COLUMN * x + y for x, y in walk))


def mirrored(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(COLUMN * (COLUMNS - 1 - cell // COLUMN) + cell % COLUMN for cell in cells)


def walks() -> list[list[tuple[int, ...]]]:
    """Different walks with their mirror images, chosen so that every cell is in about the same number of them."""
    chance = random.Random(4)
    chosen: list[list[tuple[int, ...]]] = []
    seen: set[frozenset[int]] = set()
    uses = {COLUMN * x + y: 0 for x in range(COLUMNS) for y in range(ROWS)}
    while len(chosen) < WALKS:
        candidates = [random_walk(chance) for _ in range(20)]
        walk = min(candidates, key=lambda cells: sum(uses[cell] for cell in (*cells, *mirrored(cells))))
        if frozenset(walk) in seen:
            continue
        image = mirrored(walk)
        seen |= {frozenset(walk), frozenset(image)}
        chosen.append([walk, image])
        for cell in (*walk, *image):
            uses[cell] += 1
    return chosen


TUPLES = CellTuples(walks(), values=4)
FIRSTS, SIZE = TUPLES.firsts, TUPLES.size
CELLS = board_of(COLUMNS, ROWS)  # the part that the table sees of a larger board
STEPS = np.ascontiguousarray(TUPLES.steps[:, : 1 << ROWS])


@njit
def write_entries(state, out):
    half = (count(state.stones) & 1) * SIZE
    for i in range(len(FIRSTS)):
        out[i] = FIRSTS[i] + half
    add_board(STEPS, state.mine & CELLS, MINE, out)
    add_board(STEPS, (state.mine ^ state.stones) & CELLS, THEIRS, out)
    add_board(STEPS, landing_cells(state) & CELLS, NEXT, out)
    return len(FIRSTS)


@table_entries.of(Connect4)
def _(state, out):
    return write_entries(state, out)


@table_size.of(Connect4)
def _(state):
    return 2 * SIZE


@table_shape.of(Connect4)
def _(state):
    """The cells of the front column and of the bottom row."""
    return 16 * count(state.board & np.uint64(0xFF)) + count(state.board) // count(state.board & np.uint64(0xFF))
