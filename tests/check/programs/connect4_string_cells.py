# Connect 4: compares cells with letters, as other programs do.
# outcome: compiles
# says: it gives 0 in every position
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
