# Hex: distance from the centre on a board of any size.
# outcome: compiles
import zermelo as z


@z.heuristic
def central(board: z.Hex):
    middle = (board.rows - 1) / 2
    total = 0.0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] != z.EMPTY:
                total -= board[row, column] * (abs(row - middle) + abs(column - middle))
    return total
