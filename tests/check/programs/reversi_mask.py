# Reversi: plain numbers with bits keep their type.
# outcome: compiles
import zermelo as z


@z.heuristic
def first_bits(board: z.Reversi):
    return len(board.mine & 0x8100000000000081) - len(board.theirs & 0x8100000000000081)
