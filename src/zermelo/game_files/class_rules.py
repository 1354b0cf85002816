"""Rules that are written as a class of plain methods: what the class must have, and the state that follows from it.

    class Breakthrough:
        rows = 8
        columns = 8
        def start(self): ...                  # the first board, as a text or as rows of numbers
        def moves(self, board): ...           # yields moves: a number, a cell, or two cells
        def play(self, board, move): ...      # changes the board; the other player moves next
        def winner(self, board): ...          # z.MINE, z.THEIRS, z.DRAW, or None while the game goes on

Names with an annotation, as `jumping: int = 0`, are fields of the board, which `play` may change.
"""

import ast
import difflib
import functools
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.core.grids import LARGEST, MOST_CELLS, Layout, grid_state, state_of_numbers
from zermelo.core.state import BoardMeta
from zermelo.core.worlds import source_of
from zermelo.errors import GameError
from zermelo.game_files.board import board_class
from zermelo.game_files.methods import is_method, members
from zermelo.language import gettext

METHODS = {
    "moves": ("board",),
    "play": ("board", "move"),
    "start": (),
    "winner": ("board",),
    "points": ("board",),
    "move_text": ("board", "move"),
}
"""The methods that are asked for, and what they take besides self. Only moves and play must be there."""
NEEDED = ("moves", "play")
STUCK = ("draws", "loses", "wins", "passes")
SYMBOLS = {1: "x", -1: "o", 2: "X", -2: "O"}
"""How men are written by default: those of the first player above zero, those of the second below."""
RESERVED = {"rows", "columns", "player", "cells", "count", "is_inside", "grid"}
_OWN = "__zermelo_rules__"


@dataclass
class ClassRules:
    """A class of rules that has been read."""

    cls: type
    instance: Any
    layout: Layout
    state: Any
    constants: dict[str, Any]
    stuck: str
    symbols: dict[int, str]
    repeats: bool
    heading: str
    form: str = ""
    """What a move is: `number`, `cell`, `cells` (a pair of cells) or `four` (the same pair as four numbers)."""
    move_text: Callable[[Any, int], str] | None = None
    """How a move of a state is written, as soon as the rules have been tried."""
    notes: list[str] = field(default_factory=list)
    is_complete: bool = False

    @property
    def name(self) -> str:
        return self.cls.__name__

    @functools.cached_property
    def board(self) -> Any:
        """The class of boards that heuristics get."""
        name, module = f"{self.name}Board", self.cls.__module__
        made = board_class(name, module, self.state, self._move_text)
        if module in sys.modules:
            setattr(sys.modules[module], name, made)  # where the code cache looks for it
        return made

    def _move_text(self, state: Any, move: int) -> str:
        return self.move_text(state, move) if self.move_text is not None else str(move)


def looks_like_rules(value: Any) -> bool:
    """Is this a class that somebody wrote as the rules of a game?"""
    if not isinstance(value, type) or isinstance(value, BoardMeta):
        return False
    own = members(value)
    return sum(name in own and is_method(own[name]) for name in ("start", "moves", "play", "winner")) >= 2


def rules_of(cls: type) -> ClassRules:
    """The rules in a class, read once. GameError says what the class lacks; nothing in it has run yet."""
    known = vars(cls).get(_OWN)
    if known is None:
        known = _read(cls)
        setattr(cls, _OWN, known)
    assert isinstance(known, ClassRules)
    return known


def _file_of(cls: type) -> str:
    return str(getattr(sys.modules.get(cls.__module__), "__file__", None) or cls.__module__)


def _heading(cls: type, name: str = "") -> str:
    """The line of a class, or of what gets this name in it, as the first line of an error message."""
    file = _file_of(cls)
    source = source_of(file) or ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            number = next((part.lineno for part in node.body if name and _names(part) == name), node.lineno)
            return f"{file}:{number}: {source.splitlines()[number - 1].strip()}"
    return f"{file}: class {cls.__name__}"


def _names(node: ast.stmt) -> str | None:
    """The name that a statement of a class defines, if it is one."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return node.name if isinstance(node, ast.FunctionDef) else None


def fail(cls: type, reason: str, name: str = "") -> GameError:
    """The error about a class, or about what has this name in it."""
    return GameError(f"{_heading(cls, name)}\n    {reason}")


def _read(cls: type) -> ClassRules:
    own = members(cls)
    _check_methods(cls, own)
    fields = _fields(cls, own)
    try:
        instance = cls()
    except TypeError as error:
        raise fail(cls, gettext("rules take no options: {error}").format(error=error), "__init__") from None
    size = {name: _size(cls, instance, name) for name in ("rows", "columns")}
    if size["rows"] * size["columns"] > MOST_CELLS:
        raise fail(cls, gettext("a board has at most {most} cells").format(most=MOST_CELLS), "rows")
    layout = Layout(size["rows"], size["columns"], fields)
    values = {**own, **vars(instance)}
    constants = {name: value for name, value in values.items() if not is_method(value) and name != _OWN}
    constants = {name: value for name, value in constants.items() if name not in layout.names}
    stuck = own.get("when_stuck", "draws")
    if stuck not in STUCK:
        told = gettext("when_stuck is {stuck!r}; it should be one of: {known}")
        raise fail(cls, told.format(stuck=stuck, known=", ".join(STUCK)), "when_stuck")
    name = f"{cls.__name__}State"
    state = grid_state(name, cls.__module__, layout)
    module = sys.modules.get(cls.__module__)
    if module is not None:
        setattr(module, name, state)  # where pickle and the code cache look for it
    repeats = bool(own.get("can_repeat", False))
    heading = _heading(cls)
    return ClassRules(cls, instance, layout, state, constants, stuck, _symbols(cls, own), repeats, heading)


def _check_methods(cls: type, own: dict[str, Any]) -> None:
    for name in NEEDED:
        if name not in own:
            raise fail(cls, _missing(cls, own, name))
    if "winner" not in own and "when_stuck" not in own:
        told = gettext(
            "{cls} has no method winner(self, board), which says who has won; or write when_stuck = 'loses', "
            "if the game only ends when a player cannot move"
        )
        raise fail(cls, _similar(own, "winner") or told.format(cls=cls.__name__))
    for name, takes in METHODS.items():
        member = own.get(name)
        if member is None or (name == "start" and not is_method(member)):
            continue
        form = f"def {name}({', '.join(('self', *takes))})"
        if not is_method(member) or isinstance(member, (staticmethod, classmethod)):
            raise fail(cls, gettext("{name} is a method: write {form}").format(name=name, form=form), name)
        found = inspect.signature(member).parameters.values()
        plain = [one for one in found if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
        if len(plain) != len(takes) + 1:
            told = gettext("{name} has the wrong number of parameters: write {form}")
            raise fail(cls, told.format(name=name, form=form), name)


def _missing(cls: type, own: dict[str, Any], name: str) -> str:
    form = f"def {name}({', '.join(('self', *METHODS[name]))})"
    told = gettext("{cls} has no method {name}: write {form}").format(cls=cls.__name__, name=name, form=form)
    return _similar(own, name) or told


def _similar(own: dict[str, Any], name: str) -> str:
    """What to say if a method of nearly this name is there."""
    close = difflib.get_close_matches(name, [one for one in own if is_method(own[one]) and one not in METHODS], 1, 0.7)
    return gettext("{close} should be called {name}").format(close=close[0], name=name) if close else ""


def _size(cls: type, instance: Any, name: str) -> int:
    value = getattr(instance, name, None)
    if value is None:
        raise fail(
            cls,
            gettext("{cls} does not say how large its board is: write {name} = 8").format(cls=cls.__name__, name=name),
        )
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_CELLS:
        raise fail(cls, gettext("{name} = {value!r} is not a number of {name}").format(name=name, value=value), name)
    return value


def _fields(cls: type, own: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for part in reversed(cls.__mro__[:-1]):
        for name, kind in inspect.get_annotations(part).items():
            value = own.get(name, 0)
            if kind not in (int, bool, "int", "bool") or not isinstance(value, (int, np.integer)):
                told = gettext(
                    "a field of the board is one whole number: {name}: int = 0. Whatever has a place on the board "
                    "is a number in a cell; constants have no annotation"
                )
                raise fail(cls, told.format(name=name), name)
            if name in RESERVED or name.startswith("_"):
                told = gettext("a field of the board cannot be called {name}")
                raise fail(cls, told.format(name=name), name)
            found[name] = int(value)
    return tuple(found.items())


def _symbols(cls: type, own: dict[str, Any]) -> dict[int, str]:
    given = own.get("symbols", SYMBOLS)
    told = gettext(
        "symbols gives each number one character of its own, as in {{1: 'x', -1: 'o'}}; '.' is an empty cell"
    )
    if not isinstance(given, dict) or not all(
        isinstance(number, int) and 0 < abs(number) <= LARGEST and isinstance(text, str) and len(text) == 1
        for number, text in given.items()
    ):
        raise fail(cls, told.replace("{{", "{").replace("}}", "}"), "symbols")
    if len(set(given.values())) < len(given) or {".", "/", " "} & set(given.values()):
        raise fail(cls, told.replace("{{", "{").replace("}}", "}"), "symbols")
    return dict(given)


# ------------------------------------------------------------------------------------------ the first board


def start_state(rules: ClassRules) -> Any:
    """The state in which the game begins."""
    layout, given = rules.layout, getattr(rules.instance, "start", None)
    given = given() if callable(given) else given
    numbers = np.zeros(layout.cells, np.int8) if given is None else _numbers(rules, given)
    return state_of_numbers(rules.state, numbers, 0, [first for _name, first in layout.fields])


def _numbers(rules: ClassRules, given: Any) -> Any:
    layout = rules.layout
    if isinstance(given, str):
        given = given.split()
    try:
        rows = [list(row) for row in given]
    except TypeError:
        rows = []
    if len(rows) != layout.rows or {len(row) for row in rows} != {layout.columns}:
        told = gettext("start should give {rows} rows of {columns} cells: a text, or rows of numbers")
        raise fail(rules.cls, told.format(rows=layout.rows, columns=layout.columns), "start")
    values = {".": 0} | {text: number for number, text in rules.symbols.items()}
    cells = [values.get(cell, cell) if isinstance(cell, str) else cell for row in rows for cell in row]
    for cell in cells:
        if isinstance(cell, str) or int(cell) != cell or not -LARGEST <= cell <= LARGEST:
            told = gettext("start gives {cell!r} for a cell; a cell is a number, or one of the characters {known}")
            raise fail(rules.cls, told.format(cell=cell, known=" ".join(values)), "start")
    return np.array(cells, np.int8)
