"""Tables: the value of a position as a sum of entries, which learning fills in. The heuristic `learned` is one.

A game that can be learned says in its patterns.py which entries describe a position (`table_entries`): mostly the
contents of some groups of cells (`CellTuples`, "n-tuples"), read as a number. The entries are seen by the player to
move, so one table serves both. A sum of a hundred entries takes less than half a microsecond.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import int32

from zermelo.core import Heuristic, class_of, generic, njit
from zermelo.core.evaluators import Evaluator
from zermelo.core.scratch import scratch
from zermelo.evaluation.table_files import TableFile, read_table
from zermelo.language import gettext, marked

MOST_ENTRIES = 512
"""No position is described by more."""


@generic
def table_entries(state, out: int32[::1]):
    """Write the numbers of the table's entries that describe this position to out; return how many."""


@generic
def table_size(state):
    """How many entries the table has."""


@generic
def table_shape(state):
    """A number for the board's size: a table knows the boards of one number only. By default 0, as all are alike."""


@table_shape.of()
def _(state):
    return 0


def has_table(state: Any) -> bool:
    """Does this game say how its positions are described by entries of a table?"""
    return class_of(state) in table_entries.implementations


# ------------------------------------------------------------------------------------------ groups of cells


class CellTuples:
    """Groups of cells whose contents, read as a number, choose an entry. Those of one group share their entries.

    groups: lists of cells (bit numbers), such as the images of one under the board's symmetries, all of one length.
    values: how many contents a cell can have, 0 among them: what stands on none of the boards that are read.

    In the number of a tuple the content of its i-th cell counts values^i. A board is read byte by byte: `steps` holds
    what each byte's value adds to the number of each tuple, one row to add for all tuples at once.
    """

    def __init__(self, groups: Sequence[Sequence[Sequence[int]]], values: int):
        tuples = [tuple(cells) for group in groups for cells in group]
        sizes = [values ** len(group[0]) for group in groups]
        firsts = np.cumsum([0, *sizes])
        self.values = values
        self.tuples = tuples
        self.firsts = np.array([firsts[g] for g, group in enumerate(groups) for _ in group], np.int32)
        self.size = int(firsts[-1])
        self.steps = _steps(tuples, values)

    def __len__(self) -> int:
        return len(self.tuples)


def _steps(tuples: Sequence[tuple[int, ...]], values: int) -> np.ndarray[Any, Any]:
    """Byte of a board, its value, tuple -> what it adds to the tuple's number."""
    worth = np.zeros((64, len(tuples)), np.int64)
    for number, cells in enumerate(tuples):
        for place, cell in enumerate(cells):
            worth[cell, number] += values**place
    length = 8 * (max(max(cells) for cells in tuples) // 8 + 1)
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    steps = np.stack([bits @ worth[first : first + 8] for first in range(0, length, 8)])
    # Short numbers: twice as many in a vector, and half the memory.
    return steps.astype(np.uint16 if steps.max() < 1 << 16 else np.int32)


@njit
def add_board(steps, board, content, out):
    """Add to out what the cells of this board, all of one content, mean to each tuple."""
    for place in range(len(steps)):
        value = board >> np.uint64(8 * place) & np.uint64(0xFF)
        if value:
            row = steps[place, value]
            for i in range(len(row)):
                out[i] += np.int32(content) * np.int32(row[i])


# ------------------------------------------------------------------------------------------ as a heuristic


@njit
def entry_sum(state, w):
    """The sum of the entries of w that describe the position."""
    entries = scratch(MOST_ENTRIES, np.int32)
    total = np.float32(0)
    for i in range(table_entries(state, entries)):
        total += w[np.uint64(entries[i])]  # unsigned: no look whether it counts from behind
    return total


def table_value(state, w):
    """A table's value of the position, for the player to move."""
    return entry_sum(state, w)


class Table(Evaluator):
    """A table, given as it is or read from a file when it is first asked."""

    def __init__(self, classes: tuple[type, ...], source: "np.ndarray[Any, Any] | Path"):
        self.classes, self.source = classes, source

    @functools.cached_property
    def file(self) -> TableFile | None:
        """What the file says, if it comes from one."""
        return read_table(self.source) if isinstance(self.source, Path) else None

    @property
    def identity(self) -> Any:
        return self.source

    @property
    def numbers(self) -> np.ndarray[Any, Any]:
        return read_table(self.source).weights if isinstance(self.source, Path) else self.source

    def function_of(self, label: str) -> Any:
        return table_value

    def code_of(self, function: Any) -> dict[type, Any]:
        return _compiled(self.classes)

    def check(self, state: Any, label: str) -> None:
        """Refuse to judge positions of another board than the table was learned on."""
        if self.file is not None:
            self.file.check(int(table_size(state)), int(table_shape(state)), label)

    def refusal(self, label: str, weight: str, known: str) -> str:
        return gettext("{label} is a table: it has no weight {weights!r}").format(label=label, weights=weight)


def table_heuristic(
    classes: tuple[type, ...], source: "np.ndarray[Any, Any] | Path", name: str, module: str = __name__
) -> Heuristic:
    """A table as a heuristic for states of these classes."""
    return Heuristic(Table(classes, source), name, classes, doc=marked("A table learned from games."), module=module)


@functools.cache
def _compiled(classes: tuple[type, ...]) -> dict[type, Any]:
    """The compiled code of all tables of these classes: only their numbers differ."""
    return {}
