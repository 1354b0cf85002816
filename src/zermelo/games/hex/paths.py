"""Ways across the board, in plain Python, for pictures: the shortest one, and the one that has won."""

import heapq
from collections.abc import Iterator
from typing import Any

from zermelo.games.hex.boards import BLACK
from zermelo.games.hex.notation import cells_of
from zermelo.games.hex.rules import AROUND_X, AROUND_Y


def neighbours(cell: int, size: int) -> Iterator[int]:
    """The cells next to a cell."""
    x, y = cell % size, cell // size
    for dx, dy in zip(AROUND_X, AROUND_Y, strict=True):
        if 0 <= x + dx < size and 0 <= y + dy < size:
            yield (y + dy) * size + x + dx


def shortest_path(state: Any, player: int) -> list[int]:
    """The cells of a path with the fewest empty cells between this player's two edges; none if the player is cut off.

    If there are several, the path is one of those with the fewest stones.
    """
    size = int(state.size)
    mine, walls = cells_of(state, player), cells_of(state, 1 - player)
    came_from: dict[int, int | None] = {}
    starts = [i if player == BLACK else i * size for i in range(size)]
    waiting: list[tuple[int, int, int, int | None]] = [(cell not in mine, 1, cell, None) for cell in starts]
    heapq.heapify(waiting)
    while waiting:
        empty, length, cell, before = heapq.heappop(waiting)
        if cell in came_from or cell in walls:
            continue
        came_from[cell] = before
        if (cell // size if player == BLACK else cell % size) == size - 1:
            return _way_back(came_from, cell)
        for other in neighbours(cell, size):
            heapq.heappush(waiting, (empty + (other not in mine), length + 1, other, cell))
    return []


def _way_back(came_from: dict[int, int | None], cell: int) -> list[int]:
    way: list[int] = []
    step: int | None = cell
    while step is not None:
        way.append(step)
        step = came_from[step]
    return way[::-1]


def winning_path(state: Any, player: int) -> list[int]:
    """The cells of a shortest chain of this player's stones from edge to edge; none if there is no such chain."""
    path = shortest_path(state, player)
    return path if set(path) <= cells_of(state, player) else []
