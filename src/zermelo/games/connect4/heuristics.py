"""The heuristics of the Connect 4 report (Santorum and Galán, 2019), and a simpler one to begin with.

A window is four cells in a line. It is open to a player while it holds none of the other's stones: only open windows
can still become four. Counts are made for all windows of a direction at once: bit i of a board stands for the
window that begins at cell i.
"""

import numpy as np

from zermelo.core import ONE, count, heuristic, njit
from zermelo.games.connect4.rules import COLUMN, MOST_COLUMNS, Connect4

VERTICAL, HORIZONTAL, RISING, FALLING = 1, COLUMN, COLUMN + 1, COLUMN - 1
STRAIGHT = (VERTICAL, HORIZONTAL)
ALL_LINES = (VERTICAL, HORIZONTAL, RISING, FALLING)
ODD_ROWS = np.uint64(sum(0b01010101 << COLUMN * column for column in range(MOST_COLUMNS)))  # the 1st, 3rd, 5th, 7th
BOTTOM_ROW = np.uint64(sum(1 << COLUMN * column for column in range(MOST_COLUMNS)))
FIRST_COLUMN = np.uint64((1 << COLUMN) - 1)


@njit
def shifted(board, step):
    """Cell i takes what stood step cells further on."""
    return board >> np.uint64(step) if step >= 0 else board << np.uint64(-step)


@njit
def open_windows(mine, theirs, board, step):
    """The open windows of one direction that hold exactly one, two and three of my stones, as three boards."""
    cells = board & ~theirs
    is_open = cells & shifted(cells, step) & shifted(cells, 2 * step) & shifted(cells, 3 * step)
    a, b, c, d = mine, shifted(mine, step), shifted(mine, 2 * step), shifted(mine, 3 * step)
    odd = a ^ b ^ c ^ d
    pair = (a & b) | (c & d)
    two_or_more = pair | ((a | b) & (c | d))
    three_or_more = (a & b & (c | d)) | (c & d & (a | b))
    return is_open & odd & ~two_or_more, is_open & two_or_more & ~odd & ~(a & b & c & d), is_open & odd & three_or_more


@njit
def open_line_value(mine, theirs, board, directions, w):
    ones = twos = threes = 0
    for step in directions:
        one, two, three = open_windows(mine, theirs, board, step)
        ones += count(one)
        twos += count(two)
        threes += count(three)
    return w[0] * ones + w[1] * twos + w[2] * threes


@njit
def line_value(state, directions, w):
    """My open windows in these directions minus the opponent's."""
    theirs = state.mine ^ state.stones
    mine_open = open_line_value(state.mine, theirs, state.board, directions, w)
    return mine_open - open_line_value(theirs, state.mine, state.board, directions, w)


@heuristic(weights={"middle": 3})
def centre(state: Connect4, w):
    """My stones in the middle column (or two columns) minus the opponent's: more lines pass through there."""
    columns = count(state.board & BOTTOM_ROW)
    middle = FIRST_COLUMN << np.uint64(columns // 2 * COLUMN) | FIRST_COLUMN << np.uint64((columns - 1) // 2 * COLUMN)
    theirs = state.mine ^ state.stones
    return w[0] * (count(state.mine & middle) - count(theirs & middle))


@njit
def run_values(mine, tops, w):
    """Runs of my stones that begin at a top stone, in the seven directions in which there can be one."""
    value = np.float32(0)
    for step in (-1, COLUMN, -COLUMN, COLUMN - 1, 1 - COLUMN, -COLUMN - 1, COLUMN + 1):
        one = tops & mine
        two = one & shifted(mine, step)
        three = two & shifted(mine, 2 * step)
        value += w[0] * (count(one) - count(two)) + w[1] * (count(two) - count(three)) + w[2] * count(three)
    return value


@heuristic(weights={"one": 10, "two": 100, "three": 1000})
def directions(state: Connect4, w):
    """Runs of stones of one colour that begin at the top stone of a column, in all directions.

    Section 2.1 of the report: a run of 1, 2, 3 stones (the top one included) is worth 10, 100, 1000, mine minus theirs;
    down, left, right and the four diagonals. The printed listing repeats itself with directions that do not exist
    (`der-izq`...) and breaks off: a fault of its transcription, left out here. The report found it worse than the
    course's own player.
    """
    tops = state.stones & ~(state.stones >> ONE)
    theirs = state.mine ^ state.stones
    return run_values(state.mine, tops, w) - run_values(theirs, tops, w)


@heuristic(weights={"one": 10, "two": 100, "three": 1000})
def lines10(state: Connect4, w):
    """Open horizontal and vertical windows of four cells, each worth 10 to the power of the number of its stones.

    Section 2.2 of the report, mine minus the opponent's. Windows without any stone count for both sides and cancel out.
    """
    return line_value(state, STRAIGHT, w)


@heuristic(weights={"one": 2, "two": 4, "three": 8})
def lines2(state: Connect4, w):
    """Like lines10, with powers of 2 instead of 10, which proved stronger."""
    return line_value(state, STRAIGHT, w)


@heuristic(weights={"one": 10, "two": 100, "three": 1000})
def lines10_diagonals(state: Connect4, w):
    """Like lines10, but diagonal windows count too."""
    return line_value(state, ALL_LINES, w)


@heuristic(weights={"one": 2, "two": 4, "three": 8})
def lines2_diagonals(state: Connect4, w):
    """Like lines2, but diagonal windows count too."""
    return line_value(state, ALL_LINES, w)


@njit
def parity_value(mine, theirs, board, good_rows, w):
    """Open windows, those of two and three stones valued by the height of the cells that they still need.

    Whole numbers are added up first: a processor waits for each sum of fractions before it begins the next.
    """
    ones = twos = threes = two_good = three_good = 0
    for step in ALL_LINES:
        one, two, three = open_windows(mine, theirs, board, step)
        ones += count(one)
        twos += count(two)
        threes += count(three)
        # A window with two stones needs none, one or two cells at a good height; one with three needs one cell.
        good = good_rows & ~mine
        a, b, c, d = good, shifted(good, step), shifted(good, 2 * step), shifted(good, 3 * step)
        some, odd = a | b | c | d, a ^ b ^ c ^ d
        two_good += count(two & odd) + 2 * count(two & some & ~odd)
        three_good += count(three & some)
    two_bad = 2 * twos - two_good
    three_bad = threes - three_good
    return w[0] * ones + w[1] * two_good + w[2] * two_bad + w[3] * three_good + w[4] * three_bad


@njit
def parity_difference(state, w):
    theirs = state.mine ^ state.stones
    first_moves = count(state.stones) & 1 == 0
    my_rows = ODD_ROWS if first_moves else ~ODD_ROWS
    return parity_value(state.mine, theirs, state.board, my_rows, w) - parity_value(
        theirs, state.mine, state.board, ~my_rows, w
    )


PARITY = {"one": 2, "two_good": 3, "two_bad": 2, "three_good": 12, "three_bad": 8}


@heuristic(weights=PARITY)
def parity12(state: Connect4, w):
    """Open windows in all directions, which are worth more if their empty cells are at a good height (after Allis).

    Section 2.3 of the report: a window with one stone is worth 2; with two, each of its empty cells 3 at a good
    height and 2 at a bad one; with three, 12 or 8. Good heights are the odd rows for the first player and the even
    rows for the second, since in the end the columns fill up in turn. Corrected: the report's listing gave 12 to the
    *bad* height of three (against its own text and its rule for two), judged both players' windows by the parity of
    the player to move, and for two empty cells replaced the sum instead of adding to it.
    """
    return parity_difference(state, w)


@heuristic(weights=PARITY | {"three_good": 10})
def parity10(state: Connect4, w):
    """Like parity12, with 10 instead of 12 for three stones at a good height."""
    return parity_difference(state, w)
