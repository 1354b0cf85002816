# Reversi: max() with a key.
# outcome: compiles
import zermelo as z


def discs_after(board, move):
    return len(board.play(move).theirs)


@z.heuristic
def greedy(board: z.Reversi):
    best = max(board.moves(), key=lambda move: discs_after(board, move))
    return discs_after(board, best)
