# Connect 4: a table of weights as a list of lists, and board[row][column].
# outcome: compiles
import zermelo as z

WEIGHTS = [
    [3, 4, 5, 7, 5, 4, 3],
    [4, 6, 8, 10, 8, 6, 4],
    [5, 8, 11, 13, 11, 8, 5],
    [5, 8, 11, 13, 11, 8, 5],
    [4, 6, 8, 10, 8, 6, 4],
    [3, 4, 5, 7, 5, 4, 3],
]


@z.heuristic
def table(board: z.Connect4):
    total = 0
    for row in range(6):
        for col in range(7):
            total += WEIGHTS[row][col] * board[row][col]
    return total
