# Reversi: a NumPy function that compiled code does not have.
# outcome: plain
import numpy as np

import zermelo as z


@z.heuristic
def neighbours(board: z.Reversi):
    grid = board.grid()
    return np.sum(grid * np.roll(grid, 1, axis=1))
