"""Random games in compiled code."""

import functools

import numpy as np
from numba import int32, uint64

from zermelo.core import compiled, mix, njit
from zermelo.rules import is_over, legal_moves, play

STEP = np.uint64(0x9E3779B97F4A7C15)
"""The step between the numbers of the random generator SplitMix64."""


@njit
def random_game(state, seed, out, moves):
    """Write random moves to out until the game is over or out is full; returns the number of moves."""
    number = seed
    for ply in range(len(out)):
        if is_over(state):
            return ply
        number += STEP
        end = legal_moves(state, moves, 0)
        move = moves[np.int64(mix(number) % np.uint64(end))]
        out[ply] = move
        state = play(state, move)
    return len(out)


@functools.cache
def compiled_random_game(cls):
    """`random_game`, compiled for a class of states."""
    return compiled(random_game, cls.numba, uint64, int32[::1], int32[::1])
