"""Heuristics for tic-tac-toe."""

import numpy as np

from zermelo.core import ZERO, heuristic
from zermelo.games.tictactoe.rules import LINES, TicTacToe


@heuristic
def lines(state: TicTacToe):
    """Lines that are still open to me, minus those still open to the opponent."""
    value = 0
    for line in LINES:
        if state.theirs & np.uint64(line) == ZERO:
            value += 1
        if state.mine & np.uint64(line) == ZERO:
            value -= 1
    return value
