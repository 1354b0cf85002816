# Connect 4: returns a value in some cases only.
# outcome: error
# says: return
# at: if board[5, 3] == z.THEIRS:
import zermelo as z


@z.heuristic
def danger(board: z.Connect4):
    if board[5, 3] == z.MINE:
        return 10
    if board[5, 3] == z.THEIRS:
        return -10
