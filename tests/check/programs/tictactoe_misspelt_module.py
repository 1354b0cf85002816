# Tic-tac-toe: the name of a function of zermelo is misspelt.
# outcome: error
# at: return z.cuont(board.mine) - z.count(board.theirs)
# says: cuont
import zermelo as z


@z.heuristic
def marks(board: z.TicTacToe):
    return z.cuont(board.mine) - z.count(board.theirs)
