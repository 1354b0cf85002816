# Reversi: my moves against the moves after each of them.
# outcome: compiles
import zermelo as z


@z.heuristic
def mobility(board: z.Reversi):
    replies = 0
    moves = board.moves()
    for move in moves:
        replies += len(board.play(move).moves())
    return len(moves) - replies / max(1, len(moves))
