"""Reversi, and its other board sizes. Bit numbers; a row takes 8 bits, whatever the board's width:

         a  b  c  d  e  f  g  h
      1  0  1  2  3  4  5  6  7         A smaller board keeps the upper left corner: its squares are a mask, and
      2  8  9 10 11 12 13 14 15         the squares beyond it stay empty for ever, which ends every line of discs
      3 16 17 18 19 20 21 22 23         there as the edge does.
      :  :                    :
      8 56 57 58 59 60 61 62 63         A move is the number of its square, or PASS.

Lines run in eight directions: in four of them bit numbers grow (right, down left, down, down right), in the other four
they fall. Four directions are computed at a time, as the lanes of a vector.
"""

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from zermelo.core import ALL, ZERO, bit, count, generic, lowest, mix, njit, state, without_lowest
from zermelo.core.lanes import either, highest_bits, lanes, lanes_at, nonzero_lanes, spread
from zermelo.rules import (
    is_over,
    key,
    legal_moves,
    margin,
    move_hint,
    outcome,
    play,
    reply_hint,
    stage,
    to_move,
    wins_at_once,
)

ROW = 8  # bits from a square to the one below it
LEAST, MOST = 4, 8  # columns or rows
PASS = 64

UPWARDS = ((1, 0), (-1, 1), (0, 1), (1, 1))  # columns and rows from a square to the next
DOWNWARDS = tuple((-column, -row) for column, row in UPWARDS)

FIRST_ROW = np.uint64((1 << ROW) - 1)
FIRST_COLUMN = np.uint64(sum(1 << ROW * row for row in range(MOST)))
LAST_COLUMN = FIRST_COLUMN << np.uint64(MOST - 1)
CORNERS = (FIRST_ROW | FIRST_ROW << np.uint64(56)) & (FIRST_COLUMN | LAST_COLUMN)
INNER_COLUMNS = ~(FIRST_COLUMN | LAST_COLUMN)  # a disc to be flipped sideways has a neighbour on either side


def ray(square: int, column_step: int, row_step: int) -> int:
    """The squares of the 8x8 board beyond a square in one direction."""
    column, row = square % ROW + column_step, square // ROW + row_step
    squares = 0
    while 0 <= column < MOST and 0 <= row < MOST:
        squares |= 1 << ROW * row + column
        column, row = column + column_step, row + row_step
    return squares


RAYS_UP = np.array([[ray(square, *step) for step in UPWARDS] for square in range(64)], np.uint64)
RAYS_DOWN = np.array([[ray(square, *step) for step in DOWNWARDS] for square in range(64)], np.uint64)


def board_of(columns: int, rows: int) -> np.uint64:
    """The squares of a board of this size."""
    return np.uint64(sum(((1 << columns) - 1) << ROW * row for row in range(rows)))


def start_discs(columns: int, rows: int) -> tuple[int, int]:
    """The four discs in the middle with which a game begins, the first player's and the second's."""
    upper_left = ROW * ((rows - 1) // 2) + (columns - 1) // 2
    return 0b1 << upper_left + 1 | 0b1 << upper_left + ROW, 0b1 << upper_left | 0b1 << upper_left + ROW + 1


@state
class Reversi(NamedTuple):
    """A position on the 8x8 board, seen by the player to move."""

    mine: np.uint64 = np.uint64(start_discs(8, 8)[0])  # discs of the player to move
    theirs: np.uint64 = np.uint64(start_discs(8, 8)[1])
    player: np.uint8 = np.uint8(0)  # who that is: 0 (black, X) or 1


@state
class ReversiBoard(NamedTuple):
    """A position on a board of another size.

    (With a mask in Reversi itself the 8x8 board would lose 3% in alpha-beta with mobility, 8% with a weight board.)
    """

    mine: np.uint64
    theirs: np.uint64
    player: np.uint8
    board: np.uint64  # the squares that exist


def make_state(columns: int, rows: int, black: int, white: int, player: int) -> Reversi | ReversiBoard:
    """The state with these discs on a board of this size."""
    mine, theirs = (white, black) if player else (black, white)
    if (columns, rows) == (MOST, MOST):
        return Reversi(np.uint64(mine), np.uint64(theirs), np.uint8(player))
    return ReversiBoard(np.uint64(mine), np.uint64(theirs), np.uint8(player), board_of(columns, rows))


@generic
def board(state):
    """The squares that exist."""


@board.of(Reversi)
def _(state):
    return ALL


@board.of(ReversiBoard)
def _(state):
    return state.board


@generic
def with_discs(state, mine: uint64, theirs: uint64):
    """The state with these discs, seen by the other player."""


@with_discs.of(Reversi)
def _(state, mine, theirs):
    return Reversi(mine, theirs, 1 - state.player)


@with_discs.of(ReversiBoard)
def _(state, mine, theirs):
    return ReversiBoard(mine, theirs, 1 - state.player, state.board)


@njit
def targets(mine, theirs):
    """The empty squares, on the board or beyond it, from which a line of their discs leads to one of mine."""
    step, double_step = lanes(1, 7, 8, 9), lanes(2, 14, 16, 18)  # in bit numbers, UPWARDS
    inner = theirs & INNER_COLUMNS
    own, other = spread(mine), lanes(inner, inner, theirs, inner)
    # up: their discs on an unbroken line upwards from one of mine, of one disc, then of two, four and six.
    up = other & (own << step)
    up = up | (other & (up << step))
    pairs = other & (other << step)
    up = up | (pairs & (up << double_step))
    up = up | (pairs & (up << double_step))
    down = other & (own >> step)
    down = down | (other & (down >> step))
    pairs = other & (other >> step)
    down = down | (pairs & (down >> double_step))
    down = down | (pairs & (down >> double_step))
    return either((up << step) | (down >> step)) & ~(mine | theirs)


@njit
def flips(mine, theirs, square):
    """Their discs that a disc of mine on this square flips."""
    own, other = spread(mine), spread(theirs)
    # Upwards: if all bits outside the ray are set, adding 1 carries to the first square on the ray that is not theirs.
    line = lanes_at(RAYS_UP, square)
    end = ((other | ~line) + spread(1)) & own & line
    upwards = (end - nonzero_lanes(end)) & line
    # Downwards: the first square that is not theirs is the highest such bit of the ray.
    line = lanes_at(RAYS_DOWN, square)
    end = highest_bits(line & ~other) & own & line
    downwards = (spread(0) - (end + end)) & line
    return either(upwards | downwards)


@legal_moves.of(Reversi, ReversiBoard)
def _(state, out, start):
    squares = targets(state.mine, state.theirs) & board(state)
    if squares == ZERO and targets(state.theirs, state.mine) & board(state):
        out[start] = PASS
        return start + 1
    while squares:
        out[start] = lowest(squares)
        start += 1
        squares = without_lowest(squares)
    return start


@play.of(Reversi, ReversiBoard)
def _(state, move):
    if move == PASS:
        return with_discs(state, state.theirs, state.mine)
    flipped = flips(state.mine, state.theirs, move)
    return with_discs(state, state.theirs ^ flipped, state.mine | flipped | bit(move))


@is_over.of(Reversi, ReversiBoard)
def _(state):
    squares = targets(state.mine, state.theirs) | targets(state.theirs, state.mine)
    return squares & board(state) == ZERO


@outcome.of(Reversi, ReversiBoard)
def _(state):
    mine, theirs = count(state.mine), count(state.theirs)
    return (mine > theirs) - (mine < theirs)


@margin.of(Reversi, ReversiBoard)
def _(state):
    """My discs minus theirs; the winner gets the empty squares."""
    mine, theirs = count(state.mine), count(state.theirs)
    empty = count(board(state)) - mine - theirs
    return mine - theirs + empty * ((mine > theirs) - (mine < theirs))


# How early to try a square, by its distances from the nearest edges: corners first, X squares (b2) last.
HINTS = np.array(
    [
        [9, -3, 3, 2],
        [-3, -9, -2, -1],
        [3, -2, 1, 0],
        [2, -1, 0, 0],
    ],
    np.int64,
)


@move_hint.of(Reversi, ReversiBoard)
def _(state, move):
    if move == PASS:
        return HINTS[3, 3]
    columns, rows = count(board(state) & FIRST_ROW), count(board(state) & FIRST_COLUMN)
    column, row = move % ROW, move // ROW
    return HINTS[min(row, rows - 1 - row), min(column, columns - 1 - column)]


@reply_hint.of(Reversi, ReversiBoard)
def _(state):
    """The number of squares where the player to move can place a disc, negated; corners count twice."""
    squares = targets(state.mine, state.theirs) & board(state)
    return -int64(count(squares) + count(squares & CORNERS))


@stage.of(Reversi, ReversiBoard)
def _(state):
    """One for every four discs."""
    return (count(state.mine | state.theirs) - 1) // 4


@wins_at_once.of(Reversi, ReversiBoard)
def _(state):
    """Discs are counted when no player can move any more, so no move wins by itself."""
    return False


@to_move.of(Reversi, ReversiBoard)
def _(state):
    return state.player


@key.of(Reversi, ReversiBoard)
def _(state):
    return mix(state.mine + mix(state.theirs + np.uint64(state.player)))
