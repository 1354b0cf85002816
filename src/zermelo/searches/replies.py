"""Compiled code for the moves of one alpha-beta player in many games at a time, and for the referee's step after them.

Two players whose code must not share a process take turns. A call or a message for each move would cost more than the
search at depth 4, so the positions of many games are sent together, as rows of words.
"""

import functools

import numpy as np
from numba import int32, int64, uint64

from zermelo.core import compiled, njit
from zermelo.core.packed import put_state, state_at
from zermelo.rules import is_over, legal_moves, margin, outcome, play, to_move
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.whole_games import DEPTH, ORDER_PLIES, ORDER_WEIGHTS, TOLERANCE, TOP_MOVES, WEIGHTS
from zermelo.searches.workspace import INFINITY, UNLIMITED, WIDEST, WORK_TYPE, heuristic_type

MOVE, SCORE, GENERATED, EVALUATED = range(4)
"""The columns of `replies`: what is known about each move."""

STATUS, OUTCOME, MARGIN = range(3)
"""The columns of `results`: what has become of each game."""

ENDED, ILLEGAL = 2, 3
"""Values of STATUS. The values 0 and 1 say whose turn it is."""


@njit
def reply_all(like, words, seat, evaluate, order, replies, work):
    """Choose a move in each of these positions, as play_out does, with the settings in `seat`."""
    work.stop = 0
    work.limit = UNLIMITED
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    work.weights = seat[WEIGHTS]
    work.order_weights = seat[ORDER_WEIGHTS]
    work.tolerance = int64(seat[TOLERANCE])
    work.order_plies = int64(seat[ORDER_PLIES])
    work.top_moves = int64(seat[TOP_MOVES])
    depth = int64(seat[DEPTH])
    for row in range(len(words)):
        work.generated = 0
        work.evaluated = 0
        score = alphabeta(state_at(like, words, row), depth, root, root, low, high, evaluate, order, work)
        replies[row, MOVE] = work.line[0]
        replies[row, SCORE] = score
        replies[row, GENERATED] = work.generated
        replies[row, EVALUATED] = work.evaluated


@njit
def play_all(like, words, rows, moves, results, room):
    """Play a move in each of these games, if it is legal, and write to `results` what has become of the game.

    The outcome and the margin are those of the first player.
    """
    for i in range(len(rows)):
        state = state_at(like, words, rows[i])
        end = int64(legal_moves(state, room, int64(0)))
        legal = False
        for k in range(end):
            legal = legal or room[k] == moves[i]
        if not legal:
            results[i, STATUS] = ILLEGAL
            continue
        state = play(state, moves[i])
        put_state(words, rows[i], state)
        if is_over(state):
            sign = 1 if to_move(state) == 0 else -1
            results[i, STATUS] = ENDED
            results[i, OUTCOME] = sign * int64(outcome(state))
            results[i, MARGIN] = sign * int64(margin(state))
        else:
            results[i, STATUS] = int64(to_move(state))


@functools.cache
def compiled_replies(cls):
    """Return reply_all compiled for a state class. It accepts any heuristics of that class."""
    heuristics = [heuristic_type(cls)] * 2
    return compiled(reply_all, cls.numba, uint64[:, ::1], uint64[::1], *heuristics, int64[:, ::1], WORK_TYPE)


@functools.cache
def compiled_plays(cls):
    """Return play_all compiled for a state class."""
    return compiled(play_all, cls.numba, uint64[:, ::1], int64[::1], int64[::1], int64[:, ::1], int32[::1])


def new_room():
    """Return room for the legal moves of a position."""
    return np.empty(WIDEST, np.int32)
