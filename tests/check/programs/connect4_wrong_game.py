# Connect 4: the name of the game is misspelt.
# outcome: error
# at: def stones(board: z.Conect4):
# says: Conect4
import zermelo as z


@z.heuristic
def stones(board: z.Conect4):
    return len(board.mine) - len(board.theirs)
