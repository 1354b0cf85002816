# Reversi: corners by their names.
# outcome: compiles
import zermelo as z

CORNERS = z.cells("a1 h1 a8 h8")


@z.heuristic
def corners(board: z.Reversi):
    return len(board.mine & CORNERS) - len(board.theirs & CORNERS)
