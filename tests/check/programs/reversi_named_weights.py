# Reversi: weights by name.
# outcome: compiles
import zermelo as z

CORNERS = z.cells("a1 h1 a8 h8")


@z.heuristic(weights={"corner": 25, "disc": 0.5})
def mixed(board: z.Reversi, w):
    corner = len(board.mine & CORNERS) - len(board.theirs & CORNERS)
    disc = len(board.mine) - len(board.theirs)
    return w.corner * corner + w.disc * disc
