# Tic-tac-toe: any() and all() of generators.
# outcome: compiles
import zermelo as z


@z.heuristic
def blocked(board: z.TicTacToe):
    if any(all(board[r, c] != z.THEIRS for c in range(3)) for r in range(3)):
        return 1
    return -1
