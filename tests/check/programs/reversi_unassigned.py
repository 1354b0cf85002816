# Reversi: uses a variable that has a value in some cases only.
# outcome: error
# at: return bonus
# says: bonus
import zermelo as z


@z.heuristic
def corner(board: z.Reversi):
    if board[0, 0] == z.MINE:
        bonus = 100
    return bonus
