# Onitama: students and masters.
# outcome: compiles
import zermelo as z


@z.heuristic
def material(board: z.Onitama):
    total = 0
    for row in range(5):
        for column in range(5):
            piece = board[row, column]
            if abs(piece) == 2:
                total += 50 * (1 if piece > 0 else -1)
            else:
                total += 10 * piece
    return total
