"""Recording the tree of a search, node by node, in the order of the visits.

A search calls `visit` before it follows a move, `enter` when it arrives at a position, `leave` with the value of the
position, and `skip` for moves that it will not try. With an ordinary workspace these calls are compiled to nothing;
with a traced one they write the tree down. So the recorded tree is that of the real search.
"""

from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from zermelo.core import njit
from zermelo.core.numba_private import chosen_by_types
from zermelo.rules import to_move
from zermelo.searches.workspace import PLIES, WORK

MOST_NODES = 1 << 16

# What became of a node.
OPEN, LEFT, CUT, TOLERATED, DROPPED = range(5)

# The columns of the record.
PARENT, MOVE, MOVER, DEPTH, ALPHA, BETA, VALUE, FATE = range(8)
COLUMNS = 8

# Its own fields come first: a record that merely extends WORK would be accepted as WORK, and code for WORK used on it.
TRACED_WORK = np.dtype(
    [
        ("nodes", np.int64),  # number of nodes, including those for which there was no room
        ("pending", np.int64),  # the move about to be visited
        ("node", np.int64, PLIES + 1),  # the node at each ply of the line being searched
        *((name, WORK[name]) for name in WORK.names or ()),
        ("tree", np.int64, MOST_NODES * COLUMNS),
    ],
    align=True,
)
TRACED_WORK_TYPE = numba.from_dtype(TRACED_WORK)


def visit(work, move):
    """Announce that the next position entered is the one after this move."""
    if "tree" in work.dtype.names:
        _visit(work, move)


def enter(work, ply, state, depth, alpha, beta):
    """Record that a position, `ply` moves from the root, is searched to this depth with this window."""
    if "tree" in work.dtype.names:
        _enter(work, ply, state, depth, alpha, beta)


def leave(work, ply, value):
    """Record the value of the position at this ply. Return the value, so that a search can end with this call."""
    if "tree" in work.dtype.names:
        _leave(work, ply, value)
    return value


def skip(work, ply, start, end, fate):
    """Record that the moves in work.moves[start:end] are not tried, and why (`fate`)."""
    if "tree" in work.dtype.names:
        _skip(work, ply, start, end, fate)


@njit
def _visit(work, move):
    work.pending = move


@njit
def write_row(work, parent, move, mover, depth, alpha, beta, fate):
    node = work.nodes
    if node < MOST_NODES:
        at = node * COLUMNS
        work.tree[at + PARENT] = parent
        work.tree[at + MOVE] = move
        work.tree[at + MOVER] = mover
        work.tree[at + DEPTH] = depth
        work.tree[at + ALPHA] = alpha
        work.tree[at + BETA] = beta
        work.tree[at + FATE] = fate
    work.nodes = node + 1
    return node


@njit
def _enter(work, ply, state, depth, alpha, beta):
    mover = to_move(state)
    if ply == 0:
        work.node[0] = write_row(work, -1, -1, mover, depth, alpha, beta, OPEN)
    else:
        work.node[ply] = write_row(work, work.node[ply - 1], work.pending, mover, depth, alpha, beta, OPEN)


@njit
def _leave(work, ply, value):
    node = work.node[ply]
    if node < MOST_NODES:
        work.tree[node * COLUMNS + VALUE] = value
        if work.stop == 0:
            work.tree[node * COLUMNS + FATE] = LEFT
    return value


@njit
def _skip(work, ply, start, end, fate):
    for i in range(start, end):
        write_row(work, work.node[ply], work.moves[i], -1, -1, 0, 0, fate)


def _is_traced(work: types.Record) -> bool:
    return "tree" in work.fields


def _nothing(context, builder, signature, arguments):
    return context.get_dummy_value()


@intrinsic
def _no_visit(typing_context, work, move):
    return types.void(work, move), _nothing


@intrinsic
def _no_enter(typing_context, work, ply, state, depth, alpha, beta):
    return types.void(work, ply, state, depth, alpha, beta), _nothing


@intrinsic
def _no_leave(typing_context, work, ply, value):
    return value(work, ply, value), lambda context, builder, signature, arguments: arguments[2]


@intrinsic
def _no_skip(typing_context, work, ply, start, end, fate):
    return types.void(work, ply, start, end, fate), _nothing


chosen_by_types(visit)(lambda work, move: _visit if _is_traced(work) else _no_visit)
chosen_by_types(enter)(lambda work, ply, state, depth, alpha, beta: _enter if _is_traced(work) else _no_enter)
chosen_by_types(leave)(lambda work, ply, value: _leave if _is_traced(work) else _no_leave)
chosen_by_types(skip)(lambda work, ply, start, end, fate: _skip if _is_traced(work) else _no_skip)


@dataclass
class Node:
    """A position in the tree of a search, or a move that was not tried."""

    number: int
    move: int | None  # the move that led here; None at the root
    mover: int  # the player to move here, 0 or 1; -1 if the position was not visited
    depth: int  # number of plies still to look ahead
    window: tuple[int, int]  # alpha and beta on arrival, for the mover, in units (core/numbers.py)
    value: int | None  # for the mover, in units; None if the position was not finished or not visited
    fate: int
    children: list["Node"] = field(default_factory=list)

    @property
    def is_visited(self) -> bool:
        return self.fate in (OPEN, LEFT)

    @property
    def cutoffs(self) -> int:
        """The number of positions in this tree that were left before all of their moves were tried."""
        left, waiting = 0, [self]
        while waiting:
            node = waiting.pop()
            left += not all(child.is_visited for child in node.children)
            waiting += node.children
        return left


def read_tree(work: Any) -> tuple[Node, bool]:
    """Return the root of the recorded tree, and whether the whole tree fitted into the record."""
    written = min(int(work.nodes), MOST_NODES)
    rows = np.array(work.tree).reshape(-1, COLUMNS)[:written].tolist()
    nodes: list[Node] = []
    for number, (parent, move, mover, depth, alpha, beta, value, fate) in enumerate(rows):
        known = value if fate == LEFT else None
        nodes.append(Node(number, None if parent < 0 else move, mover, depth, (alpha, beta), known, fate))
        if parent >= 0:
            nodes[parent].children.append(nodes[-1])
    return nodes[0], int(work.nodes) <= MOST_NODES
