# Connect 4: makes a text of every row and looks for patterns in it.
# outcome: plain
import zermelo as z

SYMBOLS = {z.MINE: "X", z.THEIRS: "O", z.EMPTY: "."}


@z.heuristic
def patterns(board: z.Connect4):
    value = 0
    for row in range(board.rows):
        text = "".join(SYMBOLS[board[row, column]] for column in range(board.columns))
        value += text.count("XX.") - text.count("OO.")
    return value
