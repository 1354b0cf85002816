# Connect 4: compares cells with letters, as other programs do.
# outcome: error
# at: if board[row, column] == "X":
# says: z.MINE
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    total = 0
    for row, column in board.cells():
        if board[row, column] == "X":
            total += 1
        elif board[row, column] == "O":
            total -= 1
    return total
