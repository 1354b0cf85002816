# Tic-tac-toe: adds a little chance.
# outcome: compiles
import random

import zermelo as z


@z.heuristic
def shaky(board: z.TicTacToe):
    return board[1, 1] + random.random()
