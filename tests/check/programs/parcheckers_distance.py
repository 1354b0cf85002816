# Parcheckers: the distances to the goal.
# outcome: compiles
import zermelo as z


@z.heuristic
def race(board: z.Parcheckers):
    mine = sum(piece.distance for piece in board.pieces(z.MINE))
    theirs = sum(piece.distance for piece in board.pieces(z.THEIRS))
    return theirs - mine
