# Reversi: other weights in the opening, the middle and the end of the game.
# outcome: compiles
import zermelo as z


@z.heuristic
def phases(board: z.Reversi):
    played = 64 - len(board.empty)
    discs = len(board.mine) - len(board.theirs)
    if played < 20:
        return -discs
    elif played < 50:
        return len(board.moves()) + 0.25 * discs
    else:
        return 10 * discs
