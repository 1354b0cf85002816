"""Connect 4 in text: a move is a column, counted from 1; a position is the columns played, `324443`."""

import numpy as np

from zermelo.core import bit, lowest
from zermelo.games.connect4.rules import COLUMN, Connect4
from zermelo.language import _


def move_text(move: int) -> str:
    return str(move + 1)


def why_not(state: Connect4, text: str) -> str | None:
    """Why a text is not a legal move here; None if it is not a column at all."""
    if not text.isascii() or not text.isdigit():
        return None
    columns = column_count(state)
    if len(text) > 2 or not 1 <= int(text) <= columns:
        return _("the columns are 1 to {columns}").format(columns=columns)
    return _("column {text} is full").format(text=text)


def column_count(state: Connect4) -> int:
    return sum(1 for column in range(8) if state.board & bit(COLUMN * column))


def row_count(state: Connect4) -> int:
    return lowest(~state.board)


def mirrored(state: Connect4) -> Connect4:
    """The position with left and right exchanged."""
    columns = column_count(state)

    def turn(stones: np.uint64) -> np.uint64:
        parts = int(stones).to_bytes(8, "little")[:columns]  # a column is a byte, the left one first
        return np.uint64(int.from_bytes(parts[::-1], "little"))

    return state._replace(mine=turn(state.mine), stones=turn(state.stones))


def stone_at(state: Connect4, column: int, row: int) -> int:
    """0 for an empty cell, else the player (1 or 2) whose stone lies there; rows from the bottom."""
    cell = bit(COLUMN * column + row)
    if not state.stones & cell:
        return 0
    mover = int(state.stones).bit_count() % 2 + 1
    return mover if state.mine & cell else 3 - mover
