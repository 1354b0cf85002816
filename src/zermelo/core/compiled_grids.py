"""Boards of small numbers in compiled code. See grids.py for what each operation means."""

import operator
from typing import Any

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

from zermelo.core.grids import LARGEST, NO_PLAYER, TOO_LARGE, Layout, grid_of, state_of
from zermelo.core.numba_private import TypingError, parts_of, register_attributes, stack_room, tuple_class
from zermelo.core.numba_private import whole as whole_of
from zermelo.core.state import StateMeta
from zermelo.errors import GameError


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
        self.instance_class = tuple_class(board)
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
    return getattr(tuple_class(kind), "layout", None)


@intrinsic
def _opened(typing_context, state):
    layout = _layout(state)
    if layout is None:
        raise TypingError("this state has no board of numbers")
    kind = GridType(tuple_class(state))

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
        made = parts_of(context, builder, kind)
        for name, value in members.items():
            setattr(made, name, value)
        return whole_of(made)

    return kind(state), generate


@intrinsic
def _closed(typing_context, like, board, next_player):
    layout = _layout(like)

    def generate(context, builder, signature, arguments):
        word, byte, short = ir.IntType(64), ir.IntType(8), ir.IntType(32)
        members = parts_of(context, builder, signature.args[1], arguments[1])
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
        members = parts_of(context, builder, signature.args[0], arguments[0])
        return builder.sext(builder.load(builder.gep(members.cells, [arguments[1]])), ir.IntType(64))

    return types.int64(board, types.int64), generate


@intrinsic
def _put(typing_context, board, place, value):
    def generate(context, builder, signature, arguments):
        members = parts_of(context, builder, signature.args[0], arguments[0])
        builder.store(builder.trunc(arguments[2], ir.IntType(8)), builder.gep(members.cells, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(board, types.int64, types.int64), generate


@intrinsic
def _row(typing_context, board, row):
    kind = RowType(board)

    def generate(context, builder, signature, arguments):
        made = parts_of(context, builder, kind)
        made.board, made.row = arguments
        return whole_of(made)

    return kind(board, types.int64), generate


@intrinsic
def _parts_of_row(typing_context, row):
    def generate(context, builder, signature, arguments):
        members = parts_of(context, builder, signature.args[0], arguments[0])
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
    members, word = parts_of(context, builder, kind, value), ir.IntType(64)
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
    members = parts_of(context, builder, kind, arguments[0])
    builder.store(arguments[1], builder.gep(members.fields, [ir.IntType(64)(kind.layout.names.index(name))]))
