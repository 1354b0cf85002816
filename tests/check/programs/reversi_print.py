# Reversi: prints what it does.
# outcome: compiles
import zermelo as z


@z.heuristic
def chatty(board: z.Reversi):
    value = len(board.mine) - len(board.theirs)
    print("value", value)
    return value
