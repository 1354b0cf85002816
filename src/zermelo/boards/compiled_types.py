"""The Numba types of boards, rows, sets of cells and moves, and how values of them come from Python and go back.

Each is a plain structure around the words of a state, which LLVM takes apart: nothing of it is left in compiled code.
"""

import functools
import operator
from typing import Any

from numba import types
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_cast,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo.boards.board import Board, Move, set_of
from zermelo.boards.cell_sets import AllCells, CellSet, NamedCells
from zermelo.boards.layout import Layout
from zermelo.core.numba_private import (
    SimpleIteratorType,
    parts_of,
    register_constant,
    tuple_class,
    used_once_more,
    whole,
)


class _OfBoard(types.Type):
    """A type that belongs to the boards of a class around states of a class."""

    title = "{board}({state})"

    def __init__(self, board_class: Any, state_class: Any):
        self.board_class, self.state_class = board_class, state_class
        state = f"{state_class.__module__}.{state_class.__qualname__}"
        super().__init__(name=self.title.format(board=board_class.__name__, state=state))

    @property
    def key(self) -> Any:
        return self.board_class, self.state_class

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes that its code is made from (see core/digest.py)."""
        return self.state_class, self.board_class

    @property
    def layout(self) -> Layout:
        found: Layout = self.board_class.layouts[self.state_class]
        return found

    @property
    def words(self) -> Any:
        return types.UniTuple(types.uint64, self.layout.words)

    @property
    def grid(self) -> Any:
        number = self.layout.numbers
        return types.UniTuple(types.uint64, number) if number else types.Tuple(())

    def of(self, kind: Any) -> Any:
        """The type of another thing of the same boards."""
        return kind(self.board_class, self.state_class)

    def parts(self) -> list[tuple[str, Any]]:
        """The names and types of its parts in compiled code."""
        raise NotImplementedError


class _Walked(types.IterableType):
    """What a loop can go through."""

    @property
    def iterator_type(self) -> Any:
        return WalkType(self)


class BoardType(_OfBoard, _Walked):
    """The type of a board. Each class of boards has a subclass of this one, made by `own_type`.

    Numba looks for attributes and methods by the class of a type. So what one game's boards call `targets` can be an
    attribute, and a method on those of another game. BoardType(...) gives a type of the right subclass.
    """

    def __new__(cls, board_class: Any, state_class: Any) -> Any:
        return super().__new__(own_type(board_class))

    def __reduce__(self) -> Any:
        return BoardType, (self.board_class, self.state_class)  # the subclass is not in a module

    def parts(self) -> list[tuple[str, Any]]:
        return [("state", self.state_class.numba)]

    @property
    def around(self) -> Any:
        """What puts a board around a state, for compiled code."""
        return around(self.board_class)


class RowType(_OfBoard, _Walked):
    title = "{board}.row({state})"

    def parts(self) -> list[tuple[str, Any]]:
        return [("board", self.of(BoardType)), ("row", types.int64)]


class SetType(_OfBoard, _Walked):
    title = "{board}.cells({state})"

    @property
    def bits(self) -> Any:
        """The type of the bits that it can be cast to, where a state is made of sets."""
        return types.uint64 if self.layout.words == 1 else None

    def parts(self) -> list[tuple[str, Any]]:
        return [("grid", self.grid), ("words", self.words)]


class AllCellsType(SetType):
    title = "{board}.all_cells({state})"


class MovesType(_OfBoard, _Walked):
    title = "{board}.moves({state})"

    def parts(self) -> list[tuple[str, Any]]:
        return [("codes", types.Array(types.int32, 1, "C")), ("number", types.int64)]


class MoveType(_OfBoard):
    title = "{board}.move({state})"

    def parts(self) -> list[tuple[str, Any]]:
        return [("code", types.int64)]


class NamedCellsType(types.Type):
    """The type of the cells that a text names. There is nothing in it at run time."""

    def __init__(self, text: str):
        self.text = text
        super().__init__(name=f"cells({text!r})")


class _Parts(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, kind.parts())


@functools.cache
def own_type(board_class: Any) -> Any:
    """The class of the Numba types of this class of boards."""
    made = type("BoardType", (BoardType,), {"__module__": __name__, "__doc__": BoardType.__doc__})
    register_model(made)(_Parts)
    return made


for _kind in (RowType, SetType, AllCellsType, MovesType, MoveType):
    register_model(_kind)(_Parts)
register_model(NamedCellsType)(models.OpaqueModel)

make_attribute_wrapper(BoardType, "state", "state")
make_attribute_wrapper(RowType, "board", "board")
make_attribute_wrapper(RowType, "row", "row")
make_attribute_wrapper(SetType, "grid", "grid")
make_attribute_wrapper(SetType, "words", "words")
make_attribute_wrapper(MovesType, "codes", "codes")
make_attribute_wrapper(MovesType, "number", "number")
make_attribute_wrapper(MoveType, "code", "code")


@lower_cast(BoardType, types.BaseTuple)
def _(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return used_once_more(context, builder, wanted, parts_of(context, builder, given, value).state)


@lower_cast(SetType, types.uint64)
def _(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return builder.extract_value(parts_of(context, builder, given, value).words, 0)


def compare_by_code(moves: Any) -> None:
    """Let compiled code compare moves of one type, which are equal if their codes are."""

    @overload(operator.eq)
    def _(move, other):
        if isinstance(move, moves) and move == other:
            return lambda move, other: move.code == other.code
        return None

    @overload(operator.ne)
    def _(move, other):
        if isinstance(move, moves) and move == other:
            return lambda move, other: move.code != other.code
        return None


@functools.cache
def made(kind: Any) -> Any:
    """The function of compiled code that makes a value of this type of a tuple of its parts."""

    @intrinsic
    def make(typing_context, parts):
        def generate(context, builder, signature, arguments):
            filled = parts_of(context, builder, kind)
            for number, ((name, wanted), given) in enumerate(zip(kind.parts(), signature.args[0], strict=True)):
                value = context.cast(builder, builder.extract_value(arguments[0], number), given, wanted)
                setattr(filled, name, used_once_more(context, builder, wanted, value))
            return whole(filled)

        return kind(parts), generate

    return make


@functools.cache
def around(board_class: Any) -> Any:
    """The function of compiled code that puts a board of this class around a state; a board stays as it is."""

    @intrinsic
    def around_state(typing_context, state):
        if isinstance(state, BoardType):
            return state(state), lambda context, builder, signature, arguments: used_once_more(
                context, builder, signature.return_type, arguments[0]
            )
        kind = BoardType(board_class, tuple_class(state))

        def generate(context, builder, signature, arguments):
            filled = parts_of(context, builder, kind)
            filled.state = used_once_more(context, builder, signature.args[0], arguments[0])
            return whole(filled)

        return kind(state), generate

    return around_state


# ------------------------------------------------------------------------------------------ loops


class WalkType(SimpleIteratorType):  # type: ignore[misc]
    """The type of a loop through something: what is looped through, and how far the loop has come."""

    def __init__(self, items: Any):
        self.items = items
        super().__init__(f"walk({items})", yielded(items))

    @property
    def key(self) -> Any:
        return self.items


def yielded(items: Any) -> Any:
    """What a loop through something gives."""
    if isinstance(items, SetType):
        return types.UniTuple(types.int64, 2)
    if isinstance(items, BoardType):
        return items.of(RowType)
    return items.of(MoveType) if isinstance(items, MovesType) else types.int64


def cursor(items: Any) -> Any:
    """What says how far a loop has come: a number, the cells that are left, or the next row and column."""
    if isinstance(items, AllCellsType):
        return types.UniTuple(types.int64, 2) if items.layout.numbers else types.int64
    return items.words if isinstance(items, SetType) else types.int64


@register_model(WalkType)
class _WalkModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        members = [("items", kind.items), ("cursor", types.EphemeralPointer(cursor(kind.items)))]
        super().__init__(manager, kind, members)


# ------------------------------------------------------------------------------------------ from Python and back


@typeof_impl.register(Board)
def _(value: Any, context: Any) -> Any:
    return type(value).numba(type(value.state))


@typeof_impl.register(CellSet)
def _(value: Any, context: Any) -> Any:
    layout = value.frame.layout
    return (AllCellsType if isinstance(value, AllCells) else SetType)(layout.board_class, layout.state_class)


@typeof_impl.register(Move)
def _(value: Any, context: Any) -> Any:
    return MoveType(value.board_class, value.state_class)


@typeof_impl.register(NamedCells)
def _(value: Any, context: Any) -> Any:
    return NamedCellsType(value.text)


def _unboxed(kind: Any, value: Any, context: Any) -> Any:
    filled = parts_of(context.context, context.builder, kind)
    failed = []
    for name, wanted in kind.parts():
        part = context.pyapi.object_getattr_string(value, name)
        native = context.unbox(wanted, part)
        setattr(filled, name, native.value)
        failed.append(native.is_error)
        context.pyapi.decref(part)
    is_error = functools.reduce(context.builder.or_, failed)
    return NativeValue(whole(filled), is_error=is_error)


for _kind in (BoardType, SetType, AllCellsType, MoveType):
    unbox(_kind)(_unboxed)


@unbox(NamedCellsType)
def _(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


register_constant(NamedCellsType)


def _boxed(kind: Any, value: Any, context: Any, make: Any) -> Any:
    """The Python object that make(parts...) gives."""
    filled = parts_of(context.context, context.builder, kind, value)
    function = context.pyapi.unserialize(context.pyapi.serialize_object(make))
    parts = []
    for name, wanted in kind.parts():
        part = used_once_more(context.context, context.builder, wanted, getattr(filled, name))
        parts.append(context.box(wanted, part))
    result = context.pyapi.call_function_objargs(function, parts)
    for part in (function, *parts):
        context.pyapi.decref(part)
    return result


@box(BoardType)
def _(kind: Any, value: Any, context: Any) -> Any:
    return _boxed(kind, value, context, kind.board_class)


@box(SetType)
@box(AllCellsType)
def _(kind: Any, value: Any, context: Any) -> Any:
    return _boxed(kind, value, context, functools.partial(set_of, kind.board_class, kind.state_class))
