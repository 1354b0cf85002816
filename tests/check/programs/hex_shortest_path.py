# Hex: Dijkstra's algorithm with heapq and a dictionary.
# outcome: plain
import heapq

import zermelo as z


def distance(board, player):
    costs = {}
    heap = []
    for column in range(board.columns):
        if board[0, column] != -player:
            cost = 0 if board[0, column] == player else 1
            heapq.heappush(heap, (cost, 0, column))
    while heap:
        cost, row, column = heapq.heappop(heap)
        if (row, column) in costs:
            continue
        costs[row, column] = cost
        if row == board.rows - 1:
            return cost
        for dr, dc in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]:
            r, c = row + dr, column + dc
            if 0 <= r < board.rows and 0 <= c < board.columns and board[r, c] != -player:
                heapq.heappush(heap, (cost + (0 if board[r, c] == player else 1), r, c))
    return 100


@z.heuristic
def shortest(board: z.Hex):
    return distance(board, z.THEIRS) - distance(board, z.MINE)
