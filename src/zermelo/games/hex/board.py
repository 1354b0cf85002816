"""Hex as a board: row 0 is the row that players call 1, and column 0 is a. See boards.py for how cells become bits."""

from typing import Any, ClassVar

import numpy as np

from zermelo.boards import MINE, Board, Layout, attribute, method
from zermelo.boards.words import common, moved_bits
from zermelo.core import ZERO, njit
from zermelo.games.hex import notation, rules
from zermelo.games.hex.boards import BLACK, CELLS, LEAST_SIZE, MOST_SIZE, MOST_WORDS, beside, part_of, words_for
from zermelo.games.hex.distances import shortest_distance

STEPS = tuple(zip(rules.AROUND_Y, rules.AROUND_X, strict=True))
"""The steps (rows, columns) to the six neighbours of a cell."""


def _arrivals() -> Any:
    """For every size and every number of columns, the cells that a move of so many columns to the right can reach."""
    table = np.zeros((MOST_SIZE + 1, 2 * MOST_SIZE + 1, MOST_WORDS), np.uint64)
    for size in range(LEAST_SIZE, MOST_SIZE + 1):
        for columns in range(-size + 1, size):
            first, beyond = max(columns, 0), min(size, size + columns)
            row = (1 << beyond) - (1 << first)
            mask = sum(row << size * number for number in range(size))
            for word in range(MOST_WORDS):
                table[size, columns + MOST_SIZE, word] = mask >> 64 * word & (1 << 64) - 1
    return table


ARRIVALS = _arrivals()


@njit
def size_of(grid):
    return np.int64(grid[0])


def named_place(grid, x, y):
    size = size_of(grid)
    return y * size + x if x < size and y < size else -1


def _layout(words: int) -> Layout:
    """The layout of the boards whose sets take this many words."""
    empty = (ZERO,) * words
    most = max(size for size in range(LEAST_SIZE, MOST_SIZE + 1) if words_for(size) == words)

    def cells(grid):
        return part_of(CELLS, size_of(grid), empty)

    def shift(grid, words, rows, columns):
        size = size_of(grid)
        if abs(rows) >= size or abs(columns) >= size:
            return empty
        moved = moved_bits(words, rows * size + columns)
        return common(moved, part_of(ARRIVALS[size], columns + MOST_SIZE, empty))

    return Layout(
        grid=lambda state: (state.size,),
        rows=lambda grid: size_of(grid),
        columns=lambda grid: size_of(grid),
        cells=cells,
        mine=lambda state: rules.board_of(state, np.int64(state.player)),
        theirs=lambda state: rules.board_of(state, 1 - np.int64(state.player)),
        place=lambda grid, row, column: row * size_of(grid) + column,
        cell=lambda grid, place: (place // size_of(grid), place % size_of(grid)),
        shift=shift,
        neighbours=lambda grid, words: beside(words, size_of(grid)),
        named_place=named_place,
        largest=(most,),
        words=words,
        is_fixed=False,
        steps=STEPS,
    )


@njit
def player_of(board, whose):
    """The number of the player to move, or of the other one."""
    mover = np.int64(board.state.player)
    return mover if whose == MINE else 1 - mover


@njit
def edge(board, player, step):
    """The cells that no step down (1) or up (-1) reaches for Black; to the right or to the left for White."""
    every = board.cells()
    return every - every.shift(step, 0) if player == BLACK else every - every.shift(0, step)


class Hex(Board):
    """A Hex position, seen by the player to move. Row 0 is the row that players call 1, and column 0 is a.

    Black joins the top row to the bottom row, and White the left column to the right column. Besides what all boards
    have: `board.size`; `board.is_black`, whether the player to move is Black; `board.start(z.MINE)` and
    `board.goal(z.MINE)`, the cells of the two edges that a player joins; and `board.distance(z.MINE)`, the least number
    of cells that a player must still fill to join them (z.THEIRS: the other player's).
    """

    layouts: ClassVar = {cls: _layout(words) for words, cls in enumerate(rules.STATES, 1)}

    def move_text(self, code: int) -> str:
        return notation.move_text(code, int(self.state.size))

    @attribute
    def size(board):
        """The number of rows, which is also the number of columns."""
        return np.int64(board.state.size)

    @attribute
    def is_black(board):
        """Is Black to move, who joins the top to the bottom?"""
        return bool(board.state.player == ZERO)

    @method
    def start(board, whose):
        """The cells of the edge where a player's way across the board begins: the top row, or the left column."""
        return edge(board, player_of(board, whose), 1)

    @method
    def goal(board, whose):
        """The cells of the edge where a player's way across the board ends: the bottom row, or the right column."""
        return edge(board, player_of(board, whose), -1)

    @method
    def distance(board, whose):
        """The least number of cells that a player must still fill to join both edges; 76 if the other has won."""
        return np.int64(shortest_distance(board.state, player_of(board, whose)))
