"""Perft: how many sequences of exactly so many plies there are. The test of a game's rules."""

import numpy as np
from numba import int32, int64

from zermelo.core import compiled, njit
from zermelo.rules import legal_moves, moves_of, play
from zermelo.search.workspace import ROOM


@njit
def count_lines(state, depth, moves, base):
    """The number of move sequences of exactly depth plies; a finished game has no continuation."""
    end = legal_moves(state, moves, base)
    if depth == 1:
        return int64(end - base)
    total = int64(0)
    for i in range(base, end):
        total += count_lines(play(state, moves[i]), depth - 1, moves, end)
    return total


def perft(state, depth: int) -> int:
    """The number of move sequences of exactly depth plies from this state."""
    if depth == 0:
        return 1
    run = compiled(count_lines, type(state).numba, int64, int32[::1], int64)
    return int(run(state, depth, np.empty(ROOM, np.int32), 0))


def divide(state, depth: int) -> dict[int, int]:
    """The same count for each first move: where two programs differ, this leads to the faulty move."""
    return {move: perft(play(state, move), depth - 1) for move in moves_of(state)}
