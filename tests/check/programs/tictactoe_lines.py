# Tic-tac-toe: the eight lines as lists of pairs.
# outcome: compiles
import zermelo as z

LINES = [
    [(0, 0), (0, 1), (0, 2)],
    [(1, 0), (1, 1), (1, 2)],
    [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 0), (2, 0)],
    [(0, 1), (1, 1), (2, 1)],
    [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
]


@z.heuristic
def lines(board: z.TicTacToe):
    value = 0
    for line in LINES:
        mine = sum(1 for r, c in line if board[r, c] == z.MINE)
        theirs = sum(1 for r, c in line if board[r, c] == z.THEIRS)
        if theirs == 0:
            value += mine
        if mine == 0:
            value -= theirs
    return value
