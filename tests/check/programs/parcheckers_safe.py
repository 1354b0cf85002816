# Parcheckers: pieces at home and on safe squares.
# outcome: compiles
import zermelo as z


def points(board, player):
    total = 0
    for piece in board.pieces(player):
        if piece.is_home:
            total += 10
        elif piece.is_safe:
            total += 3
        else:
            total -= 1
    return total


@z.heuristic
def safety(board: z.Parcheckers):
    return points(board, z.MINE) - points(board, z.THEIRS)
