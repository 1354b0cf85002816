# Tic-tac-toe: counts rows from 1, as on paper.
# outcome: error
# at: total += board[row, column]
# says: outside
import zermelo as z


@z.heuristic
def all_cells(board: z.TicTacToe):
    total = 0
    for row in range(1, 4):
        for column in range(1, 4):
            total += board[row, column]
    return total
