# Reversi: empty cells next to discs, with sets.
# outcome: compiles
import zermelo as z


@z.heuristic
def frontier(board: z.Reversi):
    around_mine = board.mine.neighbours() & board.empty
    around_theirs = board.theirs.neighbours() & board.empty
    return len(around_theirs) - len(around_mine)
