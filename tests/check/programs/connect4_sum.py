# Connect 4: sum() of a generator with two loops and a condition.
# outcome: compiles
import zermelo as z


@z.heuristic
def low_stones(board: z.Connect4):
    mine = sum(row for row in range(board.rows) for col in range(board.columns) if board[row, col] == z.MINE)
    theirs = sum(row for row in range(board.rows) for col in range(board.columns) if board[row, col] == z.THEIRS)
    return mine - theirs
