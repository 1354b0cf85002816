"""The transposition table: what was found out about positions, by their key.

An entry is two 64-bit words, (key ^ data, data), so that threads may share a table without locks: words of two
different writers do not match. Four entries share a cache line; in a full line the least valuable one, by depth and
age, makes room.

    data:  score 32 bits | depth 8 | age 6 | bound 2 | move + 1: 16 (0: none, or too large a code)
"""

from typing import Any

import numpy as np
from numba import int32, int64, uint64

from zermelo.core import njit
from zermelo.rules import PLY, PROVEN

EXACT, LOWER, UPPER = 1, 2, 3  # what the score is; 0 marks an empty entry
FULL_DEPTH = 255
"""The depth of a position whose every line was followed to the end of the game."""

ENTRIES = 4  # of a line
WORDS = 2 * ENTRIES
AGES = 64
_LEAST_SCORE = 1 << 31


def new_table(megabytes: float = 16) -> np.ndarray[Any, Any]:
    """An empty table of about this size: a power of two of lines."""
    lines = 1
    while lines * 2 * WORDS * 8 <= megabytes * (1 << 20):
        lines *= 2
    return np.zeros(lines * WORDS, np.uint64)


@njit
def line_of(table, key):
    """Where the line of a key begins."""
    lines = uint64(table.size // WORDS)
    return int64(key & (lines - uint64(1))) * WORDS


@njit
def find(table, key):
    """The data stored for a key; 0 if there is none."""
    line = line_of(table, key)
    for at in range(line, line + WORDS, 2):
        data = table[at + 1]
        if table[at] ^ data == key and data != uint64(0):
            return data
    return uint64(0)


@njit
def store(table, key, score, depth, bound, move, ply, age):
    """Remember a score for the player to move; distances to the end of the game are kept as from this position."""
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
    """The score, with distances to the end counted from the root again."""
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
    """The best move known, or -1."""
    return int32(data & uint64(0xFFFF)) - int32(1)


@njit
def best_move(table, key):
    """The best move known for a key, or -1."""
    return move_of(find(table, key))


def use_of(table: np.ndarray[Any, Any], age: int) -> float:
    """The share of entries written in the current search, from a sample."""
    sample = table[1 : min(table.size, 1 << 15) : 2]
    written = sample[sample != 0]
    ages = written >> np.uint64(18) & np.uint64(AGES - 1)
    return float(np.count_nonzero(ages == np.uint64(age)) / sample.size)
