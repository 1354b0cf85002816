# Reversi: a loop that never ends.
# outcome: error
# at: while row < board.rows:
# says: endless loop
import zermelo as z


@z.heuristic
def discs(board: z.Reversi):
    total = 0
    row = 0
    while row < board.rows:
        total += board[row, 0]
    return total
