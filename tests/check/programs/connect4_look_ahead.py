# Connect 4: plays every move and looks whether it wins.
# outcome: compiles
import zermelo as z


@z.heuristic
def wins_now(board: z.Connect4):
    wins = 0
    for move in board.moves():
        after = board.play(move)
        if after.is_over:
            wins += 1
    return 10 * wins
