# Tic-tac-toe: one heuristic calls another.
# outcome: compiles
import zermelo as z


@z.heuristic
def corners(board: z.TicTacToe):
    return board[0, 0] + board[0, 2] + board[2, 0] + board[2, 2]


@z.heuristic
def corners_and_centre(board: z.TicTacToe):
    return corners(board) + 2 * board[1, 1]
