# Reversi: the share of discs as a fraction, which must not be rounded.
# outcome: compiles
import zermelo as z


@z.heuristic
def share(board: z.Reversi):
    mine = len(board.mine)
    theirs = len(board.theirs)
    return (mine - theirs) / (mine + theirs)
