# Tic-tac-toe: a match statement.
# outcome: compiles
import zermelo as z


@z.heuristic
def centre(board: z.TicTacToe):
    match board[1, 1]:
        case 1:
            return 3
        case -1:
            return -3
        case _:
            return 0
