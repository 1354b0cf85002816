# Reversi: corners as a list of pairs.
# outcome: compiles
import zermelo as z

CORNERS = [(0, 0), (0, 7), (7, 0), (7, 7)]


@z.heuristic
def corners(board: z.Reversi):
    value = 0
    for row, column in CORNERS:
        value += 25 * board[row, column]
    return value
