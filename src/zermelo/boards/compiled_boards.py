"""Boards, rows and moves in compiled code. See board.py for what each operation means."""

import operator
from typing import Any

import numpy as np
from numba import types
from numba.extending import lower_builtin, overload, overload_attribute, overload_method, register_jitable

from zermelo.boards.board import NO_CELLS, NO_SUCH_MOVE, NOT_A_MOVE, OUTSIDE, attribute, method
from zermelo.boards.compiled_types import (
    AllCellsType,
    BoardType,
    MovesType,
    MoveType,
    RowType,
    SetType,
    WalkType,
    compare_by_code,
    cursor,
    made,
    own_type,
)
from zermelo.boards.words import either, first_place, has_place, without, without_first
from zermelo.core.numba_private import TypingError, iternext, parts_of, stack_copy, used_once_more, whole
from zermelo.rules import is_over, legal_moves, play

MOST_MOVES = 1024

# ------------------------------------------------------------------------------------------ cells


def _require_cells(board):
    if not board.layout.has_cells:
        raise TypingError(NO_CELLS)


@overload_attribute(BoardType, "rows")
def _(board):
    _require_cells(board)
    grid, rows = board.layout.grid, board.layout.rows
    return lambda board: rows(grid(board.state))


@overload_attribute(BoardType, "columns")
def _(board):
    _require_cells(board)
    grid, columns = board.layout.grid, board.layout.columns
    return lambda board: columns(grid(board.state))


def value_of(layout):
    """The function of a state, a row and a column that tells what is on the cell; it must exist."""
    if layout.value is not None:
        return layout.value
    grid, place, mine, theirs = layout.grid, layout.place, layout.mine, layout.theirs

    def value(state, row, column):
        where = place(grid(state), row, column)
        return np.int64(has_place(mine(state), where)) - np.int64(has_place(theirs(state), where))

    return register_jitable(value)


def _cell_of(layout):
    grid, rows, columns, value = layout.grid, layout.rows, layout.columns, value_of(layout)

    def cell(state, row, column):
        size = grid(state)
        if row < 0 or row >= rows(size) or column < 0 or column >= columns(size):
            raise IndexError(OUTSIDE)
        return value(state, row, column)

    return register_jitable(cell)


@overload(operator.getitem)
def _(board, where):
    if isinstance(board, RowType) and isinstance(where, types.Integer):
        cell = _cell_of(board.layout)
        return lambda board, where: cell(board.board.state, board.row, np.int64(where))
    if not isinstance(board, BoardType):
        return None
    _require_cells(board)
    if isinstance(where, types.Integer):
        make, grid, rows = made(board.of(RowType)), board.layout.grid, board.layout.rows

        def row_of(board, where):
            if where < 0 or where >= rows(grid(board.state)):
                raise IndexError(OUTSIDE)
            return make((board, np.int64(where)))

        return row_of
    if isinstance(where, types.BaseTuple) and len(where) == 2 and all(isinstance(n, types.Integer) for n in where):
        cell = _cell_of(board.layout)
        return lambda board, where: cell(board.state, np.int64(where[0]), np.int64(where[1]))
    return None


@overload(len)
def _(board):
    if isinstance(board, BoardType):
        _require_cells(board)
        return lambda board: board.rows
    if isinstance(board, RowType):
        return lambda board: board.board.columns
    return (lambda board: board.number) if isinstance(board, MovesType) else None


@overload_method(BoardType, "cells")
def _(board):
    _require_cells(board)
    make, grid, cells = made(board.of(AllCellsType)), board.layout.grid, board.layout.cells

    def all_cells(board):
        size = grid(board.state)
        return make((size, cells(size)))

    return all_cells


@overload_method(BoardType, "grid")
def _(board):
    _require_cells(board)
    value = value_of(board.layout)

    def grid(board):
        values = np.empty((board.rows, board.columns), np.int8)
        for row in range(board.rows):
            for column in range(board.columns):
                values[row, column] = value(board.state, row, column)
        return values

    return grid


# ------------------------------------------------------------------------------------------ sets, fields and more


@overload_attribute(BoardType, "empty")
def _(board):
    _require_cells(board)
    make, layout = made(board.of(SetType)), board.layout
    grid, cells, mine, theirs = layout.grid, layout.cells, layout.mine, layout.theirs

    def empty(board):
        size = grid(board.state)
        return make((size, without(cells(size), either(mine(board.state), theirs(board.state)))))

    return empty


def _attribute(board, name):
    """What makes an attribute of a board, as a function of the board; None if boards of its class do not have it."""
    layout = board.layout
    words = layout.sets.get(name) or {"mine": layout.mine, "theirs": layout.theirs}.get(name)
    if words is not None:
        _require_cells(board)
        make, grid = made(board.of(SetType)), layout.grid
        return lambda board: make((grid(board.state), words(board.state)))
    member = board.board_class.members().get(name)
    if isinstance(member, attribute):
        function = member.compiled
        return lambda board: function(board)
    if name in board.state_class._fields:
        number = board.state_class._fields.index(name)
        return lambda board: board.state[number]
    return None


def _expose_attribute(kind, name):
    @overload_attribute(kind, name)
    def _(board):
        return _attribute(board, name)


def _expose_method(kind, name, member):
    @overload_method(kind, name)
    def _(board, *arguments):
        function = member.compiled
        return lambda board, *arguments: function(board, *arguments)


def expose(board_class: Any) -> None:
    """Let compiled code know the attributes and methods of a new class of boards."""
    kind, members = own_type(board_class), board_class.members()
    methods = {name: member for name, member in members.items() if isinstance(member, method)}
    names = {"mine", "theirs"} | (members.keys() - methods.keys())
    for state_class, layout in board_class.layouts.items():
        names.update(layout.sets, state_class._fields)
    for name in sorted(names - methods.keys() - {"rows", "columns", "empty", "state", "is_over"}):
        _expose_attribute(kind, name)
    for name, member in methods.items():
        _expose_method(kind, name, member)


# ------------------------------------------------------------------------------------------ moves


@overload_method(BoardType, "moves")
def _(board):
    make = made(board.of(MovesType))

    def moves(board):
        codes = np.empty(MOST_MOVES, np.int32)
        return make((codes, legal_moves(board.state, codes, 0)))

    return moves


@overload(operator.getitem)
def _(moves, number):
    if not isinstance(moves, MovesType) or not isinstance(number, types.Integer):
        return None
    make = made(moves.of(MoveType))

    def move(moves, number):
        place = np.int64(number)
        if place < 0:
            place += moves.number
        if place < 0 or place >= moves.number:
            raise IndexError(NO_SUCH_MOVE)
        return make((moves.codes[place],))

    return move


@overload(bool)
def _(moves):
    return (lambda moves: moves.number > 0) if isinstance(moves, MovesType) else None


@overload_method(BoardType, "play")
def _(board, move):
    if not isinstance(move, MoveType) or move.key != board.key:
        raise TypingError(NOT_A_MOVE)
    make = made(board)
    return lambda board, move: make((play(board.state, move.code),))


compare_by_code(MoveType)


@overload_attribute(BoardType, "is_over")
def _(board):
    return lambda board: is_over(board.state)


# ------------------------------------------------------------------------------------------ loops


def _first(items):
    """Where a loop begins: a function of what it goes through."""
    if isinstance(items, AllCellsType):
        return (lambda items: (0, 0)) if items.layout.numbers else (lambda items: 0)
    return (lambda items: items.words) if isinstance(items, SetType) else (lambda items: 0)


def _step(items):
    """One step of a loop: a function of what it goes through and of how far it has come.

    It gives whether there is another value, that value, and how far the loop has come then.
    """
    layout = items.layout
    if isinstance(items, AllCellsType):
        return _step_through_all(layout)
    if isinstance(items, SetType):
        cell = layout.cell

        def step(items, left):
            place = first_place(left)
            return place >= 0, cell(items.grid, max(place, 0)), without_first(left)

    elif isinstance(items, RowType):
        value = value_of(layout)

        def step(items, column):
            is_there = column < items.board.columns
            return is_there, value(items.board.state, items.row, column if is_there else 0), column + 1

    elif isinstance(items, BoardType):
        make_row = made(items.of(RowType))

        def step(items, row):
            return row < items.rows, make_row((items, row)), row + 1

    else:
        make_move = made(items.of(MoveType))

        def step(items, number):
            return number < items.number, make_move((items.codes[number & (MOST_MOVES - 1)],)), number + 1

    return step


def _step_through_all(layout):
    """Row by row. Where the size is fixed, one number counts, since LLVM can then turn the loop into vector code."""
    rows, columns = layout.rows, layout.columns
    if layout.numbers == 0:

        def step(items, number):
            width = np.uint64(columns(items.grid))
            row, column = np.int64(np.uint64(number) // width), np.int64(np.uint64(number) % width)
            return row < rows(items.grid), (row, column), number + 1

    else:

        def step(items, cell):
            row, column = cell
            ends = column + 1 >= columns(items.grid)
            return row < rows(items.grid), (row, column), (row + 1 if ends else row, 0 if ends else column + 1)

    return step


def _begin(context, builder, signature, arguments):
    walk, (items,) = signature.return_type, signature.args
    where = cursor(items)
    first = context.compile_internal(builder, _first(items), where(items), arguments)
    filled = parts_of(context, builder, walk)
    filled.items = used_once_more(context, builder, items, arguments[0])
    filled.cursor = stack_copy(builder, context.cast(builder, first, where, where))
    return whole(filled)


@iternext
def _next(context, builder, signature, arguments, result):
    walk = signature.args[0]
    items, where, value = walk.items, cursor(walk.items), walk.yield_type
    parts = parts_of(context, builder, walk, arguments[0])
    stepped = types.Tuple((types.boolean, value, where))
    found = context.compile_internal(
        builder, _step(items), stepped(items, where), (parts.items, builder.load(parts.cursor))
    )
    is_there = builder.extract_value(found, 0)
    result.set_valid(context.cast(builder, is_there, types.boolean, types.boolean))
    builder.store(builder.extract_value(found, 2), parts.cursor)
    result.yield_(builder.extract_value(found, 1))


for _kind in (BoardType, RowType, SetType, AllCellsType, MovesType):
    lower_builtin("getiter", _kind)(_begin)
lower_builtin("iternext", WalkType)(_next)
