"""What the learned guess of a move looks at: the cells around it, its place, and how far both players' ways are.

As in patterns.py, White's positions are read transposed, so that the player to move always joins top and bottom, a cell
beyond an edge belongs to the owner of the edge, and what differs by half a turn shares its entry. The entries mean the
same on boards of every size.
"""

import numpy as np

from zermelo.core import lowest, njit, without_lowest
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import GOAL, MOST_SIZE, START, WHITE, WORD, cell_count, has_cell
from zermelo.games.hex.distances import FAR, MOST_CELLS, free_cells, two_distances
from zermelo.games.hex.rules import board_of, stones_of

MINE, THEIRS = 1, 2  # the contents of a cell; 0 is empty
MARGIN = 2
WIDE = MOST_SIZE + 2 * MARGIN
ROOM = WIDE * WIDE
AROUND = np.array([1, WIDE, WIDE - 1, -1, -WIDE, 1 - WIDE])  # the steps to the neighbours, clockwise

RINGS = 3**6  # the six neighbours
CORNERS = 3**3  # two neighbours that touch, and the cell beyond both, from which a bridge leads here
SECTORS = 3**5  # three neighbours in a row, and the two cells beyond them
LINES = 3**4  # a neighbour, the three cells beyond it
FURTHEST = 6  # a way that needs more cells than the shortest one by so many or more
NEAR = 5  # the distance from an edge is 0 to 3, or 4 for all greater ones
CORNER_PLACE = RINGS
WAYS_PLACE = CORNER_PLACE + 3 * CORNERS
CELL_PLACE = WAYS_PLACE + 2 * (FURTHEST + 1) ** 2
SECTOR_PLACE = CELL_PLACE + 2 * NEAR * NEAR * 2
LINE_PLACE = SECTOR_PLACE + 3 * SECTORS
SIZE = LINE_PLACE + 3 * LINES
EACH = 21  # entries of a move: a ring, six corners, ways and place, six sectors, six lines
ENTRIES = MOST_CELLS * EACH
EARLY = 8  # the opening: less than an eighth of the cells is taken


def turned(ring: int) -> int:
    """A ring turned by half a turn."""
    digits = [ring // 3**place % 3 for place in range(6)]
    return sum(digit * 3**place for place, digit in enumerate(digits[3:] + digits[:3]))


SHARED = np.array([min(ring, turned(ring)) for ring in range(RINGS)], np.int32)


@njit
def write_stones(cells, stones, transposed, size, content):
    for i in range(len(stones)):
        word = stones[i]
        while word:
            cell = WORD * i + np.int64(lowest(word))
            x, y = cell % size, cell // size
            if transposed:
                x, y = y, x
            cells[(y + MARGIN) * WIDE + x + MARGIN] = content
            word = without_lowest(word)


@njit
def write_board(state, player, size, cells):
    """Write the contents of all cells and of two rows and columns around them, as this player sees them."""
    last = size + 2 * MARGIN
    for y in range(last):
        for x in range(last):
            beyond = MINE if y < MARGIN or y >= size + MARGIN else THEIRS
            on_board = MARGIN <= x < size + MARGIN and beyond == THEIRS
            cells[y * WIDE + x] = 0 if on_board else beyond
    write_stones(cells, board_of(state, player), player == WHITE, size, MINE)
    write_stones(cells, board_of(state, 1 - player), player == WHITE, size, THEIRS)


@njit
def write_excess(state, player, free, excess):
    """Write by how much each empty cell's potential (two-distances to both edges) is above the player's least."""
    from_start, from_goal = scratch(MOST_CELLS, np.int64), scratch(MOST_CELLS, np.int64)
    two_distances(state, player, START[player], from_start)
    two_distances(state, player, GOAL[player], from_goal)
    cells, least = np.int64(state.size) * np.int64(state.size), 2 * FAR
    for cell in range(cells):
        if has_cell(free, cell):
            excess[cell] = from_start[cell] + from_goal[cell]
            least = min(least, excess[cell])
    for cell in range(cells):
        if has_cell(free, cell):
            excess[cell] = min(excess[cell] - least, FURTHEST)


@njit
def write_around(cells, place, entries, at):
    """Write the entries of a cell's ring and of the corners, sectors and lines of that ring."""
    ring, worth = 0, 1
    for way in range(6):
        ring += worth * cells[place + AROUND[way]]
        worth *= 3
    entries[at] = SHARED[ring]
    for way in range(6):
        one, other = AROUND[way], AROUND[way + 1 if way < 5 else 0]
        contents = cells[place + one] + 3 * cells[place + one + other] + 9 * cells[place + other]
        entries[at + 1 + way] = CORNER_PLACE + way % 3 * CORNERS + contents
        third = AROUND[way + 2 if way < 4 else way - 4]
        contents += 27 * cells[place + other + third] + 81 * cells[place + third]
        entries[at + 9 + way] = SECTOR_PLACE + way % 3 * SECTORS + contents
        # the line through the middle one of the three: it, the cell behind it, and those beside
        contents = cells[place + other] + 3 * cells[place + other + other]
        contents += 9 * cells[place + one + other] + 27 * cells[place + other + third]
        entries[at + 15 + way] = LINE_PLACE + way % 3 * LINES + contents


@njit
def write_entries(state, moves, number, entries):
    """Write EACH entries for each of these moves that is a cell."""
    size, player = np.int64(state.size), np.int64(state.player)
    cells = scratch(ROOM, np.int32)
    my_excess, their_excess = scratch(MOST_CELLS, np.int64), scratch(MOST_CELLS, np.int64)
    free = free_cells(state)
    write_board(state, player, size, cells)
    write_excess(state, player, free, my_excess)
    write_excess(state, 1 - player, free, their_excess)
    stage, last = np.int64(cell_count(stones_of(state)) * EARLY >= size * size), size - 1
    for i in range(number):
        cell, at = np.int64(moves[i]), i * EACH
        if cell >= size * size:  # the swap
            continue
        x, y = cell % size, cell // size
        if player == WHITE:
            x, y = y, x
        write_around(cells, (y + MARGIN) * WIDE + x + MARGIN, entries, at)
        ways = my_excess[cell] * (FURTHEST + 1) + their_excess[cell]
        entries[at + 7] = WAYS_PLACE + stage * (FURTHEST + 1) * (FURTHEST + 1) + ways
        along, across = min(y, last - y, NEAR - 1), min(x, last - x, NEAR - 1)
        corner = np.int64((2 * y - last) * (2 * x - last) > 0)  # the board has two sharp corners and two blunt ones
        entries[at + 8] = CELL_PLACE + ((stage * NEAR + along) * NEAR + across) * 2 + corner
