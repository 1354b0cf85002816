# Connect 4: a loop over board.cells().
# outcome: compiles
import zermelo as z


@z.heuristic
def columns(board: z.Connect4):
    value = 0
    for row, column in board.cells():
        if column == board.columns // 2:
            value += board[row, column]
    return value
