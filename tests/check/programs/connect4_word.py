# Connect 4: returns a word.
# outcome: error
# at: return "good"
# says: number
import zermelo as z


@z.heuristic
def verdict(board: z.Connect4):
    if board[5, 3] == z.MINE:
        return "good"
    return "bad"
