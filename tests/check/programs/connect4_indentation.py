# Connect 4: a line that is indented wrongly.
# outcome: error
# at: total += 1
# says: indent
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    total = 0
    for row, column in board.cells():
        if board[row, column] == z.MINE:
        total += 1
    return total
