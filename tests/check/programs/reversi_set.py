# Reversi: stable discs from a corner, with a set and a list as a stack.
# outcome: compiles
import zermelo as z


@z.heuristic
def from_corner(board: z.Reversi):
    seen = set()
    stack = [(0, 0)]
    while len(stack) > 0:
        row, column = stack.pop()
        if (row, column) in seen or board[row, column] != z.MINE:
            continue
        seen.add((row, column))
        if row + 1 < 8:
            stack.append((row + 1, column))
        if column + 1 < 8:
            stack.append((row, column + 1))
    return len(seen)
