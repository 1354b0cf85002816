"""The heuristics of the Reversi report (Cerrato and Garitagoitia), and those that its text or its sources mention.

All work on every board size. The zones of a board are named by their squares in the upper left corner of the 8x8
board: zone b1 is b1, a2 and their mirror images, counted from the edges.
"""

import numpy as np

from zermelo.core import ZERO, count, heuristic, njit
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, LAST_COLUMN, ROW, Reversi, ReversiBoard, board, targets
from zermelo.games.reversi.stability import stable_discs

SIDEWAYS, BELOW, BELOW_LEFT, BELOW_RIGHT = np.uint64(1), np.uint64(ROW), np.uint64(ROW - 1), np.uint64(ROW + 1)

# ------------------------------------------------------------------------------------------ what is counted


@njit
def piece_counts(state):
    return count(state.mine), count(state.theirs)


@njit
def move_counts(state):
    mine, theirs = targets(state.mine, state.theirs), targets(state.theirs, state.mine)
    return count(mine & board(state)), count(theirs & board(state))


@njit
def columns_at(columns, distance):
    """The columns at this distance from the nearer side."""
    if 2 * distance >= columns:
        return ZERO
    return FIRST_COLUMN << np.uint64(distance) | FIRST_COLUMN << np.uint64(columns - 1 - distance)


@njit
def rows_at(rows, distance):
    """The rows at this distance from the nearer end."""
    if 2 * distance >= rows:
        return ZERO
    return FIRST_ROW << np.uint64(ROW * distance) | FIRST_ROW << np.uint64(ROW * (rows - 1 - distance))


@njit
def zone(squares, near, far):
    """The squares of a board at these two distances from the nearest edges, in either order."""
    columns, rows = count(squares & FIRST_ROW), count(squares & FIRST_COLUMN)
    wide = columns_at(columns, far) & rows_at(rows, near)
    tall = columns_at(columns, near) & rows_at(rows, far)
    return (wide | tall) & squares


@njit
def corner_counts(state):
    squares = zone(board(state), 0, 0)
    return count(state.mine & squares), count(state.theirs & squares)


@njit
def neighbours(squares):
    """The squares that touch any of these."""
    rows = squares | ((squares & ~LAST_COLUMN) << SIDEWAYS) | ((squares & ~FIRST_COLUMN) >> SIDEWAYS)
    return rows | (rows << BELOW) | (rows >> BELOW)


@njit
def exposures(discs, empty):
    """How often one of these discs and an empty square touch."""
    left, right = empty & ~FIRST_COLUMN, empty & ~LAST_COLUMN  # the empty squares with a neighbour on that side
    straight = count(discs & (empty << BELOW)) + count(discs & (empty >> BELOW))
    to_right = (right << SIDEWAYS, right << BELOW_RIGHT, right >> BELOW_LEFT)
    to_left = (left >> SIDEWAYS, left >> BELOW_RIGHT, left << BELOW_LEFT)
    total = straight
    for touched in to_right + to_left:
        total += count(discs & touched)
    return total


@njit
def exposure_counts(state):
    empty = board(state) & ~(state.mine | state.theirs)
    return exposures(state.mine, empty), exposures(state.theirs, empty)


@njit
def zone_value(state, w):
    """My discs minus theirs, each with the weight of its zone; w is in the order of CHERRY."""
    value = np.float32(0)
    place = 0
    for far in range(4):
        for near in range(far + 1):
            squares = zone(board(state), near, far)
            value += w[place] * (count(state.mine & squares) - count(state.theirs & squares))
            place += 1
    return value


@njit
def percentage(counts):
    """My count minus theirs, as a percentage of the sum; 0 if the sum is 0."""
    mine, theirs = counts
    return 100.0 * (mine - theirs) / (mine + theirs) if mine + theirs else 0.0


# ------------------------------------------------------------------------------------------ the heuristics


@heuristic
def pieces(state: Reversi | ReversiBoard):
    """My discs minus the opponent's: a baseline for the other heuristics."""
    mine, theirs = piece_counts(state)
    return mine - theirs


@heuristic
def mobility(state: Reversi | ReversiBoard):
    """My possible moves minus the opponent's (Kukreja, 2013)."""
    mine, theirs = move_counts(state)
    return mine - theirs


@heuristic(weights={"pieces": 1, "mobility": 1})
def pieces_mobility(state: Reversi | ReversiBoard, w):
    """The first two together: my discs and possible moves minus the opponent's."""
    my_pieces, their_pieces = piece_counts(state)
    my_moves, their_moves = move_counts(state)
    return w[0] * (my_pieces - their_pieces) + w[1] * (my_moves - their_moves)


@heuristic(weights={"corners": 70, "mobility": 15, "pieces": 15})
def corners(state: Reversi | ReversiBoard, w):
    """Corners (weight 70), mobility (15) and discs (15), each as the share of the total by which I am ahead.

    The report's fourth; in whole hundredths, so from -10000 to 10000. Corrected: the report's last line read
    `result += result + ...`, which doubled corners and mobility (70, 15, 7.5 then, in effect).
    """
    value = np.float64(w[0]) * percentage(corner_counts(state))
    value += np.float64(w[1]) * percentage(move_counts(state))
    return np.rint(value + np.float64(w[2]) * percentage(piece_counts(state)))


CHERRY = {"a1": 4, "b1": -3, "b2": -4, "c1": 2, "c2": -1, "c3": 1, "d1": 2, "d2": -1, "d3": 0, "d4": 1}
NEGATIVE_CENTRE = CHERRY | {"d4": -1}


@heuristic(weights=CHERRY)
def static_board(state: Reversi | ReversiBoard, w):
    """The weights of the squares of my discs minus those of the opponent's discs (Cherry, 2011)."""
    return zone_value(state, w)


@heuristic(weights=NEGATIVE_CENTRE)
def static_board_negative_centre(state: Reversi | ReversiBoard, w):
    """Like static_board, with a negative centre, where many discs can be lost in few moves.

    The report does not print its numbers: here the four squares in the middle are -1 instead of 1.
    """
    return zone_value(state, w)


@heuristic(weights={"exposed": 1})
def frontier(state: Reversi | ReversiBoard, w):
    """The opponent's frontier discs minus mine, each counted once for every empty square that it touches."""
    mine, theirs = exposure_counts(state)
    return w[0] * (theirs - mine)


@heuristic(weights={"exposed": 1})
def frontier_once(state: Reversi | ReversiBoard, w):
    """The opponent's frontier discs minus mine, each counted once, however many empty squares it touches."""
    exposed = neighbours(board(state) & ~(state.mine | state.theirs))
    return w[0] * (count(state.theirs & exposed) - count(state.mine & exposed))


@heuristic(weights={"x": 40, "c": 30})
def x_squares(state: Reversi | ReversiBoard, w):
    """Discs on X squares (b2) and C squares (a2, b1), which give an empty corner away: the opponent's minus mine.

    The report tried them, after a page on strategy; the weights are those of Cherry's board, ten times.
    """
    squares, discs = board(state), state.mine | state.theirs
    beside = neighbours(zone(squares, 0, 0) & ~discs)
    x, c = beside & zone(squares, 1, 1), beside & zone(squares, 0, 1)
    value = w[0] * (count(state.theirs & x) - count(state.mine & x))
    return value + w[1] * (count(state.theirs & c) - count(state.mine & c))


@heuristic(weights={"stable": 10})
def stability(state: Reversi | ReversiBoard, w):
    """My discs that are known to be safe from flipping for ever, minus the opponent's."""
    mine = stable_discs(state.mine, state.theirs, board(state))
    theirs = stable_discs(state.theirs, state.mine, board(state))
    return w[0] * (count(mine) - count(theirs))


@heuristic(weights={"board": 5, "corners": 80, "frontier": 7.4, "mobility": 7.9, "pieces": 1} | NEGATIVE_CENTRE)
def report(state: Reversi | ReversiBoard, w):
    """Weight board, corners, frontier discs, mobility and disc parity together.

    A corner counts 25, the last three are percentages of the total as in `corners`, the frontier against its owner.
    The report does not print its weights: these are a tenth of Kukreja's (2013), whose programme it follows (his board,
    weight 10, is about five times as steep as Cherry's), rounded. The value is rounded to a whole number.
    """
    my_corners, their_corners = corner_counts(state)
    value = np.float64(w[0]) * np.float64(zone_value(state, w[5:]))
    value += np.float64(w[1]) * 25.0 * (my_corners - their_corners)
    value -= np.float64(w[2]) * percentage(exposure_counts(state))
    value += np.float64(w[3]) * percentage(move_counts(state))
    return np.rint(value + np.float64(w[4]) * percentage(piece_counts(state)))
