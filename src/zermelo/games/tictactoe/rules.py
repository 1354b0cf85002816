"""Tic-tac-toe, the tutorial game: docs/how-to/add-a-game.md explains it line by line. Bit numbers:

  a b c
1 0 1 2
2 3 4 5
3 6 7 8
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ONE, ZERO, bit, count, lowest, mix, njit, state, without_lowest
from zermelo.rules import is_over, key, legal_moves, outcome, play, to_move

BOARD = np.uint64(0b111_111_111)
LINES = (
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
)


@state
class TicTacToe(NamedTuple):
    """A position, seen by the player to move."""

    mine: np.uint64 = ZERO  # marks of the player to move
    theirs: np.uint64 = ZERO


@njit
def has_line(marks):
    """Are there three in a line?"""
    for line in LINES:
        if marks & np.uint64(line) == np.uint64(line):
            return True
    return False


@legal_moves.of(TicTacToe)
def _(state, out, start):
    if has_line(state.theirs):
        return start
    free = BOARD & ~(state.mine | state.theirs)
    while free:
        out[start] = lowest(free)
        start += 1
        free = without_lowest(free)
    return start


@play.of(TicTacToe)
def _(state, move):
    return TicTacToe(state.theirs, state.mine | bit(move))


@is_over.of(TicTacToe)
def _(state):
    return has_line(state.theirs) or state.mine | state.theirs == BOARD


@outcome.of(TicTacToe)
def _(state):
    return -1 if has_line(state.theirs) else 0


@to_move.of(TicTacToe)
def _(state):
    return count(state.mine | state.theirs) & 1


@key.of(TicTacToe)
def _(state):
    return mix((state.mine << np.uint64(9) | state.theirs) + ONE)
