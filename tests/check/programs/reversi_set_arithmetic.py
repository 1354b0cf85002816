# Reversi: calculates with a set of cells as if it were a number.
# outcome: error
# at: return board.mine - 1
# says: bits
import zermelo as z


@z.heuristic
def minus(board: z.Reversi):
    return board.mine - 1
