# Reversi: a dictionary whose keys are pairs.
# outcome: compiles
import zermelo as z

VALUE = {(0, 0): 100, (0, 7): 100, (7, 0): 100, (7, 7): 100, (1, 1): -50, (1, 6): -50, (6, 1): -50, (6, 6): -50}


@z.heuristic
def special(board: z.Reversi):
    total = 0
    for row, column in board.cells():
        if (row, column) in VALUE:
            total += VALUE[row, column] * board[row, column]
    return total
