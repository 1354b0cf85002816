# Connect 4: returns a word.
# outcome: error
# says: number
# at: def verdict(board: z.Connect4):
import zermelo as z


@z.heuristic
def verdict(board: z.Connect4):
    if board[5, 3] == z.MINE:
        return "good"
    return "bad"
