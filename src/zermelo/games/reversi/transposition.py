"""The table of the endgame solver: bounds on the scores of positions, shared by all threads without locks."""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, njit
from zermelo.core.prefetch import prefetch

MIX_MINE, MIX_THEIRS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
BYTE = np.uint64(255)
TWO, THREE, FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
EIGHT, SIXTEEN, TWENTY_FOUR = np.uint64(8), np.uint64(16), np.uint64(24)
OFFSET = 64  # added to scores to make them positive


@njit
def hashed(mine, theirs):
    """A hash of 64 bits that tells positions apart."""
    mixed = (mine * MIX_MINE) ^ ((theirs * MIX_THEIRS) >> ONE)
    return (mixed ^ (mixed >> np.uint64(32))) * MIX_THEIRS


@njit
def bucket(hash_value, work):
    """The index at which the bucket of a position begins."""
    return (hash_value >> work.shift) << THREE


@njit
def fetch_early(mine, theirs, work, shared):
    """Let the processor bring the bucket of a position near, which will soon be looked up."""
    prefetch(shared.table, int64(bucket(hashed(mine, theirs), work)))


@njit
def find(mine, theirs, hash_value, work, shared):
    """What the table knows about a position, packed (0: nothing): empty squares, best move, lower and upper bound.

    A bucket has two entries of four words (the last is unused: two entries fill a cache line). The boards are stored
    mixed with what is known about them, so that an entry half written by another thread matches no position.
    """
    place = bucket(hash_value, work)
    for entry in (place, place + FOUR):
        known = shared.table[entry + TWO]
        is_mine = shared.table[entry] == mine ^ (known * MIX_MINE)
        if is_mine and shared.table[entry + ONE] == theirs ^ (known * MIX_THEIRS):
            return known
    return ZERO


@njit
def keep(mine, theirs, hash_value, low, high, move, empties, work, shared):
    """Write to the table, replacing the same position or, if possible, one with no more empty squares."""
    entry = bucket(hash_value, work)
    old = shared.table[entry + TWO]
    same = shared.table[entry] == mine ^ (old * MIX_MINE) and shared.table[entry + ONE] == theirs ^ (old * MIX_THEIRS)
    if not same and int64(old & BYTE) > empties:
        entry += FOUR
    known = np.uint64(empties) | (np.uint64(move) << EIGHT)
    known |= (np.uint64(low + OFFSET) << SIXTEEN) | (np.uint64(high + OFFSET) << TWENTY_FOUR)
    shared.table[entry + TWO] = known
    shared.table[entry] = mine ^ (known * MIX_MINE)
    shared.table[entry + ONE] = theirs ^ (known * MIX_THEIRS)


@njit
def stored_move(known):
    """The best move found so far."""
    return int64((known >> EIGHT) & BYTE)


@njit
def lower_bound(known):
    """The least that the score can be."""
    return int64((known >> SIXTEEN) & BYTE) - OFFSET


@njit
def upper_bound(known):
    """The most that the score can be."""
    return int64((known >> TWENTY_FOUR) & BYTE) - OFFSET
