"""What a new heuristic for Onitama begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z


@z.heuristic(weights={"piece": 10, "centre": 1})
def mine(board: z.Onitama, w):
    """My pieces minus the opponent's; those in the nine squares of the centre count more."""
    centre = z.cells("b2-d2 b3-d3 b4-d4")
    value = w.piece * (len(board.mine) - len(board.theirs))
    return value + w.centre * (len(board.mine & centre) - len(board.theirs & centre))
'''
