# Connect 4: version 0.1's bits still work.
# outcome: compiles
import numpy as np

import zermelo as z


@z.heuristic(weights={"middle": 3, "together": 1})
def mine(state: z.Connect4, w):
    theirs, value = state.mine ^ state.stones, 0.0
    for step in (1, 7, 8, 9):
        along = np.uint64(step)
        value += w[1] * (z.count(state.mine & state.mine >> along) - z.count(theirs & theirs >> along))
    middle = np.uint64(0x3F) << np.uint64(24)
    return value + w[0] * (z.count(state.mine & middle) - z.count(theirs & middle))
