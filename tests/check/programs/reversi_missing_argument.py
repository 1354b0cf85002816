# Reversi: forgets an argument of its own helper.
# outcome: error
# at: return count_row(board) + count_row(board, 7)
# says: row
import zermelo as z


def count_row(board, row):
    return sum(board[row, column] for column in range(board.columns))


@z.heuristic
def edges(board: z.Reversi):
    return count_row(board) + count_row(board, 7)
