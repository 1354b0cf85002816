"""What a new heuristic for Hex begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z


@z.heuristic(weights={"cell": 100})
def mine(board: z.Hex, w):
    """Cells that the opponent still needs for the shortest path across, minus those that I need."""
    return w.cell * (board.distance(z.THEIRS) - board.distance(z.MINE))
'''
