"""Sets of cells in compiled code. See cell_sets.py for what each operation means."""

import operator
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload, overload_attribute, overload_method, register_jitable

from zermelo.boards.cell_sets import NO_ARITHMETIC, NO_BOARD_YET, cells
from zermelo.boards.compiled_types import NamedCellsType, SetType, made
from zermelo.boards.layout import combined, complement, frame_of, pairs_of
from zermelo.boards.words import (
    common,
    differing,
    either,
    has_place,
    is_empty,
    moved_bits,
    number_of,
    with_bits,
    with_place,
    without,
    without_first,
)
from zermelo.core import count, highest, lowest, without_lowest
from zermelo.core.numba_private import TypingError


def _named_words(kind: Any, text: str, is_within: bool) -> Any:
    """A function of a set of this type that gives the words of the cells that a text names."""
    layout = kind.layout
    try:
        pairs = tuple(pairs_of(layout, text))
    except ValueError as error:
        raise TypingError(str(error)) from None
    all_cells, named_place = layout.cells, layout.named_place
    if layout.is_fixed:
        frame = frame_of(layout, layout.largest)
        words = frame.words_of(frame.named(text))
        if is_within:
            return register_jitable(lambda like, other: words)
        return register_jitable(lambda like, other: common(words, all_cells(like.grid)))

    @register_jitable
    def named(like, other):
        words = without(like.words, like.words)
        for x, y in pairs:
            place = named_place(like.grid, x, y)
            if place >= 0:
                words = with_place(words, place)
        return words

    return named


def _words(kind: Any, other: Any, is_within: bool) -> Any:
    """A function (a set of this type, another value) that gives the words of the other value; None if it is no set.

    is_within: nothing beyond the board can get into the result, so that names and numbers need not be cut off there.
    """
    if isinstance(other, SetType) and other.key == kind.key:
        return register_jitable(lambda like, other: other.words)
    if isinstance(other, NamedCellsType):
        return _named_words(kind, other.text, is_within)
    if isinstance(other, types.Integer):
        all_cells = kind.layout.cells
        if is_within:
            return register_jitable(lambda like, other: with_bits(like.words, np.uint64(other)))
        return register_jitable(
            lambda like, other: common(with_bits(like.words, np.uint64(other)), all_cells(like.grid))
        )
    return None


def _sides(operation: Any, left: Any, right: Any) -> tuple[Any, Any, Any] | None:
    """For an operator on a set: the set's type, and functions (set, value) for the words of each side."""
    is_within = operation in (operator.and_, operator.iand)
    if isinstance(left, SetType):
        words = _words(left, right, is_within or operation in (operator.sub, operator.isub))
        return None if words is None else (left, None, words)
    if isinstance(right, SetType):
        words = _words(right, left, is_within)
        return None if words is None else (right, words, None)
    return None


def _register_operator(operation: Any, combine: Any) -> None:
    @overload(operation)
    def _(left, right):
        sides = _sides(operation, left, right)
        if sides is None:
            return None
        kind, from_left, from_right = sides
        if operation is operator.sub and (isinstance(left, types.Number) or isinstance(right, types.Number)):
            raise TypingError(NO_ARITHMETIC)
        make = made(kind.of(SetType))
        if from_left is None:
            return lambda left, right: make((left.grid, combine(left.words, from_right(left, right))))
        return lambda left, right: make((right.grid, combine(from_left(right, left), right.words)))


for _operation, _combine in (
    (operator.and_, common),
    (operator.or_, either),
    (operator.xor, differing),
    (operator.sub, without),
    (operator.iand, common),
    (operator.ior, either),
    (operator.ixor, differing),
    (operator.isub, without),
):
    _register_operator(_operation, _combine)


def _register_comparison(operation: Any, holds: Any) -> None:
    @overload(operation)
    def _(left, right):
        sides = _sides(operation, left, right)
        if sides is None:
            return None
        _kind, from_left, from_right = sides
        if from_left is None:
            return lambda left, right: holds(left.words, from_right(left, right))
        return lambda left, right: holds(from_left(right, left), right.words)


_register_comparison(operator.eq, register_jitable(lambda words, others: is_empty(differing(words, others))))
_register_comparison(operator.ne, register_jitable(lambda words, others: not is_empty(differing(words, others))))
_register_comparison(operator.le, register_jitable(lambda words, others: is_empty(without(words, others))))
_register_comparison(operator.ge, register_jitable(lambda words, others: is_empty(without(others, words))))


def _register_shift(operation: Any, sign: int) -> None:
    @overload(operation)
    def _(cells, step):
        if not (isinstance(cells, SetType) and isinstance(step, types.Integer)):
            return None
        make, all_cells = made(cells.of(SetType)), cells.layout.cells
        if cells.layout.words > 1:
            return lambda cells, step: make(
                (cells.grid, common(moved_bits(cells.words, sign * np.int64(step)), all_cells(cells.grid)))
            )
        if sign > 0:
            return lambda cells, step: make(
                (cells.grid, common((cells.words[0] << np.uint64(step),), all_cells(cells.grid)))
            )
        return lambda cells, step: make((cells.grid, (cells.words[0] >> np.uint64(step),)))


for _operation, _sign in ((operator.lshift, 1), (operator.rshift, -1), (operator.ilshift, 1), (operator.irshift, -1)):
    _register_shift(_operation, _sign)


def _refuse(operation: Any) -> None:
    @overload(operation)
    def _(left, right):
        if isinstance(left, SetType) or isinstance(right, SetType):
            raise TypingError(NO_ARITHMETIC)


for _operation in (operator.add, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.iadd):
    _refuse(_operation)


@overload(operator.invert)
def _(cells):
    if isinstance(cells, NamedCellsType):
        names = _names(complement(cells.text))
        return lambda cells: names()
    if not isinstance(cells, SetType):
        return None
    make, all_cells = made(cells.of(SetType)), cells.layout.cells
    return lambda cells: make((cells.grid, without(all_cells(cells.grid), cells.words)))


@overload(len)
def _(cells):
    if isinstance(cells, NamedCellsType):
        raise TypingError(NO_BOARD_YET)
    return (lambda cells: number_of(cells.words)) if isinstance(cells, SetType) else None


@overload(count)
def _(board):
    return (lambda board: number_of(board.words)) if isinstance(board, SetType) else None


@overload(bool)
def _(cells):
    return (lambda cells: not is_empty(cells.words)) if isinstance(cells, SetType) else None


@overload(operator.not_)
def _(cells):
    return (lambda cells: is_empty(cells.words)) if isinstance(cells, SetType) else None


@overload(operator.contains)
def _(cells, cell):
    if isinstance(cells, NamedCellsType):
        raise TypingError(NO_BOARD_YET)
    if not isinstance(cells, SetType) or not isinstance(cell, types.BaseTuple) or len(cell) != 2:
        return None
    rows, columns, place = cells.layout.rows, cells.layout.columns, cells.layout.place

    def contains(cells, cell):
        row, column = cell
        if row < 0 or row >= rows(cells.grid) or column < 0 or column >= columns(cells.grid):
            return False
        return has_place(cells.words, place(cells.grid, row, column))

    return contains


@overload_method(SetType, "shift")
def _(cells, rows, columns):
    make, shift = made(cells.of(SetType)), cells.layout.shift
    return lambda cells, rows, columns: make(
        (cells.grid, shift(cells.grid, cells.words, np.int64(rows), np.int64(columns)))
    )


@overload_method(SetType, "neighbours")
def _(cells):
    make, neighbours = made(cells.of(SetType)), cells.layout.neighbours
    return lambda cells: make((cells.grid, neighbours(cells.grid, cells.words)))


@overload_attribute(SetType, "bits")
def _(cells):
    return (lambda cells: cells.words[0]) if cells.layout.words == 1 else (lambda cells: cells.words)


def _names(text):
    kind = NamedCellsType(text)

    @intrinsic
    def names(typing_context):
        return kind(), lambda context, builder, signature, arguments: context.get_dummy_value()

    return names


def _register_names(operation: Any, sign: str) -> None:
    @overload(operation)
    def _(left, right):
        if isinstance(left, NamedCellsType) and isinstance(right, NamedCellsType):
            make = _names(combined(left.text, sign, right.text))
            return lambda left, right: make()
        return None


_register_names(operator.or_, "|")
_register_names(operator.and_, "&")
_register_names(operator.sub, "-")
_register_names(operator.xor, "^")


@overload(cells, prefer_literal=True)
def _(text):
    if not isinstance(text, types.StringLiteral):
        raise TypingError("z.cells() takes a text in quotation marks")
    make = _names(text.literal_value)
    return lambda text: make()


def _register_trick(trick: Any) -> None:
    @overload(trick)
    def _(board):
        if not isinstance(board, SetType) or board.layout.words > 1:
            return None
        if trick is without_lowest:
            make = made(board.of(SetType))
            return lambda board: make((board.grid, without_first(board.words)))
        return lambda board: trick(board.words[0])


for _trick in (lowest, highest, without_lowest):
    _register_trick(_trick)
