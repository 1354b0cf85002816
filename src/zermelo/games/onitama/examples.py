"""What a new heuristic for Onitama begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z
from zermelo.games.onitama import Onitama


@z.heuristic(weights={"man": 10})
def mine(state: Onitama, w):
    """My pieces minus the opponent's."""
    return w[0] * (z.count(state.mine) - z.count(state.theirs))
'''
