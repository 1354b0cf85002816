# Hex: stones that touch each other.
# outcome: compiles
import zermelo as z


@z.heuristic
def together(board: z.Hex):
    return len(board.mine & board.mine.neighbours()) - len(board.theirs & board.theirs.neighbours())
