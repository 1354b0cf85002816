"""Onitama as arrays: pieces, and the cards as pictures of their moves around the middle square.

The board is never turned: red plays up, and the last channel says whether I am red. My cards and the one at the side
are drawn as I would move with them, and theirs as they would. Repetitions are not shown.

An action is (card * 25 + from) * 25 + to, where card is 0 or 1 (my lower card first) and squares are counted row by row
from the top left; 1250 + card exchanges a card without moving a piece.
"""

import numpy as np

from zermelo.core import njit
from zermelo.evaluation.planes import Layout, action_of, fill, put_set, write_planes
from zermelo.games.onitama.rules import SIZE, SQUARES, TARGETS, Onitama, card_at

CHANNELS = (
    "my students",
    "my master",
    "their students",
    "their master",
    "my lower card",
    "my higher card",
    "their lower card",
    "their higher card",
    "card at the side",
    "I am red",
)
MIDDLE = SQUARES // 2
PAIRS = SQUARES * SQUARES
TOP_LEFT = SQUARES - SIZE  # the bit of the square at the top left


def layout(game):
    return Layout((len(CHANNELS), SIZE, SIZE), CHANNELS, 2 * PAIRS + 2)


@write_planes.of(Onitama)
def _(state, viewer, rows, columns, out):
    is_mover = viewer == state.player
    mine, theirs = (state.mine, state.theirs) if is_mover else (state.theirs, state.mine)
    put_set(mine & ~state.masters, -SIZE, 1, TOP_LEFT, rows, columns, 0, out)
    put_set(mine & state.masters, -SIZE, 1, TOP_LEFT, rows, columns, 1, out)
    put_set(theirs & ~state.masters, -SIZE, 1, TOP_LEFT, rows, columns, 2, out)
    put_set(theirs & state.masters, -SIZE, 1, TOP_LEFT, rows, columns, 3, out)
    for i in range(5):
        place = i if is_mover or i == 4 else (i + 2) % 4
        owner = 1 - viewer if i in (2, 3) else viewer
        moves = TARGETS[owner, np.int64(card_at(state, place)), MIDDLE]
        put_set(moves, -SIZE, 1, TOP_LEFT, rows, columns, 4 + i, out)
    fill(1.0 if viewer == 0 else 0.0, rows, columns, 9, out)


@njit
def from_top(square):
    """The number of a square, counted row by row from the top left."""
    return (SIZE - 1 - square // SIZE) * SIZE + square % SIZE


@action_of.of(Onitama)
def _(state, move, rows, columns):
    card = 0 if np.int64(card_at(state, 0)) == move >> 10 else 1
    origin, target = move >> 5 & 31, move & 31
    if origin == target:
        return 2 * PAIRS + card
    return (card * SQUARES + from_top(origin)) * SQUARES + from_top(target)
