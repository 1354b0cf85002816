"""The boards that heuristics for a class of rules get. They have what all boards have (see zermelo.boards).

A state has one byte per cell (see core/grids.py): above zero mine, below zero theirs. The sets are made from the bytes,
eight at a time.
"""

from typing import Any

import numpy as np

from zermelo.boards import Board, Layout, attribute, method
from zermelo.boards.words import moved_bits
from zermelo.core import ZERO, grids, njit
from zermelo.core.grids import grid_of
from zermelo.core.state import BoardMeta
from zermelo.core.words import replaced

LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
HIGH = np.uint64(0x8080808080808080)
GATHER = np.uint64(0x0102040810204080)
"""Brings the lowest bits of eight bytes together in the highest byte of the product, the first one lowest."""
EIGHT, SEVEN, TOP = np.uint64(8), np.uint64(7), np.uint64(56)


@njit
def gathered(flags):
    """The highest bits of eight bytes, as one byte."""
    return ((flags >> SEVEN) * GATHER) >> TOP


@njit
def positive(word):
    """Which of eight bytes hold a number above zero, as one byte."""
    return gathered(((word & LOW) + LOW) & ~word & HIGH)


@njit
def negative(word):
    """Which of eight bytes hold a number below zero, as one byte."""
    return gathered(word & HIGH)


def layout_of(of: grids.Layout) -> Layout:
    """How the cells of such a state lie in sets: row by row from the top, as in the state."""
    rows, columns, cells, bytes_in = of.rows, of.columns, of.cells, of.words
    words = (cells + 63) // 64
    none = (ZERO,) * words
    everything = tuple(np.uint64((1 << min(cells - 64 * n, 64)) - 1) for n in range(words))
    landing = np.zeros((2 * columns - 1, words), np.uint64)  # which cells can be reached by a step of so many columns
    for step in range(1 - columns, columns):
        for place in range(cells):
            if 0 <= place % columns - step < columns:
                landing[step + columns - 1, place // 64] |= np.uint64(1 << place % 64)

    def packed(state, choose):
        found = none
        for number, word in enumerate(state[:bytes_in]):
            bits = choose(word) << np.uint64(8 * (number & 7))
            found = replaced(found, number >> 3, found[number >> 3] | bits)
        return found

    packing = njit(packed)

    def mine(state):
        return packing(state, positive)

    def theirs(state):
        return packing(state, negative)

    def value(state, row, column):
        return grid_of(state)[row, column]

    def shift(grid, words_of, down, right):
        if abs(down) >= rows or abs(right) >= columns:
            return none
        moved = moved_bits(words_of, down * columns + right)
        for number in range(words):
            moved = replaced(moved, number, moved[number] & landing[right + columns - 1, number] & everything[number])
        return moved

    return Layout(
        grid=lambda state: (),
        rows=lambda grid: rows,
        columns=lambda grid: columns,
        cells=lambda grid: everything,
        mine=mine,
        theirs=theirs,
        value=value,
        place=lambda grid, row, column: row * columns + column,
        cell=lambda grid, place: (place // columns, place % columns),
        shift=shift,
        named_place=lambda grid, x, y: y * columns + x if 0 <= x < columns and 0 <= y < rows else -1,
        words=words,
    )


def board_class(name: str, module: str, state: Any, move_text: Any) -> Any:
    """The class of boards around the states of a class of rules; move_text: how a move of a state is written."""

    def player(board):
        """The player to move: 1 or 2."""
        return np.int64(board.state.player) + 1

    def count(board, number):
        """How many cells hold this number."""
        found = 0
        for row, column in board.cells():
            if board[row, column] == number:
                found += 1
        return found

    def is_inside(board, row, column):
        """Is there such a cell?"""
        return row >= 0 and row < board.rows and column >= 0 and column < board.columns

    body = {
        "layouts": {state: layout_of(state.layout)},
        "move_text": lambda board, code: move_text(board.state, code),
        "player": attribute(player),
        "count": method(count),
        "is_inside": method(is_inside),
        "__module__": module,
        "__doc__": Board.__doc__,
        "__slots__": (),
    }
    return BoardMeta(name, (Board,), body)
