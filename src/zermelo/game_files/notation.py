"""Moves and positions as text, for games whose board is a grid.

A cell is a column's letter and a row's number, and row 1 is the top row: `c2`. A move is a cell, two cells (`c2-c3`) or
a number. A position is its rows from the top, whose turn it is, and the fields: `xx./.../.oo first jumping=2`.
"""

import re
import string
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from zermelo.core.grids import Layout, grid_of, numbers_of, state_of_numbers
from zermelo.errors import GameError, PositionError
from zermelo.game_files.class_rules import ClassRules
from zermelo.game_files.shells import PASS, codes_of
from zermelo.language import _
from zermelo.rules import to_move

SIDES = ("first", "second")
PASSING = "pass"
FORMS = ("cell", "from-to", "number")


def column_text(column: int) -> str:
    """a to z, then aa, ab and so on, as spreadsheets have it."""
    letters = string.ascii_lowercase
    return letters[column] if column < 26 else letters[column // 26 - 1] + letters[column % 26]


class Notation(ABC):
    """How a game in one file writes its moves and its boards."""

    layout: Layout
    form: str
    """What a move is: a `number`, a `cell`, or `from-to`, which is two cells."""
    own_text: Callable[[Any, int], str] | None = None
    """How the author writes a move of a state, if not as the board suggests."""

    @abstractmethod
    def numbers(self, state: Any) -> list[int]:
        """The cells, row by row from the top. Men of the first player are above zero, those of the second below."""

    @abstractmethod
    def symbol(self, number: int) -> str:
        """The character for the number of a cell."""

    @property
    def is_from_to(self) -> bool:
        """Does a move lead from one cell to another?"""
        return self.form == "from-to"

    def cell_text(self, place: int) -> str:
        """The name of a cell."""
        return f"{column_text(place % self.layout.columns)}{place // self.layout.columns + 1}"

    def places(self, move: int) -> tuple[int, ...]:
        """The cells of a move, if it has any: where it leads, or where it comes from and where it leads."""
        cells = self.layout.cells
        if self.is_from_to and 0 <= move < cells * cells:
            return divmod(move, cells)
        return (move,) if self.form == "cell" and 0 <= move < cells else ()

    def move_text(self, state: Any, move: int) -> str:
        """A move as players write it."""
        if move == PASS:
            return PASSING
        if self.own_text is not None:
            return self.own_text(state, move)
        return "-".join(map(self.cell_text, self.places(move))) or str(move)

    def normal_move_text(self, text: str) -> str:
        """A move as typed, in the spelling of move_text."""
        text = text.strip()
        if self.own_text is not None:
            return text
        found = re.fullmatch(r"([a-z]+[0-9]+)[\s-]*([a-z]+[0-9]+)", text.lower())
        return f"{found[1]}-{found[2]}" if found and self.is_from_to else text.lower()

    def why_not(self, text: str) -> str | None:
        """Why a text is not a legal move; None if it is not a move of the game at all."""
        if self.own_text is not None:
            return _("not one of the legal moves") if text else None
        if self.form == "number":
            return _("not one of the legal moves") if re.fullmatch("[0-9]{1,10}", text) else None
        cell = "[a-z]{1,2}[0-9]{1,4}"
        if not re.fullmatch(f"{cell}-{cell}" if self.is_from_to else cell, text):
            return None
        names = {self.cell_text(place) for place in range(self.layout.cells)}
        if not set(text.split("-")) <= names:
            return _("the cells are a1 to {last}").format(last=self.cell_text(self.layout.cells - 1))
        return _("not one of the legal moves")

    def rows_of(self, state: Any) -> list[str]:
        """The rows from the top, a character for each cell."""
        wide, cells = self.layout.columns, "".join(map(self.symbol, self.numbers(state)))
        return [cells[start : start + wide] for start in range(0, len(cells), wide or 1)]

    def text_board(self, state: Any) -> str:
        """The rows from the top, with their numbers and the columns' letters."""
        wide = len(str(self.layout.rows))
        names = [column_text(column) for column in range(self.layout.columns)]
        each = max(map(len, names), default=0)
        head = " " * wide + "".join(f" {name:>{each}}" for name in names)
        rows = [
            f"{number:>{wide}}" + "".join(f" {cell:>{each}}" for cell in row)
            for number, row in enumerate(self.rows_of(state), 1)
        ]
        return "\n".join([head, *rows, *self.more_lines(state)]).strip("\n")

    def more_lines(self, state: Any) -> list[str]:
        """What else a person must know of a position: a line each."""
        return []


class ClassNotation(Notation):
    """The notation of a class of rules."""

    def __init__(self, rules: ClassRules):
        self.rules, self.layout = rules, rules.layout
        self.form = {"cells": "from-to", "four": "from-to"}.get(rules.form, rules.form)
        if hasattr(rules.instance, "move_text"):
            self.own_text = self._own_text

    def _own_text(self, state: Any, move: int) -> str:
        _code_of, move_of = codes_of(self.rules.form, self.layout.rows, self.layout.columns, compiled=False)
        return str(self.rules.instance.move_text(grid_of(state), move_of(move)))

    def numbers(self, state: Any) -> list[int]:
        sign = 1 if state.player == 0 else -1
        return [sign * int(number) for number in numbers_of(state)]

    def more_lines(self, state: Any) -> list[str]:
        values = zip(self.layout.names, state[self.layout.words + 1 :], strict=True)
        return [f"{name}: {int(value)}" for name, value in values]

    def symbol(self, number: int) -> str:
        """The character for a number; those of the first player are above zero."""
        found = {0: ".", **self.rules.symbols}.get(number)
        if found is None:
            raise GameError(
                "{heading}\n    the number {number} in a cell has no character: write symbols = {{{number}: '...'}}",
                heading=self.rules.heading,
                number=number,
            )
        return found

    def state_text(self, state: Any) -> str:
        fields = zip(self.layout.fields, state[self.layout.words + 1 :], strict=True)
        values = [f"{name}={int(value)}" for (name, first), value in fields if int(value) != first]
        return " ".join(["/".join(self.rows_of(state)), SIDES[int(state.player)], *values])

    def parse_state(self, text: str) -> Any:
        """The state of a written position; None if the text is none."""
        rows, *words = text.split()
        if (self.layout.rows > 1 and "/" not in rows) or not words or words[0] not in SIDES:
            if "/" in rows:
                raise self._bad(text)
            return None
        lines = rows.split("/")
        if len(lines) != self.layout.rows or {len(line) for line in lines} != {self.layout.columns}:
            raise self._bad(text)
        known = {".": 0} | {symbol: number for number, symbol in self.rules.symbols.items()}
        wrong = set("".join(lines)) - set(known)
        if wrong:
            raise PositionError(
                "{text!r}: {wrong!r} is not one of the characters {known}",
                text=text,
                wrong=min(wrong),
                known=" ".join(known),
            )
        player = SIDES.index(words[0])
        numbers = np.array([known[cell] for cell in "".join(lines)]) * (1 if player == 0 else -1)
        return state_of_numbers(self.rules.state, numbers, player, self._values(text, words[1:]))

    def _values(self, text: str, words: list[str]) -> list[int]:
        values = dict(self.layout.fields)
        for word in words:
            name, _equals, value = word.partition("=")
            if name not in values or not re.fullmatch("-?[0-9]{1,9}", value):
                raise self._bad(text)
            values[name] = int(value)
        return list(values.values())

    def _bad(self, text: str) -> PositionError:
        form = "/".join(["." * self.layout.columns] * self.layout.rows)
        return PositionError(
            "{text!r}: {rows} rows of {columns} cells joined by / and whose turn it is, as in '{form} first'",
            text=text,
            rows=self.layout.rows,
            columns=self.layout.columns,
            form=form,
        )


class GenericNotation(Notation):
    """The notation of a file with generic functions, which may say more by names at its top.

    ROWS and COLUMNS, if the fields `mine` and `theirs` of a state are sets of cells: bit 0 is the cell at the top left,
    bit 1 the one to its right. Then a move is a cell. MOVES = "from-to", if a move is an origin times the number of
    cells plus a target. `move_text(state, move)` and `board_text(state)`, to write moves and boards differently.
    """

    def __init__(self, module: ModuleType, cls: Any):
        self.cls = cls
        rows, columns = getattr(module, "ROWS", 0), getattr(module, "COLUMNS", 0)
        has_sets = bool(rows and columns and {"mine", "theirs"} <= set(cls._fields))
        self.layout = Layout(rows, columns) if has_sets else Layout(0, 0)
        self.form = getattr(module, "MOVES", "cell") if has_sets else "number"
        self.own_text = getattr(module, "move_text", None)
        self.own_board = getattr(module, "board_text", None)
        if self.form not in FORMS:
            raise GameError("{file}: MOVES is {form!r}; it should be one of: {known}", file=module.__file__,
                            form=self.form, known=", ".join(FORMS))  # fmt: skip

    def numbers(self, state: Any) -> list[int]:
        own = 1 if int(to_move(state)) == 0 else -1
        sides = int(state.mine) if self.layout.cells else 0, int(state.theirs) if self.layout.cells else 0
        return [own * ((sides[0] >> place & 1) - (sides[1] >> place & 1)) for place in range(self.layout.cells)]

    def symbol(self, number: int) -> str:
        return {1: "x", -1: "o", 0: "."}[number]

    def text_board(self, state: Any) -> str:
        return str(self.own_board(state)) if self.own_board else super().text_board(state)

    def more_lines(self, state: Any) -> list[str]:
        shown = {"mine", "theirs"} if self.layout.cells else set()
        return [f"{name}: {value}" for name, value in zip(self.cls._fields, state, strict=True) if name not in shown]
