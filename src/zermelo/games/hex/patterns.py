"""What a learned table looks at: every cell with its six neighbours, and how far both players are from joining up.

The same entries are used everywhere, on boards of every size: a cell only knows how near it is to the edges, up to
three steps. White's positions are read transposed, so that the player to move always joins top and bottom. A
neighbourhood shares its entry with the same one turned by half a turn. Single cells do not show how far each player is
from joining the edges, so distances have entries too: Queenbee's potentials and the shortest paths, by their
difference, which means the same on boards of all sizes, and by the smaller of the two where it is small.
"""

import numpy as np

from zermelo.core import lowest, njit, without_lowest
from zermelo.core.scratch import scratch
from zermelo.evaluation.tables import table_entries, table_size
from zermelo.games.hex.boards import MOST_SIZE, WHITE, WORD
from zermelo.games.hex.distances import potential, shortest_distance
from zermelo.games.hex.rules import STATES, board_of

MINE, THEIRS = 1, 2  # the contents of a cell; 0 is empty. Cells beyond an edge belong to the owner of the edge
NEIGHBOURS = 6
CONTENTS = 3 ** (NEIGHBOURS + 1)
NEAR = 4  # a cell's distance from an edge is 0, 1, 2, or 3 for all greater ones
LEAD = 8  # greater differences between the players' distances count as this one
CLOSE = 6  # greater distances count as this one
CELL_ENTRIES = CONTENTS * NEAR * NEAR
PAIR = (2 * LEAD + 1) * (CLOSE + 1)
WAYS = 8  # the number of cells with the least potential is 0 to 6, or 7 for all greater ones
SIZE = CELL_ENTRIES + 2 * PAIR + 2 * (CLOSE + 1) * WAYS

WIDE = MOST_SIZE + 2  # a row of the board with its edges, as it is written down
ROOM = WIDE * WIDE
AROUND = np.array([1, WIDE, WIDE - 1, -1, -WIDE, 1 - WIDE])


def turned(contents: int) -> int:
    """A neighbourhood turned by half a turn: the middle stays, each neighbour changes places with the opposite one."""
    digits = [contents // 3**place % 3 for place in range(NEIGHBOURS + 1)]
    middle, around = digits[0], digits[1:]
    half = [middle, *around[3:], *around[:3]]
    return sum(digit * 3**place for place, digit in enumerate(half))


SHARED = np.array([min(contents, turned(contents)) for contents in range(CONTENTS)], np.int32)


@njit
def write_stones(cells, stones, size, transposed, content):
    for i in range(len(stones)):
        word = stones[i]
        while word:
            cell = WORD * i + lowest(word)
            x, y = cell % size, cell // size
            if transposed:
                x, y = y, x
            cells[(y + 1) * WIDE + x + 1] = content
            word = without_lowest(word)


@njit
def write_board(cells, state, player, size):
    """Write the contents of all cells and of the edges around them, seen by this player as joining top and bottom."""
    for i in range((size + 2) * WIDE):
        cells[i] = 0
    for i in range(size + 2):
        cells[i] = cells[(size + 1) * WIDE + i] = MINE
    for row in range(1, size + 1):
        cells[row * WIDE] = cells[row * WIDE + size + 1] = THEIRS
    write_stones(cells, board_of(state, player), size, player == WHITE, MINE)
    write_stones(cells, board_of(state, 1 - player), size, player == WHITE, THEIRS)


@njit
def write_cells(state, player, size, out):
    """Write one entry for every cell, except those that are empty with nothing around them."""
    cells = scratch(ROOM, np.int32)
    write_board(cells, state, player, size)
    number = 0
    for y in range(size):
        for x in range(size):
            at = (y + 1) * WIDE + x + 1
            contents, worth = cells[at], 3
            for i in range(NEIGHBOURS):
                contents += worth * cells[at + AROUND[i]]
                worth *= 3
            if contents == 0:
                continue
            along, across = min(y, size - 1 - y, NEAR - 1), min(x, size - 1 - x, NEAR - 1)
            out[number] = (along * NEAR + across) * CONTENTS + SHARED[contents]
            number += 1
    return number


@njit
def pair_number(mine, theirs):
    """A number for who is ahead, by how much, and how close the player ahead is to joining the edges."""
    lead = min(max(theirs - mine, -LEAD), LEAD)
    return (lead + LEAD) * (CLOSE + 1) + min(mine, theirs, CLOSE)


@njit
def write_distances(state, player, out, number):
    mine, my_ways = potential(state, player)
    theirs, their_ways = potential(state, 1 - player)
    out[number] = CELL_ENTRIES + pair_number(mine, theirs)
    near, far = shortest_distance(state, player), shortest_distance(state, 1 - player)
    out[number + 1] = CELL_ENTRIES + PAIR + pair_number(near, far)
    ways = CELL_ENTRIES + 2 * PAIR
    out[number + 2] = ways + min(mine, CLOSE) * WAYS + min(my_ways, WAYS - 1)
    out[number + 3] = ways + (CLOSE + 1 + min(theirs, CLOSE)) * WAYS + min(their_ways, WAYS - 1)
    return number + 4


@table_entries.of(*STATES)
def _(state, out):
    size, player = np.int64(state.size), np.int64(state.player)
    number = write_cells(state, player, size, out)
    return write_distances(state, player, out, number)


@table_size.of(*STATES)
def _(state):
    return SIZE
