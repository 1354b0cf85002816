# Reversi: the name of a weight is misspelt.
# outcome: error
# at: return w.cornr * len(board.mine & CORNERS) + w.disc * len(board.mine)
# says: cornr
import zermelo as z

CORNERS = z.cells("a1 h1 a8 h8")


@z.heuristic(weights={"corner": 25, "disc": 1})
def mixed(board: z.Reversi, w):
    return w.cornr * len(board.mine & CORNERS) + w.disc * len(board.mine)
