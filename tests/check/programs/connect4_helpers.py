# Connect 4: helper functions with default arguments, which call each other.
# outcome: compiles
import zermelo as z

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def inside(board, row, column):
    return 0 <= row < board.rows and 0 <= column < board.columns


def run(board, row, column, step, player, most=4):
    length = 0
    while length < most and inside(board, row, column) and board[row, column] == player:
        row += step[0]
        column += step[1]
        length += 1
    return length


def best_run(board, player):
    longest = 0
    for row in range(board.rows):
        for column in range(board.columns):
            for step in DIRECTIONS:
                longest = max(longest, run(board, row, column, step, player))
    return longest


@z.heuristic
def longest_run(board: z.Connect4):
    return best_run(board, z.MINE) - best_run(board, z.THEIRS)
