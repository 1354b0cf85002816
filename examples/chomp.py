"""Chomp, a game in one file with generic functions: zermelo play chomp.py

A bar of chocolate: take a square, and all those below it and to its right go too. The square at the top left is
poisoned; whoever must take it loses. A square that is gone is a bit of `gone`.
"""

from typing import NamedTuple

import numpy as np

import zermelo as z
from zermelo.core import mix
from zermelo.rules import is_over, key, legal_moves, outcome, play, to_move

HEIGHT, WIDTH = 3, 5
ALL = np.uint64((1 << HEIGHT * WIDTH) - 1)


@z.state
class Chomp(NamedTuple):
    """A position. Bit 0 is the poisoned square, bit 1 the one to its right."""

    gone: np.uint64 = 0
    player: np.uint8 = 0


@legal_moves.of(Chomp)
def _(state, out, start):
    for square in range(HEIGHT * WIDTH):
        if not state.gone & z.bit(square):
            out[start] = square
            start += 1
    return start


@play.of(Chomp)
def _(state, move):
    gone = state.gone
    for square in range(HEIGHT * WIDTH):
        if square // WIDTH >= move // WIDTH and square % WIDTH >= move % WIDTH:
            gone |= z.bit(square)
    return Chomp(gone, 1 - state.player)


@is_over.of(Chomp)
def _(state):
    return state.gone == ALL


@outcome.of(Chomp)
def _(state):
    return 1  # the other player has just taken the poisoned square


@to_move.of(Chomp)
def _(state):
    return int(state.player)


@key.of(Chomp)
def _(state):
    return mix(state.gone << np.uint64(1) | np.uint64(state.player))


def move_text(state, move):
    """A move is a square, such as b2."""
    return "abcde"[move % WIDTH] + "123"[move // WIDTH]


def board_text(state):
    squares = ["." if int(state.gone) >> number & 1 else "#" for number in range(HEIGHT * WIDTH)]
    rows = [" ".join(squares[WIDTH * row : WIDTH * row + WIDTH]) for row in range(HEIGHT)]
    return "\n".join(["  a b c d e", *(f"{number} {row}" for number, row in enumerate(rows, 1))])


@z.heuristic
def parity(state: Chomp):
    """An even number of squares is left."""
    return 1 if z.count(state.gone ^ ALL) % 2 == 0 else -1
