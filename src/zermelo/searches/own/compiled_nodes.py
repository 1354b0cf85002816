"""Nodes of a user's search in compiled code. See nodes.py for what each name means."""

from typing import Any

from llvmlite import ir
from numba import int32, int64, types, uint64
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload_attribute,
    overload_method,
    register_model,
)

from zermelo.boards import board_class_of
from zermelo.boards.compiled_types import around
from zermelo.core import njit
from zermelo.core.explanations import describe
from zermelo.core.numba_private import TypingError, parts_of, used_once_more, whole
from zermelo.rules import end_score, is_over, key, to_move
from zermelo.searches.own.nodes import MAX, MIN, Node
from zermelo.searches.own.record import OWN, OWN_TYPE
from zermelo.searches.own.watching import NO_BOARD, points

_EVALUATE_AT = OWN.fields["evaluate"][1]  # type: ignore[index]


class NodeType(types.Type):
    """The type of the nodes of a game."""

    def __init__(self, state: Any):
        self.state = state
        super().__init__(f"node({state})")

    @property
    def key(self) -> Any:
        return self.state

    @property
    def state_class(self) -> Any:
        return self.state.instance_class


describe("node", Node)


@register_model(NodeType)
class _NodeModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        members = [("state", kind.state), ("address", uint64), ("ply", int64), ("serial", int64), ("code", int64)]
        super().__init__(manager, kind, members)


for _part in ("state", "address", "ply", "serial", "code"):
    make_attribute_wrapper(NodeType, _part, f"_{_part}")


@intrinsic
def _record_at(typing_context, address):
    """The record at an address."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(OWN_TYPE))

    return OWN_TYPE(uint64), generate


@intrinsic
def address_of(typing_context, work):
    """The address of a record."""

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return uint64(OWN_TYPE), generate


@overload_attribute(NodeType, "_work", inline="always")
def _(node):
    return lambda node: _record_at(node._address)


@intrinsic
def make_node(typing_context, state, address, ply, serial, code):
    """A node."""
    kind = NodeType(state)

    def generate(context, builder, signature, arguments):
        filled = parts_of(context, builder, kind)
        filled.state, filled.address, filled.ply, filled.serial, filled.code = arguments
        used_once_more(context, builder, state, arguments[0])
        return whole(filled)

    return kind(state, uint64, int64, int64, int64), generate


def _place_of_evaluate(builder: Any, address: Any, kind: Any) -> Any:
    at = builder.add(address, ir.Constant(address.type, _EVALUATE_AT))
    return builder.inttoptr(at, kind.as_pointer())


@intrinsic
def keep_evaluate(typing_context, address, evaluate):
    """Write a compiled heuristic into the record at an address."""

    def generate(context, builder, signature, arguments):
        function = arguments[1]
        assert context.get_abi_sizeof(function.type) <= OWN["evaluate"].itemsize
        builder.store(function, _place_of_evaluate(builder, arguments[0], function.type))
        return context.get_dummy_value()

    return types.void(uint64, evaluate), generate


@intrinsic
def _kept_evaluate(typing_context, node):
    """The compiled heuristic of a node's record."""
    function = types.FunctionType(int32(node.state, uint64))

    def generate(context, builder, signature, arguments):
        parts = parts_of(context, builder, node, arguments[0])
        return builder.load(_place_of_evaluate(builder, parts.address, context.get_value_type(function)))

    return function(node), generate


# ------------------------------------------------------------------------------------------ what a node tells


@overload_attribute(NodeType, "state")
def _(node):
    return lambda node: node._state


@overload_attribute(NodeType, "is_over")
def _(node):
    return lambda node: is_over(node._state)


@overload_attribute(NodeType, "is_max")
def _(node):
    return lambda node: to_move(node._state) == node._work.root


@overload_attribute(NodeType, "player")
def _(node):
    return lambda node: MAX if to_move(node._state) == node._work.root else MIN


@njit
def value_of(node):
    """The value of a node for the player to move, in points."""
    if is_over(node._state):
        return points(end_score(node._state, node._ply))
    work = node._work
    work.evaluated += 1
    evaluate = _kept_evaluate(node)
    return points(evaluate(node._state, work.weights))


@overload_attribute(NodeType, "value")
def _(node):
    return lambda node: value_of(node)


@overload_method(NodeType, "value_for")
def _(node, player):
    return lambda node, player: value_of(node) if player == node.player else -value_of(node)


@overload_attribute(NodeType, "key")
def _(node):
    return lambda node: int64(uint64(key(node._state)) & uint64((1 << 63) - 1))


@overload_attribute(NodeType, "board")
def _(node):
    board_class = board_class_of(node.state_class)
    if board_class is None:
        raise TypingError(NO_BOARD)
    make = around(board_class)
    return lambda node: make(node._state)
