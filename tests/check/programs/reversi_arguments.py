# Reversi: takes weights that were never declared.
# outcome: error
# at: def mixed(board: z.Reversi, w):
# says: weights={...}
import zermelo as z


@z.heuristic
def mixed(board: z.Reversi, w):
    return w.disc * (len(board.mine) - len(board.theirs))
