# Tic-tac-toe: takes a method for a number.
# outcome: error
# at: return len(board.moves)
# says: moves
import zermelo as z


@z.heuristic
def freedom(board: z.TicTacToe):
    return len(board.moves)
