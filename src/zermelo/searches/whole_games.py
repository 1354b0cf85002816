"""Whole games between two alpha-beta players, played in a single call of compiled code.

At depth 4, a move of Connect 4 takes 30 microseconds to find and 80 to hand to Python, which holds the GIL all that
time. With one call per move, tournaments of heuristics would therefore gain little from a second thread.
"""

import functools

import numpy as np
from numba import int32, int64, types, uint64
from numba.extending import intrinsic

from zermelo.core import JIT, compiled, njit
from zermelo.core.numba_private import function_from
from zermelo.rules import is_over, margin, outcome, play, to_move
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.workspace import INFINITY, UNLIMITED, WORK_TYPE

WEIGHTS, ORDER_WEIGHTS, TOLERANCE, ORDER_PLIES, TOP_MOVES, DEPTH = range(6)
"""The columns of `seats`: how each of the two players searches."""

SEAT, MOVE, SCORE, GENERATED, EVALUATED = range(5)
"""The columns of `log`: what is known about each move."""

OVER, OUTCOME, MARGIN = range(3)
"""The indices of `ending`."""

STOPPED = -1


@njit
def play_out(state, seats, evaluate_first, order_first, evaluate_second, order_second, log, ending, work):
    """Play until the game is over or the log is full. Return the number of plies, or STOPPED once work.stop is set.

    If the game is over, its outcome and margin for the first player are written to `ending`.
    """
    work.stop = 0
    work.limit = UNLIMITED
    # These are typed because Numba would compile another version of alphabeta for literals.
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    ply = 0
    while ply < len(log) and not is_over(state):
        seat = int64(to_move(state))
        work.weights = seats[seat, WEIGHTS]
        work.order_weights = seats[seat, ORDER_WEIGHTS]
        work.tolerance = int64(seats[seat, TOLERANCE])
        work.order_plies = int64(seats[seat, ORDER_PLIES])
        work.top_moves = int64(seats[seat, TOP_MOVES])
        depth = int64(seats[seat, DEPTH])
        work.generated = 0
        work.evaluated = 0
        if seat == 0:
            score = alphabeta(state, depth, root, root, low, high, evaluate_first, order_first, work)
        else:
            score = alphabeta(state, depth, root, root, low, high, evaluate_second, order_second, work)
        if work.stop != 0:
            return STOPPED
        move = work.line[0]
        log[ply, SEAT] = seat
        log[ply, MOVE] = move
        log[ply, SCORE] = score
        log[ply, GENERATED] = work.generated
        log[ply, EVALUATED] = work.evaluated
        state = play(state, move)
        ply += 1
    ending[OVER] = is_over(state)
    if ending[OVER]:
        sign = 1 if to_move(state) == 0 else -1
        ending[OUTCOME] = sign * int64(outcome(state))
        ending[MARGIN] = sign * int64(margin(state))
    return ply


@intrinsic
def heuristic_at(typing_context, state, address, own_address):
    """A heuristic for states like this one, from its addresses."""
    kind = types.FunctionType(int32(state, uint64))

    def generate(context, builder, signature, arguments):
        return function_from(context, builder, kind, *arguments[1:])

    return kind(state, address, own_address), generate


@njit
def play_out_at(state, seats, functions, log, ending, work):
    """The same, with the addresses of the heuristics as numbers: a row for each player, two numbers for each heuristic.

    To hand over four functions took Python 25 microseconds a game, in which no other thread could begin one.
    """
    return play_out(
        state,
        seats,
        heuristic_at(state, functions[0, 0], functions[0, 1]),
        heuristic_at(state, functions[0, 2], functions[0, 3]),
        heuristic_at(state, functions[1, 0], functions[1, 1]),
        heuristic_at(state, functions[1, 2], functions[1, 3]),
        log,
        ending,
        work,
    )


@functools.cache
def compiled_play_out(cls):
    """Return play_out_at compiled for a state class. It accepts any heuristics of that class.

    Without the compiler, it takes the heuristics themselves in place of their addresses.
    """
    if not JIT:
        return lambda state, seats, functions, *room: play_out(state, seats, *functions, *room)
    return compiled(play_out_at, cls.numba, uint64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1], WORK_TYPE)


def new_log(plies):
    """Return room for the moves of a game and for its ending."""
    return np.empty((plies, 5), np.int64), np.empty(3, np.int64)
