# Reversi: a power that outgrows 64 bits.
# outcome: error
# at: return 10 ** len(board.mine) - 10 ** len(board.theirs)
# says: 64 bits
import zermelo as z


@z.heuristic
def powers(board: z.Reversi):
    return 10 ** len(board.mine) - 10 ** len(board.theirs)
