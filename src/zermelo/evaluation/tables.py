"""Tables: the value of a position is a sum of entries, which are learned. The heuristic `learned` is often a table.

A game that can be learned defines in its patterns.py which entries describe a position (`table_entries`). Mostly they
are the contents of some groups of cells (`CellTuples`, called "n-tuples" in the literature), read as a number. They
describe the position from the point of view of the player to move, so one table serves both players. While it learns, a
table has 32-bit floats; a table from a file has 16-bit integers.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import int32, int64

from zermelo.core import Heuristic, class_of, generic, njit
from zermelo.core.evaluators import Evaluator
from zermelo.core.scratch import scratch, short_numbers
from zermelo.evaluation.table_files import TableFile, read_table
from zermelo.language import Message, marked

MOST_ENTRIES = 512
"""The maximum number of entries that describe a position."""


@generic
def table_entries(state: Any, out: int32[::1]) -> int:
    """Write the numbers of the entries that describe this position to out, and return how many they are."""


@generic
def table_size(state: Any) -> int:
    """The number of entries of the table."""


@generic
def table_shape(state: Any) -> int:
    """A number for the size of the board. A table can only be used on boards of one number. By default, 0."""


@table_shape.of()
def _(state: Any) -> int:
    return 0


@generic
def table_phases(state: Any) -> int:
    """The number of phases of the game. By default, 1.

    The table has as many parts of the same size, one after the other. All entries of a position are of one part, and
    learning keeps what corresponds in neighbouring parts alike (see learn/table_fitting.py).
    """


@table_phases.of()
def _(state: Any) -> int:
    return 1


@generic
def table_limit(state: Any) -> int:
    """The greatest value of a position, in points: the greatest result that the game can have. By default 0: none.

    A sum of entries can be greater than any result. The value of the table is then the limit.
    """


@table_limit.of()
def _(state: Any) -> int:
    return 0


@generic
def table_twin(state: Any, entry: int64) -> int:
    """The entry with which this one shares its weight, such as that of the mirror image. By default, itself."""


@table_twin.of()
def _(state: Any, entry: int) -> int:
    return entry


def has_table(state: Any) -> bool:
    """Does this game define the entries that describe its positions?"""
    return class_of(state) in table_entries.implementations


# ------------------------------------------------------------------------------------------ groups of cells


class CellTuples:
    """Tuples of cells whose contents, read as a number, choose an entry. The tuples of one group share their entries.

    groups: each group is a list of tuples of cells (bit numbers) of the same length, such as the images of one tuple
    under the symmetries of the board.
    values: the number of different contents of a cell. Content 0 means that the cell is set on none of the boards.

    In the number of a tuple, the content of its i-th cell counts values^i. A board is read byte by byte: `steps` holds
    what each value of a byte adds to the numbers of all tuples, as one row that is added at once.
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

    def packed(self, words: int) -> np.ndarray[Any, Any]:
        """The steps as rows of this many 64-bit words, four of them in a row of the array, for `core/lanes.py`.

        A word holds four numbers of 16 bits. None of them overflows, so whole words can be added.
        """
        assert self.values ** max(len(cells) for cells in self.tuples) <= 1 << 16
        rows = np.zeros((*self.steps.shape[:2], 4 * words), np.uint16)
        rows[:, :, : len(self)] = self.steps
        return rows.view(np.uint64).reshape(-1, 4)

    def twins(self, turns: Sequence[Sequence[tuple[int, ...]]]) -> np.ndarray[Any, Any]:
        """For every entry, the least of the entries that turn into each other where a tuple turns into itself.

        turns: for each group, what becomes of its first tuple under each symmetry of the board.
        """
        found = []
        for first, images in zip(np.unique(self.firsts), turns, strict=True):
            cells = self.tuples[int(np.searchsorted(self.firsts, first))]
            size = self.values ** len(cells)
            contents = np.arange(size)[:, None] // self.values ** np.arange(len(cells)) % self.values
            own = [image for image in images if set(image) == set(cells)]
            turned = [contents @ np.array([self.values ** cells.index(cell) for cell in image]) for image in own]
            found.append(int(first) + np.min(turned, axis=0))
        return np.concatenate(found).astype(np.int32)


def _steps(tuples: Sequence[tuple[int, ...]], values: int) -> np.ndarray[Any, Any]:
    """An array indexed by byte of the board, value of the byte and tuple: what it adds to the number of the tuple."""
    worth = np.zeros((64, len(tuples)), np.int64)
    for number, cells in enumerate(tuples):
        for place, cell in enumerate(cells):
            worth[cell, number] += values**place
    length = 8 * (max(max(cells) for cells in tuples) // 8 + 1)
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    steps = np.stack([bits @ worth[first : first + 8] for first in range(0, length, 8)])
    # Twice as many short numbers fit into a vector register, and they take half the memory.
    return steps.astype(np.uint16 if steps.max() < 1 << 16 else np.int32)


@njit
def add_board(steps: Any, board: Any, content: Any, out: Any) -> None:
    """Add to out what the cells set on this board, which all have this content, add to the number of each tuple."""
    for place in range(len(steps)):
        value = board >> np.uint64(8 * place) & np.uint64(0xFF)
        if value:
            row = steps[place, value]
            for i in range(len(row)):
                out[i] += np.int32(content) * np.int32(row[i])


# ------------------------------------------------------------------------------------------ as a heuristic


@njit
def entry_sum(state: Any, w: Any) -> np.float32:
    """The sum of the entries of w that describe the position."""
    entries = scratch(MOST_ENTRIES, np.int32)
    total = np.float32(0)
    for i in range(table_entries(state, entries)):
        total += w[np.uint64(entries[i])]  # unsigned, so that no check for negative indices is compiled
    return total


@njit
def within_limit(state: Any, value: Any) -> np.float32:
    """The value, if it is not beyond `table_limit`, and otherwise the limit."""
    limit = np.float32(table_limit(state))
    if limit == 0:
        return value
    return min(max(value, -limit), limit)


def table_value(state: Any, w: Any) -> np.float32:
    """The value that a table gives to the position, for the player to move."""
    return within_limit(state, entry_sum(state, w))


def packed_value(state: Any, w: Any) -> np.float32:
    """The value that a table of 16-bit integers gives to the position; see `packed_numbers`.

    It is a third faster than with 32-bit floats: more entries fit into the cache, and integers are added in any order.
    """
    entries = scratch(MOST_ENTRIES, np.int32)
    table = short_numbers(w)
    total = np.int32(0)
    for i in range(table_entries(state, entries)):
        total += np.int32(table[np.uint64(entries[i] + 2)])
    return within_limit(state, np.float32(total) * w[0])


def packed_numbers(table: TableFile) -> np.ndarray[Any, Any]:
    """The numbers of a table for `packed_value`: the scale, then the entries, two in the place of each float32."""
    numbers = np.zeros(2 + len(table.weights) + len(table.weights) % 2, np.int16)
    numbers[2 : 2 + len(table.weights)] = np.round(table.weights / np.float32(table.scale))
    packed = numbers.view(np.float32)
    packed[0] = table.scale
    return packed


class Table(Evaluator):
    """Evaluates by a table, which is given or is read from a file when it is first needed."""

    def __init__(self, classes: tuple[type, ...], source: "np.ndarray[Any, Any] | Path"):
        self.classes, self.source = classes, source

    @functools.cached_property
    def file(self) -> TableFile | None:
        """The contents of the file, if the table comes from one."""
        return read_table(self.source) if isinstance(self.source, Path) else None

    @property
    def identity(self) -> Any:
        return self.source

    @property
    def numbers(self) -> np.ndarray[Any, Any]:
        return packed_numbers(read_table(self.source)) if isinstance(self.source, Path) else self.source

    def function_of(self, label: str) -> Any:
        return packed_value if isinstance(self.source, Path) else table_value

    def code_of(self, function: Any) -> dict[type, Any]:
        return _compiled(self.classes, function)

    def check(self, state: Any, label: str) -> None:
        """Refuse boards other than the one the table was learned on."""
        if self.file is not None:
            self.file.check(int(table_size(state)), int(table_shape(state)), label)

    def refusal(self, label: str, weight: str, known: str) -> Message:
        return Message("{label} is a table and has no weight called {weights!r}", label=label, weights=weight)


def table_heuristic(
    classes: tuple[type, ...], source: "np.ndarray[Any, Any] | Path", name: str, module: str = __name__
) -> Heuristic:
    """A table as a heuristic for states of these classes."""
    return Heuristic(Table(classes, source), name, classes, doc=marked("A table learned from games."), module=module)


@functools.cache
def _compiled(classes: tuple[type, ...], function: Any) -> dict[type, Any]:
    """The compiled code that all tables of these classes share, since only their numbers differ."""
    return {}
