"""What a new heuristic for Reversi begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z


@z.heuristic(weights={"corner": 20, "disc": -1})
def mine(board: z.Reversi, w):
    """Corners are good, discs rather bad, until late."""
    corners = z.cells("a1 h1 a8 h8")
    value = w.corner * (len(board.mine & corners) - len(board.theirs & corners))
    return value + w.disc * (len(board.mine) - len(board.theirs))
'''
