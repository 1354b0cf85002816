"""A game's own solver as compiled code, for players that are published as WebAssembly modules.

A game's module `solver` may have a function `published(state) -> CompiledSolver | None` for the board of a state.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class CompiledSolver:
    """A compiled function, and the memory that it works in."""

    score_moves: Any
    """(state, moves, number, scores, plies, limit, work, book) -> int: writes the exact score of each of these legal
    moves for the player to move, in the game's own points, and the plies to the end of the game (0 if unknown). Returns
    the number of positions searched, or -1 if more than `limit` would have been needed."""

    work: Any
    """The record that it works with, as it is at the beginning. Its field `table` gets the address of the table."""

    table_words: int
    book: np.ndarray[Any, Any]
    """Numbers of 64 bits that it only reads."""
