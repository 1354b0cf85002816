"""What a new heuristic for Connect 4 begins with in the workshop."""

HEURISTIC = '''\
import numpy as np
import zermelo as z
from zermelo.games.connect4 import Connect4

# Column 1 is bits 0 to 5, column 2 bits 8 to 13, ...
MIDDLE = np.uint64(sum(1 << 8 * 3 + row for row in range(6)))
INNER = np.uint64(sum(1 << 8 * column + row for column in (2, 3, 4) for row in range(6)))


@z.heuristic(weights={"middle": 3, "inner": 1})
def mine(state: Connect4, w):
    """My stones in the middle minus the opponent's."""
    theirs = state.mine ^ state.stones
    middle = z.count(state.mine & MIDDLE) - z.count(theirs & MIDDLE)
    inner = z.count(state.mine & INNER) - z.count(theirs & INNER)
    return w[0] * middle + w[1] * inner
'''
