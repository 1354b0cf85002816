"""A game's own solver as compiled code, for players that are published as WebAssembly modules.

A game's module `solver` may have a function `published(state) -> CompiledSolver | None` for the board of a state.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np


def _no_book() -> "np.ndarray[Any, Any]":
    return np.zeros(0, np.uint64)


@dataclass(frozen=True)
class CompiledSolver:
    """Compiled functions, and the memory that they work in. A solver may leave out one of the functions."""

    work: Any
    """The record that they work with, as it is at the beginning. A field `table` gets the address of the table."""

    table: "np.ndarray[Any, Any]"
    """The table, which is empty (all zero) at the beginning."""

    book: "np.ndarray[Any, Any]" = field(default_factory=_no_book)
    """Numbers of 64 bits that they only read."""

    score_moves: Any = None
    """(state, moves, number, scores, plies, limit, work, table, book) -> int: writes the exact score of each of these
    legal moves for the player to move, in the game's own points, and the plies to the end of the game (0 if unknown).
    Returns the number of positions searched, or -1 if more than `limit` would have been needed."""

    find_move: Any = None
    """(state, limit, is_timed, work, table, book) -> (move, points, plies, nodes): what the engine asks before it
    searches, as solving.registry.solution_for_move does. The move is UNSOLVED if `limit` nodes were too few, and
    NO_ANSWER if more would not help: the position is not worth an attempt, or all moves lose and none is the best. With
    is_timed, somebody waits, and what earlier calls have found may be used; without, the answer depends on nothing but
    the position and the limit."""

    in_points: bool = True
    """Are the scores points of the game, or just win, draw and loss?"""


UNSOLVED, NO_ANSWER = -1, -2
