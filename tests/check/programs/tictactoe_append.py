# Tic-tac-toe: calls a method that lists do not have.
# outcome: error
# at: values.add(board[row, column])
# says: add
import zermelo as z


@z.heuristic
def total(board: z.TicTacToe):
    values = []
    for row, column in board.cells():
        values.add(board[row, column])
    return sum(values)
