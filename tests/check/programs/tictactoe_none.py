# Tic-tac-toe: a variable that is None at first.
# outcome: compiles
import zermelo as z


@z.heuristic
def best_row(board: z.TicTacToe):
    best = None
    for row in range(3):
        total = board[row, 0] + board[row, 1] + board[row, 2]
        if best is None or total > best:
            best = total
    return best
