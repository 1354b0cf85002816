"""Watching a search in compiled code (see nodes.py), and taking its answer."""

from typing import Any

from numba import float64, int64, types
from numba.extending import overload

from zermelo.core.numba_private import TypingError
from zermelo.searches.own.compiled_moves import MoveType
from zermelo.searches.own.compiled_nodes import NodeType
from zermelo.searches.own.nodes import enter, leave
from zermelo.searches.own.watching import enter_node, leave_node


@overload(enter)
def _(node, depth, alpha, beta):
    if not isinstance(node, NodeType):
        return lambda node, depth, alpha, beta: None

    def entered(node, depth, alpha, beta):
        enter_node(
            node._work, node._state, node._ply, node._serial, node._code, int64(depth), float64(alpha), float64(beta)
        )

    return entered


@overload(leave)
def _(node, result):
    if not isinstance(node, NodeType):
        return lambda node, result: result
    if isinstance(result, types.BaseTuple) and len(result) > 0:

        def left_with_move(node, result):
            leave_node(node._work, node._state, node._ply, node._code, float64(result[0]))
            return result

        return left_with_move
    if not isinstance(result, (types.Number, types.Boolean)):
        return lambda node, result: result

    def left(node, result):
        leave_node(node._work, node._state, node._ply, node._code, float64(result))
        return result

    return left


# ------------------------------------------------------------------------------------------ the answer


def keep_answer(work: Any, answer: Any) -> None:
    """Write what the search returned into the record: a value, or a value and a move."""


@overload(keep_answer)
def _(work, answer):
    if isinstance(answer, (types.Number, types.Boolean)):

        def keep_value(work, answer):
            work.value = float64(answer)

        return keep_value
    if isinstance(answer, types.BaseTuple) and len(answer) == 2:
        move = answer[1].type if isinstance(answer[1], types.Optional) else answer[1]
        if isinstance(move, types.NoneType):

            def keep_first(work, answer):
                work.value = float64(answer[0])

            return keep_first
        if isinstance(move, MoveType):

            def keep_both(work, answer):
                work.value = float64(answer[0])
                chosen = answer[1]
                if chosen is not None:
                    work.move = chosen.code

            return keep_both
    raise TypingError("it must return a value, or a value and a move")
