# Tic-tac-toe: returns a list.
# outcome: error
# at: return [board[1, 1]]
# says: number
import zermelo as z


@z.heuristic
def middle(board: z.TicTacToe):
    return [board[1, 1]]
