"""What a new heuristic for Connect 4 begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z


@z.heuristic(weights={"middle": 3, "inner": 1})
def mine(board: z.Connect4, w):
    """My stones in the middle minus the opponent's."""
    middle, inner = z.cells("d1-d6"), z.cells("c1-c6 d1-d6 e1-e6")
    value = w.middle * (len(board.mine & middle) - len(board.theirs & middle))
    return value + w.inner * (len(board.mine & inner) - len(board.theirs & inner))
'''
