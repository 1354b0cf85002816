# Reversi: keeps a text for debugging.
# outcome: plain
import zermelo as z

DEBUG = False


@z.heuristic
def discs(board: z.Reversi):
    value = len(board.mine) - len(board.theirs)
    if DEBUG:
        print(f"{len(board.mine)} against {len(board.theirs)}: {value:.2f}")
    return value
