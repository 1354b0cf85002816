# Connect 4: an attribute that boards do not have.
# outcome: error
# at: return len(board.mien) - len(board.theirs)
# says: 'mien'
import zermelo as z


@z.heuristic
def stones(board: z.Connect4):
    return len(board.mien) - len(board.theirs)
