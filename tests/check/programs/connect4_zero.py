# Connect 4: divides by a number that is zero on the empty board.
# outcome: error
# at: return (mine - theirs) / (mine + theirs)
# says: division by zero
import zermelo as z


@z.heuristic
def share(board: z.Connect4):
    mine = len(board.mine)
    theirs = len(board.theirs)
    return (mine - theirs) / (mine + theirs)
