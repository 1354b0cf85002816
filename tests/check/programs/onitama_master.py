# Onitama: how far my master is from the other temple; the search for it may end with nothing.
# outcome: compiles
import zermelo as z


def find_master(board, piece):
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == piece:
                return row, column
    return -1, -1


@z.heuristic
def march(board: z.Onitama):
    row, column = find_master(board, 2)
    other_row, other_column = find_master(board, -2)
    return (abs(other_row - 2) + abs(other_column - 2)) - (abs(row - 2) + abs(column - 2))
