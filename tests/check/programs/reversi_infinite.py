# Reversi: infinity for a won position.
# outcome: error
# at: return float("inf")
# says: inf
import zermelo as z


@z.heuristic
def discs(board: z.Reversi):
    if len(board.mine) > len(board.theirs):
        return float("inf")
    return len(board.mine) - len(board.theirs)
