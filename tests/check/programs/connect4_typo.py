# Connect 4: a name is misspelt.
# outcome: error
# at: total += board[row, colum]
# says: colum is not defined
import zermelo as z


@z.heuristic
def middle(board: z.Connect4):
    total = 0
    for row in range(board.rows):
        for column in range(2, 5):
            total += board[row, colum]
    return total
