# Connect 4: does not say which game it is for.
# outcome: error
# at: def stones(board):
# says: z.Connect4
import zermelo as z


@z.heuristic
def stones(board):
    return len(board.mine) - len(board.theirs)
