"""What happens when a user's search arrives at a node and leaves it: the root's values and the tree are written down.

The lab adds these two calls to the search's functions (see instrument.py). They run in plain Python and in compiled
code alike; `work` is the record of record.py.
"""

from typing import Any

import numpy as np
from numba import float64, int64

from zermelo.core import njit
from zermelo.core.numbers import POINT
from zermelo.core.scratch import scratch
from zermelo.language import marked
from zermelo.rules import is_over, legal_moves, to_move
from zermelo.searches.own.record import NO_MOVE
from zermelo.searches.recording import COLUMNS, CUT, FATE, LEFT, MOST_NODES, MOVE, OPEN, PARENT, VALUE, write_row
from zermelo.searches.workspace import INFINITY, WIDEST

MOST_UNITS = float(INFINITY)


class OutOfBudget(Exception):
    """The search has used up its nodes or its time."""


class TooDeep(Exception):
    """The search follows a line without end."""


NO_BOARD = marked("this game has no board")
MOST_REPEATS = 1000
STANDS_STILL = marked("the search has called itself a thousand times with the same node: it must go on to its children")
NOT_A_MOVE = marked("node.play() takes one of node.moves()")
TOO_DEEP = marked("the search has followed a line of 64 moves: does it pass depth - 1 on, and stop at depth 0?")


@njit
def count_child(work: Any) -> None:
    """Count a child, or end the search if the budget does not allow it."""
    if work.generated + work.evaluated + 2 > work.limit:
        work.stop = 1
    if work.stop != 0:
        raise OutOfBudget
    work.generated += 1


@njit
def units(points: Any) -> Any:
    """A number of points in the units of searches; infinite ones are cut off."""
    return int64(round(min(max(points * POINT, -MOST_UNITS), MOST_UNITS)))


@njit
def enter_node(work: Any, state: Any, ply: Any, serial: Any, move: Any, depth: Any, alpha: Any, beta: Any) -> None:
    """The search arrives at a node; alpha and beta are as the search's function has them."""
    again = work.serial[ply] == serial
    work.serial[ply] = serial
    work.repeats = work.repeats + 1 if again else 0
    if work.repeats > MOST_REPEATS:
        raise TooDeep(STANDS_STILL)
    if ply == 0:  # the root once more, as iterative deepening does: only the last search counts
        work.tried = 0
        work.nodes = 0
    if work.traced == 0:
        return
    if ply > 0 and again and _fate(work, ply) == OPEN:
        return  # another function has gone on with the same node
    low, high = units(alpha), units(beta)
    if work.max_view != 0 and to_move(state) != work.root:
        low, high = -high, -low
    parent = work.node[ply - 1] if ply > 0 else -1
    work.node[ply] = write_row(work, parent, move, to_move(state), depth, low, high, OPEN)


@njit
def leave_node(work: Any, state: Any, ply: Any, move: Any, value: Any) -> None:
    """The search leaves a node with a value, as the search's function returns it."""
    turned = to_move(state) != work.root
    for_max = -value if turned and work.max_view == 0 else value
    if ply == 1:
        _keep_root_value(work, move, for_max)
    elif ply == 0:
        _finish(work, value)
    if work.traced == 0:
        return
    row = work.node[ply]
    if row < MOST_NODES:
        was_open = work.tree[row * COLUMNS + FATE] == OPEN
        work.tree[row * COLUMNS + VALUE] = units(-for_max if turned else for_max)
        work.tree[row * COLUMNS + FATE] = LEFT
        if was_open and not is_over(state):
            _write_untried(work, state, row)


@njit
def _fate(work: Any, ply: Any) -> Any:
    row = work.node[ply]
    return work.tree[row * COLUMNS + FATE] if row < MOST_NODES else OPEN


@njit
def _keep_root_value(work: Any, move: Any, value: Any) -> None:
    """Keep the value of a move of the root; one that is searched again has its last value."""
    for i in range(work.tried):
        if work.root_moves[i] == move:
            work.root_values[i] = value
            return
    if work.tried < WIDEST:
        work.root_moves[work.tried] = move
        work.root_values[work.tried] = value
        work.tried += 1


@njit
def _finish(work: Any, value: Any) -> None:
    """The root has been searched: keep its best move, the first of equals."""
    best = -1
    for i in range(work.tried):
        if best < 0 or work.root_values[i] > work.root_values[best]:
            best = i
    if best >= 0 or work.finished == 0:
        work.best_move = int64(work.root_moves[best]) if best >= 0 else int64(NO_MOVE)
        work.best_value = value
    work.finished += 1


@njit
def _write_untried(work: Any, state: Any, row: Any) -> None:
    """Record the moves that the search did not try, if it tried any."""
    moves, is_tried = scratch(WIDEST, np.int32), scratch(WIDEST, np.uint8)
    number = int64(legal_moves(state, moves, 0))
    is_tried[:number] = 0
    tried = 0
    for i in range(row + 1, min(work.nodes, MOST_NODES)):
        if work.tree[i * COLUMNS + PARENT] == row:
            tried += 1
            for j in range(number):
                if moves[j] == work.tree[i * COLUMNS + MOVE]:
                    is_tried[j] = 1
    if tried > 0:
        for j in range(number):
            if is_tried[j] == 0:
                write_row(work, row, moves[j], -1, -1, 0, 0, CUT)


@njit
def points(number: Any) -> Any:
    """A number of units in points, with its fraction."""
    return float64(number) / POINT
