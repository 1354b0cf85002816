"""What a model may see of a Connect 4 position. The player to move is "mine", the other "theirs"."""

import numpy as np

from zermelo.core import ONE, ZERO, count, lowest, njit, without_lowest
from zermelo.evaluation.features import features, image, image_count, is_quiet, move_chance
from zermelo.games.connect4.heuristics import ALL_LINES, BOTTOM_ROW, ODD_ROWS, open_windows, shifted
from zermelo.games.connect4.rules import COLUMN, Connect4, landing_cells
from zermelo.games.connect4.threats import completing_cells
from zermelo.games.connect4.transposition import mirrored

PUBLISHED_FITS = [["Connect 4 report", "report", "73.41", "0.23", "", "", "0.594", "", "", "", "", "", ""]]
"""What the report printed about its own model and data, in the columns of learn/pictures.py. The report's test counts
scores of exactly 1 and -1 as wrong."""

STEPS = (1, -1, COLUMN, -COLUMN, COLUMN + 1, -COLUMN - 1, COLUMN - 1, 1 - COLUMN)
DISTANCES = np.array([[np.hypot(a // 8 - b // 8, a % 8 - b % 8) for b in range(64)] for a in range(64)], np.float32)


@is_quiet.of(Connect4)
def _(state):
    wins = completing_cells(state.mine) | completing_cells(state.mine ^ state.stones)
    return wins & landing_cells(state) == ZERO


@move_chance.of(Connect4)
def _(state, move):
    """The report draws from a bag in which each column appears once for every cell that is left in it."""
    return count(state.board & ~state.stones & (np.uint64(0xFF) << np.uint64(COLUMN * move)))


@image_count.of(Connect4)
def _(state):
    return 2


@image.of(Connect4)
def _(state, number):
    if number == 0:
        return state
    shift = np.uint64(64 - COLUMN * count(state.board & BOTTOM_ROW))
    return Connect4(mirrored(state.mine, shift), mirrored(state.stones, shift), state.board)


# ------------------------------------------------------------------------------------------ the report's


@njit
def mean_distance(stones):
    """The mean distance between any two stones, from centre to centre; 0 with fewer than two."""
    total, pairs = np.float32(0), 0
    while stones:
        one = lowest(stones)
        stones = without_lowest(stones)
        others = stones
        while others:
            total += DISTANCES[one, lowest(others)]
            pairs += 1
            others = without_lowest(others)
    return total / np.float32(pairs) if pairs else np.float32(0)


@njit
def run_ends(mine, empty, length):
    """The ends of runs of exactly this length: those not followed by an empty cell, and those followed by one."""
    blocked, free = 0, 0
    for step in STEPS:
        run = mine & ~shifted(mine, -step)  # where one begins, seen in this direction
        for i in range(1, length):
            run &= shifted(mine, i * step)
        run &= ~shifted(mine, length * step)
        onward = count(run & shifted(empty, length * step))
        free += onward
        blocked += count(run) - onward
    return blocked, free


@features(
    "stones",
    "distance_mine",
    "distance_theirs",
    "blocked_2_mine",
    "free_2_mine",
    "blocked_2_theirs",
    "free_2_theirs",
    "blocked_3_mine",
    "free_3_mine",
    "blocked_3_theirs",
    "free_3_theirs",
)
def report(state: Connect4, out):
    """The eleven features of the report: stones, mean distances, and free or blocked ends of runs of two and three.

    Section 3.2 describes them. The report's program made some mistakes, which are corrected here. When it counted to
    the right and downwards, it never reached the last column and the bottom row, so it missed wins there. It counted a
    run of three also as a run of two that begins at the second stone. It looked for exactly four stones in a line, and
    so did not find five. It divided by zero when it computed the mean distance of a single stone. Of the moves of each
    position, it wrote only the last to the file.
    """
    theirs = state.mine ^ state.stones
    empty = state.board & ~state.stones
    out[0] = count(state.stones)
    out[1] = mean_distance(state.mine)
    out[2] = mean_distance(theirs)
    out[3], out[4] = run_ends(state.mine, empty, 2)
    out[5], out[6] = run_ends(theirs, empty, 2)
    out[7], out[8] = run_ends(state.mine, empty, 3)
    out[9], out[10] = run_ends(theirs, empty, 3)


# ------------------------------------------------------------------------------------------ what it wished for


@njit
def write_threats(mine, theirs, my_rows, empty, landing, out):
    """Write my threats: at once, at a good height, at a bad one, useless; how low the lowest good one is; pairs."""
    my_cells, their_cells = completing_cells(mine) & empty, completing_cells(theirs) & empty
    out[0] = count(my_cells & landing)
    waiting = my_cells & ~landing
    useless = waiting & ((my_cells | their_cells) << ONE)  # whoever plays the cell below ends or loses it
    useful = waiting & ~useless
    out[1] = count(useful & my_rows)
    out[2] = count(useful & ~my_rows)
    out[3] = count(useless)
    first = useful & my_rows
    height = 0
    while first:
        here = 8 - (lowest(first) & 7)
        height = max(height, here)
        first = without_lowest(first)
    out[4] = height
    out[5] = count(my_cells & (my_cells << ONE))


@features(
    "now_mine",
    "good_mine",
    "bad_mine",
    "useless_mine",
    "low_mine",
    "stacked_mine",
    "now_theirs",
    "good_theirs",
    "bad_theirs",
    "useless_theirs",
    "low_theirs",
    "stacked_theirs",
    "first_moves",
)
def threats(state: Connect4, out):
    """Threats of each player, which are empty cells that complete four in a line, and who is to move.

    A threat can be playable now, or wait at a good or at a bad height: odd rows are good for the first player and even
    rows for the second, after Allis. It is useless if there is another threat right below it. The other features are
    how low the lowest good threat is (8 minus its row, or 0 if there is none), and how often two threats of a player
    lie on top of each other.
    """
    theirs = state.mine ^ state.stones
    empty, landing = state.board & ~state.stones, landing_cells(state)
    first_moves = count(state.stones) & 1 == 0
    my_rows = ODD_ROWS if first_moves else ~ODD_ROWS
    write_threats(state.mine, theirs, my_rows, empty, landing, out)
    write_threats(theirs, state.mine, ~my_rows, empty, landing, out[6:])
    out[12] = first_moves


@njit
def window_map(cells, step):
    """How many windows of one direction go through each cell: three boards, the bits of that number."""
    starts = cells & shifted(cells, step) & shifted(cells, 2 * step) & shifted(cells, 3 * step)
    a, b = starts, shifted(starts, -step)
    c, d = shifted(starts, -2 * step), shifted(starts, -3 * step)
    ones = a ^ b ^ c ^ d
    fours = a & b & c & d
    twos = ((a & b) | (c & d) | ((a ^ b) & (c ^ d))) & ~fours
    return ones, twos, fours


@features("heat_mine", "heat_theirs", "middle_mine", "middle_theirs")
def heat(state: Connect4, out):
    """The heat map that the report proposes: open windows through every stone, and stones in the middle column."""
    theirs = state.mine ^ state.stones
    columns = count(state.board & BOTTOM_ROW)
    middle = np.uint64(0xFF) << np.uint64(columns // 2 * COLUMN)
    for side in range(2):
        own, other = (state.mine, theirs) if side == 0 else (theirs, state.mine)
        total = 0
        for step in ALL_LINES:
            ones, twos, fours = window_map(state.board & ~other, step)
            total += count(own & ones) + 2 * count(own & twos) + 4 * count(own & fours)
        out[side] = total
        out[2 + side] = count(own & middle)


DIRECTIONS = ("upright", "across", "rising", "falling")


@features(*(f"{way}_{number}_{whose}" for whose in ("mine", "theirs") for way in DIRECTIONS for number in (1, 2, 3)))
def windows(state: Connect4, out):
    """The windows of four cells that are open to a player, by their direction and by the number of stones in them."""
    theirs = state.mine ^ state.stones
    place = 0
    for side in range(2):
        own, other = (state.mine, theirs) if side == 0 else (theirs, state.mine)
        for step in ALL_LINES:
            one, two, three = open_windows(own, other, state.board, step)
            out[place], out[place + 1], out[place + 2] = count(one), count(two), count(three)
            place += 3


@features(*(f"cell_{'abcdefgh'[column]}{row + 1}" for column in range(8) for row in range(7)))
def cells(state: Connect4, out):
    """The contents of each cell: 1 if it is mine, -1 if it is the opponent's, 0 if it is empty or outside the board."""
    for column in range(8):
        for row in range(7):
            cell = ONE << np.uint64(COLUMN * column + row)
            out[7 * column + row] = (1 if state.mine & cell else -1) if state.stones & cell else 0
