# Reversi: sorts the numbers of discs in the rows.
# outcome: compiles
import zermelo as z


@z.heuristic
def best_rows(board: z.Reversi):
    rows = []
    for row in range(board.rows):
        rows.append(sum(board[row, column] for column in range(board.columns)))
    rows.sort()
    return rows[-1] + rows[0]
