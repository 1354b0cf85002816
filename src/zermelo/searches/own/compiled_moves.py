"""The moves and the children of a node in compiled code.

The moves of a loop lie on the stack of the function that loops.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import int32, int64, types
from numba.extending import (
    intrinsic,
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)

from zermelo.boards.board import NO_SUCH_MOVE, Move
from zermelo.boards.compiled_types import compare_by_code
from zermelo.core import njit
from zermelo.core.explanations import describe
from zermelo.core.numba_private import (
    SimpleIteratorType,
    TypingError,
    array_at,
    iternext_new,
    parts_of,
    stack_room,
    used_once_more,
    whole,
)
from zermelo.core.scratch import scratch
from zermelo.rules import legal_moves, play
from zermelo.searches.own.compiled_nodes import NodeType, make_node
from zermelo.searches.own.watching import NOT_A_MOVE, TOO_DEEP, TooDeep, count_child
from zermelo.searches.workspace import PLIES, WIDEST


class MoveType(types.Type):
    """The type of a move, in the nodes of a game."""

    def __init__(self, state: Any):
        self.state = state
        super().__init__(f"node.move({state})")

    @property
    def key(self) -> Any:
        return self.state


describe("node.move", Move)


@register_model(MoveType)
class _MoveModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, [("code", int64)])


make_attribute_wrapper(MoveType, "code", "code")


@intrinsic
def _make_move(typing_context, node, code):
    kind = MoveType(node.state)

    def generate(context, builder, signature, arguments):
        filled = parts_of(context, builder, kind)
        filled.code = arguments[1]
        return whole(filled)

    return kind(node, int64), generate


compare_by_code(MoveType)


@overload_attribute(NodeType, "move")
def _(node):
    def move(node):
        if node._ply == 0:
            return None
        return _make_move(node, node._code)

    return move


@njit
def _after(node, code):
    """The node after a move."""
    if node._ply >= PLIES:
        raise TooDeep(TOO_DEEP)
    work = node._work
    count_child(work)
    return make_node(play(node._state, code), node._address, node._ply + 1, int64(work.generated), int64(code))


@overload_method(NodeType, "play")
def _(node, move):
    if not isinstance(move, MoveType):
        raise TypingError(NOT_A_MOVE)
    return lambda node, move: _after(node, move.code)


class _OfNode(types.IterableType):
    """What a loop can go through: the children of a node, or its moves. It holds the node alone."""

    title = ""

    def __init__(self, node: Any):
        self.node = node
        super().__init__(f"{self.title}({node})")

    @property
    def key(self) -> Any:
        return self.node

    @property
    def iterator_type(self) -> Any:
        return WalkType(self)


class ChildrenType(_OfNode):
    title = "children"


class MovesType(_OfNode):
    title = "moves"


class WalkType(SimpleIteratorType):  # type: ignore[misc]
    """The type of a loop over the children or the moves of a node."""

    def __init__(self, items: Any):
        self.items = items
        self.node = items.node
        gives = items.node if isinstance(items, ChildrenType) else MoveType(items.node.state)
        super().__init__(f"walk({items})", gives)

    @property
    def key(self) -> Any:
        return self.items


class _OfNodeModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, [("node", kind.node)])


for _kind in (ChildrenType, MovesType):
    register_model(_kind)(_OfNodeModel)
    make_attribute_wrapper(_kind, "node", "_node")


@register_model(WalkType)
class _WalkModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        members = [
            ("node", kind.node),
            ("codes", types.CPointer(int32)),
            ("at", types.EphemeralPointer(int64)),
            ("end", int64),
        ]
        super().__init__(manager, kind, members)


def _maker(of: Any) -> Any:
    """What makes the children or the moves of a node."""

    @intrinsic
    def make(typing_context, node):
        kind = of(node)

        def generate(context, builder, signature, arguments):
            filled = parts_of(context, builder, kind)
            filled.node = used_once_more(context, builder, node, arguments[0])
            return whole(filled)

        return kind(node), generate

    return make


_children_of, _moves_of = _maker(ChildrenType), _maker(MovesType)


@overload_method(NodeType, "children")
def _(node):
    return lambda node: _children_of(node)


@overload_method(NodeType, "moves")
def _(node):
    return lambda node: _moves_of(node)


@njit
def _begin(node, codes):
    """Write the codes of the legal moves, and return their number."""
    return int64(legal_moves(node._state, codes, 0))


@njit
def _next_child(node, code, at, end):
    if at == 0:
        node._work.begun += 1
    if at + 1 == end:
        node._work.begun -= 1
    return _after(node, code)


@njit
def _next_move(node, code, at, end):
    return _make_move(node, int64(code))


@overload(len)
def _(items):
    if not isinstance(items, _OfNode):
        return None

    def number(items):
        return _begin(items._node, scratch(WIDEST, np.int32))

    return number


@overload(operator.getitem)
def _(moves, number):
    if not (isinstance(moves, MovesType) and isinstance(number, types.Integer)):
        return None

    def move(moves, number):
        codes = scratch(WIDEST, np.int32)
        end = _begin(moves._node, codes)
        place = int64(number)
        if place < 0:
            place += end
        if place < 0 or place >= end:
            raise IndexError(NO_SUCH_MOVE)
        return _make_move(moves._node, int64(codes[place]))

    return move


@lower_builtin("getiter", ChildrenType)
@lower_builtin("getiter", MovesType)
def _(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, walk = signature.args[0], signature.return_type
    node = parts_of(context, builder, kind, arguments[0]).node
    word, array = ir.IntType(64), types.Array(int32, 1, "C")
    room = stack_room(builder, ir.ArrayType(ir.IntType(32), WIDEST))
    codes = builder.bitcast(room, ir.IntType(32).as_pointer())
    filled = parts_of(context, builder, walk)
    filled.node = used_once_more(context, builder, kind.node, node)
    filled.codes, filled.at = codes, stack_room(builder, word)
    builder.store(ir.Constant(word, 0), filled.at)
    view = array_at(context, builder, array, codes, WIDEST)
    filled.end = context.compile_internal(
        builder, lambda node, codes: _begin(node, codes), int64(kind.node, array), [node, view]
    )
    return whole(filled)


@lower_builtin("iternext", WalkType)
@iternext_new
def _(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    kind = signature.args[0]
    walk = parts_of(context, builder, kind, arguments[0])
    at = builder.load(walk.at)
    is_there = builder.icmp_signed("<", at, walk.end)
    result.set_valid(is_there)
    with builder.if_then(is_there):
        code = builder.load(builder.gep(walk.codes, [at]))
        builder.store(builder.add(at, ir.Constant(at.type, 1)), walk.at)
        step = _next_child if isinstance(kind.items, ChildrenType) else _next_move
        given = context.compile_internal(
            builder,
            lambda node, code, at, end: step(node, code, at, end),
            kind.yield_type(kind.node, int32, int64, int64),
            [walk.node, code, at, walk.end],
        )
        result.yield_(given)
