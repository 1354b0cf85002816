# Connect 4: the number of moves.
# outcome: compiles
import zermelo as z


@z.heuristic
def open_columns(board: z.Connect4):
    return len(board.moves())
