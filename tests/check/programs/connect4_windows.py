# Connect 4: windows of four cells as lists, counted by a helper, as in most tutorials.
# outcome: compiles
import zermelo as z


def score_window(window):
    score = 0
    if window.count(z.MINE) == 3 and window.count(z.EMPTY) == 1:
        score += 5
    elif window.count(z.MINE) == 2 and window.count(z.EMPTY) == 2:
        score += 2
    if window.count(z.THEIRS) == 3 and window.count(z.EMPTY) == 1:
        score -= 5
    elif window.count(z.THEIRS) == 2 and window.count(z.EMPTY) == 2:
        score -= 2
    return score


@z.heuristic
def windows(board: z.Connect4):
    score = 0
    for r in range(board.rows):
        for c in range(board.columns - 3):
            score += score_window([board[r, c + i] for i in range(4)])
    for r in range(board.rows - 3):
        for c in range(board.columns):
            score += score_window([board[r + i, c] for i in range(4)])
    for r in range(board.rows - 3):
        for c in range(board.columns - 3):
            score += score_window([board[r + i, c + i] for i in range(4)])
            score += score_window([board[r + 3 - i, c + i] for i in range(4)])
    return score
