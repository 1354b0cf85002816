"""Looking for a position in which the rules of a game fail, at the speed of compiled code.

Compiled code does not say where it failed. So the moves that lead to each position are written to an array before the
rules are asked about it, and after a failure the array still holds them.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int32, int64, uint64

from zermelo.core import class_of, compiled, mix, njit
from zermelo.rules import is_over, legal_moves, outcome, play, to_move
from zermelo.searches.workspace import ROOM

SECONDS = 1.0
"""How long to look in order, ply by ply, and then once more in random games."""
FIRST = 1000
"""The number of positions to try before anything is known about the speed of the rules."""
DEEPEST = 30
PLIES = 1000
"""The longest random game."""


@njit
def walk(state, depth, moves, base, path, ply, left):
    """Ask the rules about this state and all that follow in this number of plies; path[0]: the moves that led here.

    left: how many positions may still be visited. Returns that number.
    """
    path[0] = ply
    left -= 1
    to_move(state)
    if is_over(state):
        outcome(state)
        return left
    end = legal_moves(state, moves, base)
    if depth > 0:
        for i in range(base, end):
            if left <= 0:
                break
            path[0] = ply
            path[ply + 1] = moves[i]
            left = walk(play(state, moves[i]), depth - 1, moves, end, path, ply + 1, left)
    return left


@njit
def wander(first, moves, path, number, left):
    """Ask the rules about the states of random games."""
    while left > 0:
        state, ply = first, 0
        while True:
            path[0] = ply
            left -= 1
            if is_over(state):
                outcome(state)
                break
            end = legal_moves(state, moves, 0)
            if end == 0 or ply == PLIES:
                break
            number = mix(number + uint64(1))
            path[ply + 1] = moves[int64(number % uint64(end))]
            state = play(state, path[ply + 1])
            ply += 1
    return left


def failing_path(state: Any) -> list[int] | None:
    """Moves that lead to a position in which the rules fail, the fewest that were found; None if they do not fail."""
    cls, path = class_of(state), np.zeros(PLIES + 2, np.int32)
    moves = np.empty(ROOM, np.int32)
    in_order = compiled(walk, cls.numba, int64, int32[::1], int64, int32[::1], int64, int64)
    at_random = compiled(wander, cls.numba, int32[::1], int32[::1], uint64, int64)

    def look(depth: int, number: int) -> int:
        return int(in_order(state, depth, moves, 0, path, 0, number))

    def wander_on(seed: int, number: int) -> int:
        return int(at_random(state, moves, path, np.uint64(seed), number))

    try:
        for search in (look, wander_on):
            _for_a_second(search)
    except Exception:  # whatever the author's rules raise
        return [int(move) for move in path[1 : path[0] + 1]]
    return None


def _for_a_second(search: Callable[[int, int], int]) -> None:
    """Search in rounds, each with as many positions as there seems to be time for; the first rounds show the speed."""
    began, visited = time.perf_counter(), 0
    for number in range(DEEPEST):
        spent = time.perf_counter() - began
        if spent > SECONDS:
            break
        allowed = FIRST + int(visited / max(spent, 1e-6) * (SECONDS - spent))
        visited += allowed - search(number, allowed)
