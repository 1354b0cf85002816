# Parcheckers: takes it for a board with rows and columns.
# outcome: error
# at: for row in range(board.rows):
# says: rows
import zermelo as z


@z.heuristic
def cells(board: z.Parcheckers):
    total = 0
    for row in range(board.rows):
        total += row
    return total
