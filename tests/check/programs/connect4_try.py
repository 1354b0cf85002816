# Connect 4: try and except IndexError at the edges.
# outcome: plain
import zermelo as z


@z.heuristic
def pairs(board: z.Connect4):
    value = 0
    for row in range(board.rows):
        for column in range(board.columns):
            try:
                if board[row, column] == board[row, column + 1]:
                    value += board[row, column]
            except IndexError:
                pass
    return value
