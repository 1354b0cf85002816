"""Perft: the number of move sequences of a given length in plies. It is the standard test of a game's rules."""

import numba
import numpy as np
from numba import int64

from zermelo.core import compiled, njit
from zermelo.rules import legal_moves, moves_of, play
from zermelo.searches.workspace import ROOM

PERFT_WORK = np.dtype([("moves", np.int32, ROOM)], align=True)
"""An array of its own would have its users counted at each node, which took half of the time."""
PERFT_WORK_TYPE = numba.from_dtype(PERFT_WORK)


@njit
def count_lines(state, depth, ended, work, base):
    """Count the move sequences of exactly `depth` plies; a game that ends earlier counts as `ended`, 0 or 1."""
    end = legal_moves(state, work.moves, base)
    if end == base:
        return int64(ended)
    if depth == 1:
        return int64(end - base)
    total = int64(0)
    for i in range(base, end):
        total += count_lines(play(state, work.moves[i]), depth - 1, ended, work, end)
    return total


def perft(state, depth: int, ended: int = 0) -> int:
    """Return the number of move sequences of exactly `depth` plies from this state.

    A finished game has no continuation. With ended=1 it still counts as one sequence, as in the published counts for
    Reversi.
    """
    if depth == 0:
        return 1
    run = compiled(count_lines, type(state).numba, int64, int64, PERFT_WORK_TYPE, int64)
    return int(run(state, depth, ended, np.zeros(1, PERFT_WORK).view(np.recarray)[0], 0))


def divide(state, depth: int, ended: int = 0) -> dict[int, int]:
    """Return the same count for each first move. Where two programs differ, this leads to the faulty move."""
    return {move: perft(play(state, move), depth - 1, ended) for move in moves_of(state)}
