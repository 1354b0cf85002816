"""The heuristics of the tutorial (docs/tutorial.md, section 4), which play beside its text."""

import zermelo as z


@z.heuristic
def middle(board: z.Connect4):
    """My stones in the middle column minus the opponent's."""
    value = 0
    for row in range(board.rows):
        value += board[row, 3]
    return value


@z.heuristic(weights={"middle": 2, "beside": 1})
def near(board: z.Connect4, w):
    """My stones in the middle column and in those beside it, minus the opponent's."""
    middle, beside = z.cells("d1-d6"), z.cells("c1-c6 e1-e6")
    in_the_middle = len(board.mine & middle) - len(board.theirs & middle)
    return w.middle * in_the_middle + w.beside * (len(board.mine & beside) - len(board.theirs & beside))
