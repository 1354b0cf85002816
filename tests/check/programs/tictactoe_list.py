# Tic-tac-toe: returns a list.
# outcome: error
# says: number
# at: def middle(board: z.TicTacToe):
import zermelo as z


@z.heuristic
def middle(board: z.TicTacToe):
    return [board[1, 1]]
