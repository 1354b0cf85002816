# Reversi: a loop that never ends.
# outcome: error
# says: endless loop
# seconds: 10
import zermelo as z


@z.heuristic
def discs(board: z.Reversi):
    total = 0
    row = 0
    while row < board.rows:
        total += board[row, 0]
    return total
