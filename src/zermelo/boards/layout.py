"""Layouts: how the cells of a board lie in the 64-bit words of a state. Each game describes its own in its board.py."""

import functools
import itertools
import re
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from zermelo.boards.words import either
from zermelo.core import ZERO, njit
from zermelo.language import _

WORD = 64
"""The number of bits in a word. The cell at place p is bit p % 64 of word p // 64."""

EIGHT = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""The steps (rows, columns) to the neighbours of a cell of a square board, diagonals included."""


_FUNCTIONS = "grid", "rows", "columns", "cells", "mine", "theirs", "value", "place", "cell", "named_place", "shift"


class Layout:
    """How the cells of one class of states lie in its words.

    Its functions are given as plain Python functions, and are compiled when compiled code needs them:

        grid(state)                        what the board's size depends on: a tuple of uint64, empty if it is fixed
        rows(grid), columns(grid)          the size
        cells(grid)                        all cells, as a tuple of words
        mine(state), theirs(state)         the cells with men of the player to move and of the other, as tuples of words
        place(grid, row, column)           the place of a cell; rows count from the top of the printed board, from 0
        cell(grid, place)                  the row and the column of a place
        shift(grid, words, rows, columns)  the set moved down and to the right; what leaves the board is lost
        named_place(grid, x, y)            the place of a cell by its name: b3 is x = 1, y = 2; -1 if the board lacks it

    `largest` is the grid of the largest board. `is_fixed` says that a cell has the same place on boards of all sizes.
    And these have defaults:

        named_cells(text)                  the cells that a text names, as pairs (x, y); by default a1 is (0, 0)
        neighbours(grid, words)            the cells that a step of `steps` reaches from a cell of the set
        value(state, row, column)          what board[row, column] gives; by default 1, -1 or 0
        sets                               fields of the state that are sets of cells, each with its function
    """

    def __init__(
        self,
        *,
        grid: Any,
        rows: Any,
        columns: Any,
        cells: Any,
        mine: Any,
        theirs: Any,
        place: Any,
        cell: Any,
        shift: Any,
        named_place: Any,
        largest: tuple[Any, ...] = (),
        words: int = 1,
        is_fixed: bool = True,
        named_cells: Callable[[str], list[tuple[int, int]]] | None = None,
        steps: tuple[tuple[int, int], ...] = EIGHT,
        neighbours: Any = None,
        value: Any = None,
        sets: Mapping[str, Any] | None = None,
    ):
        self.board_class: Any = None  # the class of boards that has this layout, and its class of states
        self.state_class: Any = None
        self.words = words
        self.is_fixed = is_fixed
        self.has_cells = True
        self.steps = steps
        self.largest = tuple(map(np.uint64, largest))
        self.named_cells = named_cells or functools.partial(pairs_named, self)
        self.grid, self.rows, self.columns, self.cells = grid, rows, columns, cells
        self.mine, self.theirs, self.value, self.sets = mine, theirs, value, dict(sets or {})
        self.place, self.cell, self.named_place = place, cell, named_place
        self.shift, self.neighbours = shift, neighbours

    @classmethod
    def without_cells(cls) -> "Layout":
        """The layout of a game that has no rows and columns (see board.BoardWithoutCells)."""
        made = cls(
            grid=lambda state: (),
            rows=lambda grid: 0,
            columns=lambda grid: 0,
            cells=lambda grid: (ZERO,),
            mine=lambda state: (ZERO,),
            theirs=lambda state: (ZERO,),
            place=lambda grid, row, column: 0,
            cell=lambda grid, place: (0, 0),
            shift=lambda grid, words, rows, columns: words,
            named_place=lambda grid, x, y: -1,
        )
        made.has_cells = False
        return made

    def belong(self, board_class: Any, state_class: Any) -> None:
        """Become the layout of these boards: from now on compiled code can call the functions."""
        self.board_class, self.state_class = board_class, state_class
        for name in _FUNCTIONS:
            setattr(self, name, self._compiled(name, getattr(self, name)))
        self.sets = {name: self._compiled(name, function) for name, function in self.sets.items()}
        around = _eight_around if self.steps == EIGHT else _around
        self.neighbours = self._compiled("neighbours", self.neighbours or around(self.shift, self.steps))

    def _compiled(self, name: str, function: Any) -> Any:
        if function is None or not isinstance(function, FunctionType):
            return function
        if "<" in function.__qualname__:  # the cache of compiled code goes by names
            function.__name__ = function.__qualname__ = (
                f"{self.board_class.__name__}_{self.state_class.__name__}_{name}"
            )
        return njit(function)

    @property
    def numbers(self) -> int:
        """How many numbers the size of a board depends on."""
        return len(self.largest)

    def digested(self) -> Any:
        """All that compiled code is made from (see core/digest.py)."""
        return vars(self)


def plain(function: Any) -> Any:
    """The plain Python function that a compiled one was made from."""
    return getattr(function, "py_func", function)


def _eight_around(shift: Any, steps: Any) -> Any:
    def neighbours(grid, words):
        sides = either(shift(grid, words, 0, 1), shift(grid, words, 0, -1))
        across = either(sides, words)
        return either(sides, either(shift(grid, across, 1, 0), shift(grid, across, -1, 0)))

    return neighbours


def _around(shift: Any, steps: Any) -> Any:
    def neighbours(grid, words):
        reached = shift(grid, words, steps[0][0], steps[0][1])
        for rows, columns in steps[1:]:
            reached = either(reached, shift(grid, words, rows, columns))
        return reached

    return neighbours


def shift_in_one_word(
    cells: Any, most_rows: int, most_columns: int, down: int, right: int, first: int, spare: int = -1
) -> Any:
    """The function `shift` for boards in one word, where a step down and one to the right always cost so many bits.

    most_rows, most_columns: the size of the largest board; first: the place of its upper left cell; spare: how many
    rows a set can move up or down before a cell that leaves the board could come back to it in another column, or -1 if
    a step sideways could already come back to it in another row.
    """

    def arrivals(rows: int, columns: int) -> int:
        """The cells of the largest board that such a step reaches from another cell of it."""
        reached = 0
        for row in range(max(rows, 0), min(most_rows, most_rows + rows)):
            for column in range(max(columns, 0), min(most_columns, most_columns + columns)):
                reached |= 1 << first + row * down + column * right
        return reached

    table = np.array(
        [
            [arrivals(rows, columns) for columns in range(1 - most_columns, most_columns)]
            for rows in range(1 - most_rows, most_rows)
        ],
        np.uint64,
    )
    all_cells = njit(cells)

    def shift(grid, words, rows, columns):
        if abs(rows) >= most_rows or abs(columns) >= most_columns:
            return (ZERO,)
        step = rows * down + columns * right
        moved = words[0] << np.uint64(step) if step >= 0 else words[0] >> np.uint64(-step)
        if abs(rows) > spare:
            moved &= table[rows + most_rows - 1, columns + most_columns - 1]
        return (moved & all_cells(grid)[0],)

    return shift


def pairs_named(layout: Layout, text: str) -> list[tuple[int, int]]:
    """The cells that a text such as `a1 c1-c4` names, as pairs (column, row), counted from 0."""
    largest = frame_of(layout, layout.largest)
    pairs = []
    for word in text.replace(",", " ").split():
        ends = [_pair(largest, name, word) for name in word.split("-")]
        if len(ends) > 2:
            raise ValueError(_("{word!r} is not a cell such as b3, nor a range such as b3-b6").format(word=word))
        (x, y), (last_x, last_y) = ends[0], ends[-1]
        steps = max(abs(last_x - x), abs(last_y - y))
        if min(abs(last_x - x), abs(last_y - y)) not in (0, steps):
            raise ValueError(_("{word!r} is not a row, a column or a diagonal").format(word=word))
        across, along = (np.sign(last_x - x), np.sign(last_y - y))
        pairs += [(int(x + across * step), int(y + along * step)) for step in range(steps + 1)]
    return list(dict.fromkeys(pairs))


OPENING, CLOSING = "\x02", "\x03"
"""Brackets round parts of texts of cells. Nobody types them."""


def combined(text: str, sign: str, other: str) -> str:
    """The text for two texts of cells with an operator between them: one of `& | ^ -`."""
    if sign == "|" and OPENING not in text + other:
        return f"{text} {other}"
    return f"{OPENING}{text}{CLOSING}{sign}{OPENING}{other}{CLOSING}"


def complement(text: str) -> str:
    """The text for all cells that a text does not name."""
    return f"~{OPENING}{text}{CLOSING}"


def pairs_of(layout: Layout, text: str) -> list[tuple[int, int]]:
    """The cells that a text names, which may be one that `combined` or `complement` has made."""
    first, sign, second = parts_of(text)
    if not sign:
        return layout.named_cells(text)
    pairs = dict.fromkeys(pairs_of(layout, first))
    if sign == "~":
        largest = frame_of(layout, layout.largest)
        every = ((x, y) for y in range(largest.rows) for x in range(largest.columns))
        return [pair for pair in every if pair not in pairs]
    others = dict.fromkeys(pairs_of(layout, second))
    common, either = pairs.keys() & others.keys(), [*pairs, *(pair for pair in others if pair not in pairs)]
    match sign:
        case "&":
            return [pair for pair in pairs if pair in common]
        case "-":
            return [pair for pair in pairs if pair not in common]
        case "^":
            return [pair for pair in either if pair not in common]
        case _:
            return either


def parts_of(text: str) -> tuple[str, str, str]:
    """The two texts that were combined, with the operator between them; the operator is empty if there is only one."""
    if OPENING not in text:
        return text, "", ""
    if text.startswith("~"):
        return text[2:-1], "~", ""
    depth = itertools.accumulate((letter == OPENING) - (letter == CLOSING) for letter in text)
    end = next(place for place, number in enumerate(depth) if number == 0)
    return text[1:end], text[end + 1], text[end + 3 : -1]


def _pair(largest: "Frame", name: str, word: str) -> tuple[int, int]:
    found = re.fullmatch("([a-z])([1-9][0-9]?)", name.lower())
    if found is None:
        raise ValueError(_("{word!r} is not a cell such as b3, nor a range such as b3-b6").format(word=word))
    x, y = ord(found[1]) - ord("a"), int(found[2]) - 1
    if x >= largest.columns or y >= largest.rows:
        last = f"{chr(ord('a') + largest.columns - 1)}{largest.rows}"
        raise ValueError(_("there is no cell {name}: the cells are a1 to {last}").format(name=name, last=last))
    return x, y


class Frame:
    """A layout on a board of one size, as plain Python code sees it: its cells and their places."""

    def __init__(self, layout: Layout, grid: tuple[np.uint64, ...]):
        self.layout, self.grid = layout, grid
        self.rows, self.columns = int(plain(layout.rows)(grid)), int(plain(layout.columns)(grid))
        self.cells = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        self.places = {cell: int(plain(layout.place)(grid, *cell)) for cell in self.cells}
        self.cell_at = {place: cell for cell, place in self.places.items()}
        self.all = sum(1 << place for place in self.places.values())

    def mask_of(self, words: Any) -> int:
        """A tuple of words as one whole number."""
        return sum(int(word) << WORD * number for number, word in enumerate(words))

    def words_of(self, mask: int) -> tuple[np.uint64, ...]:
        """The words of such a number."""
        return tuple(np.uint64(mask >> WORD * number & (1 << WORD) - 1) for number in range(self.layout.words))

    def named(self, text: str) -> int:
        """The cells of this board that a text names, as one whole number."""
        pairs = pairs_of(self.layout, text)
        places = [int(plain(self.layout.named_place)(self.grid, x, y)) for x, y in pairs]
        mask = 0
        for place in places:
            mask |= 0 if place < 0 else 1 << place
        return mask


@functools.lru_cache(maxsize=256)
def frame_of(layout: Layout, grid: tuple[np.uint64, ...]) -> Frame:
    """The frame of a board of this size."""
    return Frame(layout, grid)
