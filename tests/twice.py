"""A user's game in which a player may move twice in a row. Searches must not presume that sides alternate.

A move takes one, two or three stones from a heap. A player who takes exactly one moves again, but never three times in
a row. The player who takes the last stone wins as many points as they hold stones. The state has the heap, both hands,
the player to move, and the number of moves made in a row.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import heuristic, mix, state
from zermelo.rules import is_over, key, legal_moves, margin, outcome, play, to_move


@state
class Twice(NamedTuple):
    heap: np.uint8 = np.uint8(9)
    mine: np.uint8 = np.uint8(0)
    theirs: np.uint8 = np.uint8(0)
    player: np.uint8 = np.uint8(0)
    running: np.uint8 = np.uint8(0)


@legal_moves.of(Twice)
def _(state, out, start):
    for take in range(1, 4):
        if take <= state.heap:
            out[start] = take
            start += 1
    return start


@play.of(Twice)
def _(state, move):
    heap, mine = state.heap - move, state.mine + move
    if move == 1 and state.running < 2 and heap > 0:
        return Twice(heap, mine, state.theirs, state.player, state.running + 1)
    return Twice(heap, state.theirs, mine, 1 - state.player, 0)


@is_over.of(Twice)
def _(state):
    return state.heap == 0


@outcome.of(Twice)
def _(state):
    return -1


@margin.of(Twice)
def _(state):
    return -np.int64(state.theirs)


@to_move.of(Twice)
def _(state):
    return state.player


@key.of(Twice)
def _(state):
    packed = np.uint64(state.heap)
    for part in (state.mine, state.theirs, state.player, state.running):
        packed = packed << np.uint64(8) | np.uint64(part)
    return mix(packed)


@heuristic
def hands(state: Twice):
    """My stones minus the opponent's."""
    return np.int64(state.mine) - np.int64(state.theirs)
