"""Boards of small numbers, as rules see them that are written as the methods of a class (see game_files/).

A state of such a game holds one byte per cell, row by row from the top, eight cells in a word; then the player to move
and the fields that the game's author declared. A number above zero is a man of the player to move, one below zero a man
of the other player. A rule gets a copy of the state that it may change: in compiled code a `GridType` on the stack, in
plain Python a `Grid`. Both have the same interface.
"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import (
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    overload_method,
    register_model,
)

from zermelo.core.numba_private import TypingError, make_struct, register_attributes, stack_room, struct_members
from zermelo.core.state import StateMeta, state
from zermelo.errors import GameError

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
NO_PLAYER = "the player who moves next is 1 or 2"


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


# ------------------------------------------------------------------------------------------ in compiled code


class GridType(types.Type):
    """The Numba type of a board: the addresses of its cells and of its fields, and the player to move."""

    def __init__(self, cls: StateMeta):
        self.instance_class: Any = cls
        super().__init__(name=f"board of {cls.__module__}.{cls.__qualname__}")

    @property
    def layout(self) -> Layout:
        found: Layout = self.instance_class.layout
        return found


class RowType(types.Type):
    """The Numba type of a row of a board."""

    def __init__(self, board: GridType):
        self.board = board
        self.instance_class = board.instance_class
        super().__init__(name=f"row of the {board.name}")


@register_model(GridType)
class _GridModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        members = [("cells", types.CPointer(types.int8)), ("fields", types.CPointer(types.int64))]
        super().__init__(manager, kind, [*members, ("player", types.int64)])


@register_model(RowType)
class _RowModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, [("board", kind.board), ("row", types.int64)])


def _layout(kind: Any) -> Layout | None:
    """The layout of a type of states; None for other types."""
    return getattr(getattr(kind, "instance_class", None), "layout", None)


@intrinsic
def _opened(typing_context, state):
    layout = _layout(state)
    if layout is None:
        raise TypingError("this state has no board of numbers")
    kind = GridType(state.instance_class)

    def generate(context, builder, signature, arguments):
        whole, word, byte = arguments[0], ir.IntType(64), ir.IntType(8)
        cells = stack_room(builder, ir.ArrayType(word, layout.words))
        fields = stack_room(builder, ir.ArrayType(word, max(len(layout.fields), 1)))
        zero = word(0)
        for number in range(layout.words):
            builder.store(builder.extract_value(whole, number), builder.gep(cells, [zero, word(number)]))
        for number in range(len(layout.fields)):
            value = builder.sext(builder.extract_value(whole, layout.words + 1 + number), word)
            builder.store(value, builder.gep(fields, [zero, word(number)]))
        player = builder.add(builder.zext(builder.extract_value(whole, layout.words), word), word(1))
        members = {
            "cells": builder.bitcast(cells, byte.as_pointer()),
            "fields": builder.bitcast(fields, word.as_pointer()),
            "player": player,
        }
        return make_struct(context, builder, kind, members)

    return kind(state), generate


@intrinsic
def _closed(typing_context, like, board, next_player):
    layout = _layout(like)

    def generate(context, builder, signature, arguments):
        word, byte, short = ir.IntType(64), ir.IntType(8), ir.IntType(32)
        members = struct_members(context, builder, signature.args[1], arguments[1])
        eight = ir.VectorType(byte, 8)
        cells = builder.bitcast(members.cells, word.as_pointer())
        turned = builder.icmp_signed("!=", members.player, arguments[2])
        made = arguments[0]
        for number in range(layout.words):
            kept = builder.load(builder.gep(cells, [word(number)]))
            negated = builder.bitcast(builder.sub(ir.Constant(eight, None), builder.bitcast(kept, eight)), word)
            made = builder.insert_value(made, builder.select(turned, negated, kept), number)
        player = builder.trunc(builder.sub(arguments[2], word(1)), byte)
        made = builder.insert_value(made, player, layout.words)
        for number in range(len(layout.fields)):
            value = builder.load(builder.gep(members.fields, [word(number)]))
            made = builder.insert_value(made, builder.trunc(value, short), layout.words + 1 + number)
        return made

    return like(like, board, types.int64), generate


@intrinsic
def _cell(typing_context, board, place):
    def generate(context, builder, signature, arguments):
        members = struct_members(context, builder, signature.args[0], arguments[0])
        return builder.sext(builder.load(builder.gep(members.cells, [arguments[1]])), ir.IntType(64))

    return types.int64(board, types.int64), generate


@intrinsic
def _put(typing_context, board, place, value):
    def generate(context, builder, signature, arguments):
        members = struct_members(context, builder, signature.args[0], arguments[0])
        builder.store(builder.trunc(arguments[2], ir.IntType(8)), builder.gep(members.cells, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(board, types.int64, types.int64), generate


@intrinsic
def _row(typing_context, board, row):
    kind = RowType(board)

    def generate(context, builder, signature, arguments):
        return make_struct(context, builder, kind, {"board": arguments[0], "row": arguments[1]})

    return kind(board, types.int64), generate


@intrinsic
def _parts_of_row(typing_context, row):
    def generate(context, builder, signature, arguments):
        members = struct_members(context, builder, signature.args[0], arguments[0])
        return context.make_tuple(builder, signature.return_type, [members.board, members.row])

    return types.Tuple((row.board, types.int64))(row), generate


@overload(grid_of, inline="always")  # the memory on the stack belongs to the function that asks for the board
def _(state):
    if _layout(state) is not None:
        return lambda state: _opened(state)
    return None


@overload(state_of)
def _(like, board, next_player):
    def close(like, board, next_player):
        if next_player != 1 and next_player != 2:
            raise ValueError(NO_PLAYER)
        return _closed(like, board, next_player)

    return close


@overload(operator.getitem)
def _(board, where):
    if isinstance(board, RowType):

        def in_row(board, where):
            whole, row = _parts_of_row(board)
            return whole[row, where]

        return in_row
    if not isinstance(board, GridType):
        return None
    rows, columns, outside = board.layout.rows, board.layout.columns, board.layout.outside
    if isinstance(where, types.Integer):
        return lambda board, where: _row(board, where)

    def read(board, where):
        row, column = where
        if row < 0 or row >= rows or column < 0 or column >= columns:
            raise IndexError(outside)
        return _cell(board, row * columns + column)

    return read


@overload(operator.setitem)
def _(board, where, value):
    if isinstance(board, RowType):

        def in_row(board, where, value):
            whole, row = _parts_of_row(board)
            whole[row, where] = value

        return in_row
    if not isinstance(board, GridType):
        return None
    rows, columns, outside = board.layout.rows, board.layout.columns, board.layout.outside

    def write(board, where, value):
        row, column = where
        if row < 0 or row >= rows or column < 0 or column >= columns:
            raise IndexError(outside)
        if value < -LARGEST or value > LARGEST:
            raise ValueError(TOO_LARGE)
        _put(board, row * columns + column, value)

    return write


@overload(len)
def _(board):
    if isinstance(board, RowType):
        columns = board.board.layout.columns
        return lambda board: columns
    return None


@overload_method(GridType, "cells")
def _(board):
    rows, columns = board.layout.rows, board.layout.columns

    def cells(board):
        for row in range(rows):
            for column in range(columns):
                yield row, column

    return cells


@overload_method(GridType, "count")
def _(board, value):
    number = board.layout.cells

    def count(board, value):
        found = 0
        for place in range(number):
            if _cell(board, place) == value:
                found += 1
        return found

    return count


@overload_method(GridType, "is_inside")
def _(board, row, column):
    rows, columns = board.layout.rows, board.layout.columns
    return lambda board, row, column: 0 <= row < rows and 0 <= column < columns


@overload_method(GridType, "grid")
def _(board):
    rows, columns = board.layout.rows, board.layout.columns

    def grid(board):
        made = np.empty((rows, columns), np.int8)
        for row in range(rows):
            for column in range(columns):
                made[row, column] = _cell(board, row * columns + column)
        return made

    return grid


def _attribute(kind: GridType, name: str) -> Any:
    return types.int64 if name in ("rows", "columns", "player", *kind.layout.names) else None


register_attributes(GridType, _attribute)


@lower_getattr_generic(GridType)
def _(context, builder, kind, value, name):
    members, word = struct_members(context, builder, kind, value), ir.IntType(64)
    if name == "player":
        return members.player
    if name in kind.layout.names:
        return builder.load(builder.gep(members.fields, [word(kind.layout.names.index(name))]))
    return word(getattr(kind.layout, name))


@lower_setattr_generic(GridType)
def _(context, builder, signature, arguments, name):
    kind = signature.args[0]
    if name not in kind.layout.names:
        raise GameError("the board has no field {name!r} that can be changed", name=name)
    members = struct_members(context, builder, kind, arguments[0])
    builder.store(arguments[1], builder.gep(members.fields, [ir.IntType(64)(kind.layout.names.index(name))]))
