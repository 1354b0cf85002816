# Tic-tac-toe: weights in a dataclass.
# outcome: plain
from dataclasses import dataclass

import zermelo as z


@dataclass
class Weights:
    centre: float = 3.0
    corner: float = 1.5


WEIGHTS = Weights()


@z.heuristic
def weighted(board: z.TicTacToe):
    corners = board[0, 0] + board[0, 2] + board[2, 0] + board[2, 2]
    return WEIGHTS.centre * board[1, 1] + WEIGHTS.corner * corners
