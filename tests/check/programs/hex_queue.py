# Hex: breadth-first search with collections.deque.
# outcome: plain
from collections import deque

import zermelo as z

STEPS = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]


def group(board, row, column):
    seen = {(row, column)}
    queue = deque([(row, column)])
    while queue:
        r, c = queue.popleft()
        for dr, dc in STEPS:
            nr, nc = r + dr, c + dc
            if 0 <= nr < board.rows and 0 <= nc < board.columns and (nr, nc) not in seen:
                if board[nr, nc] == board[row, column]:
                    seen.add((nr, nc))
                    queue.append((nr, nc))
    return len(seen)


@z.heuristic
def largest_group(board: z.Hex):
    mine = theirs = 0
    for row, column in board.cells():
        if board[row, column] == z.MINE:
            mine = max(mine, group(board, row, column))
        elif board[row, column] == z.THEIRS:
            theirs = max(theirs, group(board, row, column))
    return mine - theirs
