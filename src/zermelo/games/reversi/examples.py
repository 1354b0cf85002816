"""What a new heuristic for Reversi begins with in the workshop."""

HEURISTIC = '''\
import numpy as np
import zermelo as z
from zermelo.games.reversi import Reversi

CORNERS = z.bit(0) | z.bit(7) | z.bit(56) | z.bit(63)


@z.heuristic(weights={"corner": 20, "disc": -1})
def mine(state: Reversi, w):
    """Corners are good, discs rather bad, until late."""
    corners = z.count(state.mine & CORNERS) - z.count(state.theirs & CORNERS)
    discs = z.count(state.mine) - z.count(state.theirs)
    return w[0] * corners + w[1] * discs
'''
