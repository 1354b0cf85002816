# Reversi: imports inside the function.
# outcome: plain
import zermelo as z


@z.heuristic
def logarithm(board: z.Reversi):
    import math

    return math.log(len(board.mine) + 1) - math.log(len(board.theirs) + 1)
