# Tic-tac-toe: insists on compiled code, which has no classes.
# outcome: error
# at: return weights.centre * board[1, 1]
# says: weights
import zermelo as z


class Weights:
    centre = 3


weights = Weights()


@z.heuristic(compiled=True)
def insists(board: z.TicTacToe):
    return weights.centre * board[1, 1]
