# Tic-tac-toe: forgets @z.heuristic.
# outcome: error
# says: write @z.heuristic above a function
import zermelo as z


def centre(board: z.TicTacToe):
    return board[1, 1]
