# Connect 4: stones near the middle column, with fractions.
# outcome: compiles
import zermelo as z


@z.heuristic
def centre(board: z.Connect4):
    score = 0.0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                score += 1 - abs(column - 3) / 3
            elif board[row, column] == z.THEIRS:
                score -= 1 - abs(column - 3) / 3
    return score
