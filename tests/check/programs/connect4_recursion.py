# Connect 4: a recursive helper.
# outcome: compiles
import zermelo as z


def height(board, column, row):
    if row < 0 or board[row, column] == z.EMPTY:
        return 0
    return 1 + height(board, column, row - 1)


@z.heuristic
def towers(board: z.Connect4):
    total = 0
    for column in range(board.columns):
        tall = height(board, column, board.rows - 1)
        if tall > 0:
            total += tall * board[board.rows - tall, column]
    return total
