"""A game's own solver as compiled code, for players that are published as WebAssembly modules.

A game's module `solver` may have a function `published(state) -> CompiledSolver | None` for the board of a state.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.core import Heuristic


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
    Returns the number of positions searched, UNSOLVED if more than `limit` would have been needed, or NO_ANSWER if the
    position is not worth an attempt, whatever the limit."""

    find_move: Any = None
    """(state, limit, is_timed, work, table, book) -> (move, score, plies, nodes): what the engine asks before it
    searches, as solving.registry.solution_for_move does, with the score in units (core/numbers.py): points of the game,
    or WIN. The move is UNSOLVED if `limit` nodes were too few, and NO_ANSWER if more would not help: the position is
    not worth an attempt, or all moves lose and none is the best. With is_timed, somebody waits, and what earlier calls
    have found may be used; without, the answer depends on nothing but the position and the limit."""

    prepare: Any = None
    """(state, work, table, book) -> int: does a part of what must be done before the other functions can answer about
    this game, and takes long: 1 if there is more to do, 0 otherwise. They would do it themselves, but a host may let
    it be done while nobody waits."""

    tables: Any = None
    """(state, is_timed, work, table, book) -> uint64: the address of the game's own tables for a search that begins
    here, as search_tables in solving/registry.py; 0 if there are none. With is_timed, only those that are ready."""

    heuristic: Heuristic | None = None
    """A heuristic that the functions ask. Their record's field `weights` gets the address of its weights."""


UNSOLVED, NO_ANSWER = -1, -2
