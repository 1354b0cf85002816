# Connect 4: enumerate over the rows of a table of fractions.
# outcome: compiles
import zermelo as z

WEIGHTS = [
    [0.3, 0.4, 0.5, 0.7, 0.5, 0.4, 0.3],
    [0.4, 0.6, 0.8, 1.0, 0.8, 0.6, 0.4],
    [0.5, 0.8, 1.1, 1.3, 1.1, 0.8, 0.5],
    [0.5, 0.8, 1.1, 1.3, 1.1, 0.8, 0.5],
    [0.4, 0.6, 0.8, 1.0, 0.8, 0.6, 0.4],
    [0.3, 0.4, 0.5, 0.7, 0.5, 0.4, 0.3],
]


@z.heuristic
def by_rows(board: z.Connect4):
    value = 0.0
    for r, row in enumerate(WEIGHTS):
        for c, weight in enumerate(row):
            if board[r, c] == z.MINE:
                value += weight
            if board[r, c] == z.THEIRS:
                value -= weight
    return value
