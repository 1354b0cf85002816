# Connect 4: = instead of ==.
# outcome: error
# at: if board[row, column] = z.MINE:
# says: '=='
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    total = 0
    for row, column in board.cells():
        if board[row, column] = z.MINE:
            total += 1
    return total
