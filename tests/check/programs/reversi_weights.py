# Reversi: the usual table of weights.
# outcome: compiles
import zermelo as z

WEIGHTS = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]


@z.heuristic
def positional(board: z.Reversi):
    my_score = 0
    opponent_score = 0
    for i in range(8):
        for j in range(8):
            if board[i][j] == z.MINE:
                my_score += WEIGHTS[i][j]
            elif board[i][j] == z.THEIRS:
                opponent_score += WEIGHTS[i][j]
    return my_score - opponent_score
