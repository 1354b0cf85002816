# Connect 4: NumPy's arithmetic on board.grid().
# outcome: compiles
import numpy as np

import zermelo as z

WEIGHTS = np.array([[1, 2, 3, 4, 3, 2, 1]] * 6)


@z.heuristic
def weighted(board: z.Connect4):
    return np.sum(board.grid() * WEIGHTS)
