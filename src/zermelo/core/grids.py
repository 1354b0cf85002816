"""Boards of small numbers, as rules see them that are written as the methods of a class (see game_files/).

A state of such a game holds one byte per cell, row by row from the top, eight cells in a word; then the player to move
and the fields that the game's author declared. A number above zero is a man of the player to move, one below zero a man
of the other player. A rule gets a copy of the state that it may change: in compiled code a `GridType` on the stack, in
plain Python a `Grid`. Both have the same interface.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.state import state
from zermelo.errors import marked

MINE, THEIRS, EMPTY, DRAW = 1, -1, 0, 0
MOST_CELLS = 1024
LARGEST = 127
"""The largest number that a cell can hold."""


@dataclass(frozen=True)
class Layout:
    """What a state of such a game holds."""

    rows: int
    columns: int
    fields: tuple[tuple[str, int], ...] = ()  # the names that the author declared, and their first values

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def words(self) -> int:
        """How many words hold the cells."""
        return (self.cells + 7) // 8

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(name for name, _first in self.fields)

    @property
    def outside(self) -> str:
        """What is said of an index that is not on the board."""
        return f"the board has rows 0 to {self.rows - 1} and columns 0 to {self.columns - 1}"


TOO_LARGE = f"a cell holds a whole number from -{LARGEST} to {LARGEST}"
NO_PLAYER = marked("the player who moves next is 1 or 2")


def grid_state(name: str, module: str, layout: Layout) -> Any:
    """A new class of states with this layout. The words come first, then the player to move, then the fields."""
    parts: list[tuple[str, Any]] = [(f"cells{number}", np.uint64) for number in range(layout.words)]
    parts += [("player", np.uint8), *((field, np.int32) for field in layout.names)]
    plain = NamedTuple(name, parts)  # type: ignore[misc]
    plain.__module__ = module
    made = state(plain)
    made.layout = layout
    return made


# ------------------------------------------------------------------------------------------ as plain Python


class _Row:
    """One row of a board."""

    def __init__(self, board: "Grid", row: int):
        self._board, self._row = board, row

    def __getitem__(self, column: int) -> int:
        return self._board[self._row, column]

    def __setitem__(self, column: int, value: int) -> None:
        self._board[self._row, column] = value

    def __len__(self) -> int:
        return self._board.columns

    def __iter__(self) -> Iterator[int]:
        return (self[column] for column in range(len(self)))


class Grid:
    """A board that a rule can read and change. `board[row, column]` is a number; its sign says whose man it is."""

    layout: Layout
    rows: int
    columns: int
    player: int
    numbers: Any
    values: dict[str, int]

    def __init__(self, layout: Layout, numbers: Any, player: int, values: dict[str, int]):
        vars(self).update(
            layout=layout, rows=layout.rows, columns=layout.columns, numbers=numbers, player=player, values=values
        )

    def _place(self, where: Any) -> int:
        row, column = where
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(self.layout.outside)
        return int(row * self.columns + column)

    def __getitem__(self, where: Any) -> Any:
        return int(self.numbers[self._place(where)]) if isinstance(where, tuple) else _Row(self, where)

    def __setitem__(self, where: Any, value: Any) -> None:
        if not -LARGEST <= value <= LARGEST:
            raise ValueError(TOO_LARGE)
        self.numbers[self._place(where)] = value

    def __getattr__(self, name: str) -> int:
        try:
            return int(vars(self)["values"][name])
        except KeyError:
            raise AttributeError(f"the board has no {name!r}", name=name, obj=self) from None

    def __setattr__(self, name: str, value: int) -> None:
        if name not in self.values:
            raise AttributeError(f"the board has no field {name!r} that can be changed", name=name, obj=self)
        self.values[name] = int(np.int32(value))

    def cells(self) -> Iterator[tuple[int, int]]:
        """All cells, as (row, column), row by row from the top."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    def count(self, value: int) -> int:
        """How many cells hold this number."""
        return int(np.count_nonzero(self.numbers == value))

    def is_inside(self, row: int, column: int) -> bool:
        """Is there such a cell?"""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def grid(self) -> Any:
        """The numbers as an array of rows and columns."""
        return self.numbers.reshape(self.rows, self.columns).copy()


def numbers_of(state: Any) -> Any:
    """The cells of a state as an array of int8, row by row."""
    layout = type(state).layout
    return np.array(state[: layout.words], np.uint64).view(np.int8)[: layout.cells].copy()


def state_of_numbers(cls: Any, numbers: Any, player: int, values: Any) -> Any:
    """The state with these cells, this player to move (0 or 1) and these values of the fields."""
    layout = cls.layout
    whole = np.zeros(8 * layout.words, np.int8)
    whole[: layout.cells] = numbers
    return cls(*whole.view(np.uint64), player, *values)


def grid_of(state: Any) -> Any:
    """The board of a state, which may be changed without changing the state."""
    layout = type(state).layout
    values = dict(zip(layout.names, map(int, state[layout.words + 1 :]), strict=True))
    return Grid(layout, numbers_of(state), int(state.player) + 1, values)


def state_of(like: Any, board: Any, next_player: Any) -> Any:
    """The state of a board that was opened with `grid_of(like)`, with this player (1 or 2) to move."""
    if next_player not in (1, 2):
        raise ValueError(NO_PLAYER)
    numbers = board.numbers if next_player == board.player else -board.numbers
    return state_of_numbers(type(like), numbers, next_player - 1, board.values.values())
