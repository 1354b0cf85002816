# Reversi: counts its own calls in a global variable.
# outcome: plain
import zermelo as z

calls = 0


@z.heuristic
def counted(board: z.Reversi):
    global calls
    calls += 1
    return len(board.mine) - len(board.theirs)
