"""What a learned table looks at: the eight lines, and the squares of four cells in the corners.

The lines of the border, of the middle and the diagonals share their entries, and so do the squares.
"""

from zermelo.evaluation.tables import CellTuples, add_board, table_entries, table_size
from zermelo.games.tictactoe.rules import TicTacToe

BORDER = ((0, 1, 2), (6, 7, 8), (0, 3, 6), (2, 5, 8))
MIDDLE = ((3, 4, 5), (1, 4, 7))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
SQUARES = ((0, 1, 3, 4), (2, 5, 1, 4), (6, 3, 7, 4), (8, 7, 5, 4))

TUPLES = CellTuples([BORDER, MIDDLE, DIAGONALS, SQUARES], values=3)
FIRSTS, STEPS, SIZE = TUPLES.firsts, TUPLES.steps, TUPLES.size


@table_entries.of(TicTacToe)
def _(state, out):
    for i in range(len(FIRSTS)):
        out[i] = FIRSTS[i]
    add_board(STEPS, state.mine, 1, out)
    add_board(STEPS, state.theirs, 2, out)
    return len(FIRSTS)


@table_size.of(TicTacToe)
def _(state):
    return SIZE
