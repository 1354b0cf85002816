"""What a new heuristic for Hex begins with in the workshop."""

HEURISTIC = '''\
import numpy as np
import zermelo as z
from zermelo.games.hex import Hex
from zermelo.games.hex.distances import shortest_distance


@z.heuristic(weights={"cell": 100})
def mine(state: Hex, w):
    """Cells that the opponent still needs for the shortest path across, minus those that I need."""
    player = np.int64(state.player)
    return w[0] * (shortest_distance(state, 1 - player) - shortest_distance(state, player))
'''
