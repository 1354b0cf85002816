# Connect 4: forgets to return the value.
# outcome: error
# at: def stones(board: z.Connect4):
# says: return
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    score = 0
    for row in range(board.rows):
        for column in range(board.columns):
            score = score + board[row, column]
