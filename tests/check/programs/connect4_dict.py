# Connect 4: points from a dictionary with get().
# outcome: compiles
import zermelo as z

POINTS = {0: 0, 1: 1, 2: 10, 3: 100}


@z.heuristic
def rows(board: z.Connect4):
    value = 0
    for row in range(board.rows):
        for column in range(board.columns - 3):
            mine = theirs = 0
            for i in range(4):
                if board[row, column + i] == z.MINE:
                    mine += 1
                elif board[row, column + i] == z.THEIRS:
                    theirs += 1
            if theirs == 0:
                value += POINTS.get(mine, 0)
            if mine == 0:
                value -= POINTS[theirs]
    return value
