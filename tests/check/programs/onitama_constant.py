# Onitama: a constant that does not exist.
# outcome: error
# at: if board[row, column] == z.MASTER:
# says: MASTER
import zermelo as z


@z.heuristic
def masters(board: z.Onitama):
    value = 0
    for row, column in board.cells():
        if board[row, column] == z.MASTER:
            value += 10
    return value
