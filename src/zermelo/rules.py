"""The questions that every game answers, as generic functions. This module knows no particular game.

A game is a state class with one implementation of each question. The player to move is 0 (the first) or 1.
"""

from typing import Any

import numpy as np
from numba import float64, int8, int32, int64, uint64

from zermelo.core import generic
from zermelo.core.numbers import MOST_PLIES, PLY, POINT, PROVEN, WIN
from zermelo.errors import GameError

__all__ = [
    "MOST_MOVES",
    "MOST_PLIES",
    "PLY",
    "POINT",
    "PROVEN",
    "RULES",
    "UNKNOWN",
    "WIN",
    "can_repeat",
    "end_score",
    "is_noisy",
    "is_over",
    "key",
    "known_moves",
    "known_score",
    "legal_moves",
    "margin",
    "move_guesses",
    "move_hint",
    "moves_of",
    "outcome",
    "play",
    "random_game",
    "reply_hint",
    "stage",
    "table_key",
    "to_move",
    "wins_at_once",
]

UNKNOWN = 1 << 40
"""More than every score: no table has the position."""

MOST_MOVES = 1024
"""The maximum number of legal moves in a position."""


@generic
def legal_moves(state, out: int32[::1], start: int64):
    """Write the codes of the legal moves to out[start:] and return the new end; nothing once the game is over."""


@generic
def play(state, move: int64):
    """The state after a legal move."""


@generic
def is_over(state):
    """Has the game ended?"""


@generic
def outcome(state):
    """The result of an ended game for the player to move: 1 won, 0 drawn, -1 lost."""


@generic
def margin(state):
    """The result of an ended game in the game's own points, for the player to move; the outcome if it has none."""


@generic
def to_move(state):
    """The player to move: 0 or 1. The same player may move several times in a row."""


@generic
def key(state):
    """64 bits that tell states apart. Equal states have equal keys, and different ones hardly ever do."""


@generic
def end_score(state, ply: int64):
    """What an ended game is worth to a search that stands ply moves from its root, for the player to move.

    By default a quick win is worth more than a slow one. A game that is all about points may say otherwise: it
    returns POINT for each point (see core/numbers.py).
    """


@generic
def move_hint(state, move: int64):
    """How promising a move looks at first sight: the engine tries greater ones first. By default all are equal."""


@generic
def move_guesses(state, moves: int32[::1], number: int64, out: float64[::1]):
    """Write to out[:number] guesses of what the legal moves in moves[:number] are worth to the player to move.

    They lie between -1 (lost) and 1 (won). Monte Carlo tree search begins with these values. By default all are 0.
    """


@generic
def known_moves(state, moves: int32[::1], number: int64, losing: int32[::1]):
    """What the game can prove about a position that is not over, without a search. By default, nothing.

    Return the maximum number of plies to the end if the player to move wins, the same negated if it loses, and 0 if
    that is open. Then losing[i], for i < number, is the maximum number of plies to the end if moves[i] is a move that
    loses, and 0 if that is open, too. If moves[i] need not be tried, because it wins only if another move that is open
    wins too, losing[i] is such a number negated. In Hex, virtual connections and dead cells are such proofs.
    """


@generic
def reply_hint(state):
    """How little the player to move can do here, so that the engine tries moves that lead here first. By default, 0.

    In Reversi it is the number of possible replies, negated: a player with few moves is soon forced to make bad ones.
    """


@generic
def random_game(state, last: int64, chance: uint64, moves: int32[::1], movers: int8[::1], end: int64):
    """Play a random game to its end in one go, if this game has a quick way to do so. By default it has none.

    The moves are written to moves[end:], and who made them to movers[end:]. Return the new end, the winner (0, 1, or 2
    for a draw) and the next state of the random generator (core.chance), of which `chance` is the state now; the end
    is -1 if there is no such way. `last` is the move that led here, or -1. In Hex, a move into a bridge is answered.
    """


@generic
def stage(state):
    """How far the game has come, from 0 to 15: ProbCut has its own statistics for each stage. By default, 0."""


@generic
def is_noisy(state, move: int64):
    """Should the engine play this move, such as a capture, before it judges the position? By default, no."""


@generic
def can_repeat(state):
    """Can a position of this game come back? Then the engine looks for repetitions. By default it cannot."""


@generic
def table_key(state):
    """As key, but positions that mirror each other, and so have the same value, may share it. By default, the key."""


@generic
def known_score(state, ply: int64, tables: uint64):
    """The exact score for the player to move, from the game's own tables, or UNKNOWN. By default, UNKNOWN.

    The search stands ply moves from its root, as in end_score. tables: the address that the game's solver gave for this
    search (see solving/registry.py).
    """


@generic
def wins_at_once(state):
    """Can a single move win this game at once? Then the engine looks for such a move first. By default it can."""


RULES = (legal_moves, play, is_over, outcome, margin, to_move, key, can_repeat)
"""The questions that Python asks about a position; compiled searches ask the others, too."""


@margin.of()
def _(state):
    return outcome(state)


@end_score.of()
def _(state, ply):
    return int64(outcome(state)) * (WIN - ply * PLY)


@move_hint.of()
def _(state, move):
    return 0


@move_guesses.of()
def _(state, moves, number, out):
    for i in range(number):
        out[i] = 0.0


@known_moves.of()
def _(state, moves, number, losing):
    for i in range(number):
        losing[i] = 0
    return 0


@reply_hint.of()
def _(state):
    return 0


@random_game.of()
def _(state, last, chance, moves, movers, end):
    return int64(-1), int64(2), chance


@stage.of()
def _(state):
    return 0


@is_noisy.of()
def _(state, move):
    return False


@table_key.of()
def _(state):
    return key(state)


@known_score.of()
def _(state, ply, tables):
    return UNKNOWN


@wins_at_once.of()
def _(state):
    return True


@can_repeat.of()
def _(state):
    return False


def moves_of(state: Any, room: int = MOST_MOVES) -> list[int]:
    """The codes of the legal moves, as a list, for callers outside compiled code. GameError if they are too many."""
    out = np.empty(room, np.int32)
    try:
        return [int(move) for move in out[: legal_moves(state, out, 0)]]
    except IndexError:
        if room > MOST_MOVES:
            raise
        number = len(moves_of(state, 64 * MOST_MOVES))  # fails again, unless there was too little room
        raise GameError(
            "a position has {number:,} legal moves; zermelo can hold at most {most:,}", number=number, most=MOST_MOVES
        ) from None
