# Connect 4: forgets a colon.
# outcome: error
# at: for row in range(board.rows)
# says: expected ':'
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    total = 0
    for row in range(board.rows)
        total += board[row, 3]
    return total
