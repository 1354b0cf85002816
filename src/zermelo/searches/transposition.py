"""The transposition table: what searches have found out about positions, stored by key.

An entry is two 64-bit words, (key ^ data, data), so that threads can share a table without locks: words from two
different writers do not match. Four entries share a cache line. In a full line, the entry that is least valuable by
its depth and age is replaced.

    data:  score 32 bits | depth 8 | age 6 | bound 2 | move + 1: 16 (0: no move, or its code is too large)
"""

from typing import Any

import numpy as np
from numba import int32, int64, uint64

from zermelo.core import njit
from zermelo.rules import PLY, PROVEN

EXACT, LOWER, UPPER = 1, 2, 3  # whether the score is exact or a bound; 0 marks an empty entry
FULL_DEPTH = 255
"""The depth stored for a position if every line from it was followed to the end of the game."""

ENTRIES = 4  # number of entries in a cache line
WORDS = 2 * ENTRIES
AGES = 64
_LEAST_SCORE = 1 << 31


def new_table(megabytes: float = 16) -> np.ndarray[Any, Any]:
    """Return an empty table of about this size. Its number of lines is a power of two."""
    lines = 1
    while lines * 2 * WORDS * 8 <= megabytes * (1 << 20):
        lines *= 2
    return np.zeros(lines * WORDS, np.uint64)


@njit
def line_of(table, key):
    """Return the index at which the line of a key begins."""
    lines = uint64(table.size // WORDS)
    return int64(key & (lines - uint64(1))) * WORDS


@njit
def find(table, key):
    """Return the data stored for a key, or 0 if there is none."""
    line = line_of(table, key)
    for at in range(line, line + WORDS, 2):
        data = table[at + 1]
        if table[at] ^ data == key and data != uint64(0):
            return data
    return uint64(0)


@njit
def store(table, key, score, depth, bound, move, ply, age):
    """Store a score for the player to move. Distances to the end of the game are then counted from this position."""
    if score > PROVEN:
        score += ply * PLY
    elif score < -PROVEN:
        score -= ply * PLY
    code = move + 1 if 0 <= move < 0xFFFF else 0
    line = line_of(table, key)
    victim, worth = line, int64(1 << 40)
    for at in range(line, line + WORDS, 2):
        data = table[at + 1]
        if data == uint64(0) or table[at] ^ data == key:
            victim = at
            if code == 0 and data != uint64(0):
                code = int64(data & uint64(0xFFFF))
            break
        years = (age - age_of(data)) & (AGES - 1)
        value = depth_of(data) - 8 * years
        if value < worth:
            victim, worth = at, value
    data = (
        uint64(score + _LEAST_SCORE) << uint64(32)
        | uint64(min(depth, FULL_DEPTH)) << uint64(24)
        | uint64(age) << uint64(18)
        | uint64(bound) << uint64(16)
        | uint64(code)
    )
    table[victim] = key ^ data
    table[victim + 1] = data


@njit
def score_of(data, ply):
    """Return the score, with distances to the end of the game counted from the root again."""
    score = int64(data >> uint64(32)) - _LEAST_SCORE
    if score > PROVEN:
        return score - ply * PLY
    if score < -PROVEN:
        return score + ply * PLY
    return score


@njit
def depth_of(data):
    return int64(data >> uint64(24) & uint64(0xFF))


@njit
def age_of(data):
    return int64(data >> uint64(18) & uint64(AGES - 1))


@njit
def bound_of(data):
    return int64(data >> uint64(16) & uint64(3))


@njit
def move_of(data):
    """Return the best move known, or -1."""
    return int32(data & uint64(0xFFFF)) - int32(1)


@njit
def best_move(table, key):
    """Return the best move known for a key, or -1."""
    return move_of(find(table, key))


def use_of(table: np.ndarray[Any, Any], age: int) -> float:
    """Return the share of entries written in the current search, estimated from a sample."""
    sample = table[1 : min(table.size, 1 << 13) : 2]
    written = sample[sample != 0]
    ages = written >> np.uint64(18) & np.uint64(AGES - 1)
    return float(np.count_nonzero(ages == np.uint64(age)) / sample.size)
