# Connect 4: looks one cell beyond the edge of the board.
# outcome: error
# at: if board[row, column] == board[row, column + 1] == z.MINE:
# says: outside
import zermelo as z


@z.heuristic
def pairs(board: z.Connect4):
    value = 0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == board[row, column + 1] == z.MINE:
                value += 1
    return value
