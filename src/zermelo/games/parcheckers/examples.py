"""What a new heuristic for Parcheckers begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z


@z.heuristic(weights={"square": 1, "safe": 10})
def mine(board: z.Parcheckers, w):
    """Squares to go and safe pieces, mine against theirs."""
    value = 0.0
    for piece in board.pieces(z.MINE):
        value += w.safe * piece.is_safe - w.square * piece.distance
    for piece in board.pieces(z.THEIRS):
        value -= w.safe * piece.is_safe - w.square * piece.distance
    return value
'''
