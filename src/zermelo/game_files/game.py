"""The game that a class of rules makes: its notation and its pictures follow from its board."""

import functools
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

from numba import int64, types

from zermelo.core import JIT, Heuristic, njit
from zermelo.core.compiled_grids import GridType
from zermelo.core.grids import grid_of
from zermelo.drawing.picture import Picture
from zermelo.errors import GameError, PlainPythonWarning
from zermelo.game_files import drawing
from zermelo.game_files.class_rules import ClassRules, start_state
from zermelo.game_files.compiling import answer, answer_by_interpreter, note, question, reason_against
from zermelo.game_files.generic_rules import PlainRules
from zermelo.game_files.methods import functions_of
from zermelo.game_files.notation import ClassNotation, GenericNotation, Notation
from zermelo.game_files.shells import answers, codes_of, no_answer, plain_answers
from zermelo.game_files.trial import Asking, ask_all, try_out
from zermelo.position import Game, Position
from zermelo.rules import can_repeat

CELL = types.UniTuple(int64, 2)
FORMS = {"number": int64, "cell": CELL, "cells": types.UniTuple(CELL, 2), "four": types.UniTuple(int64, 4)}
"""The Numba types of moves."""
MOST_TIMES = 3
"""A position that occurs so often is a draw, in games in which positions can come back."""
USES = {
    "legal_moves": ("moves", "winner"),
    "play": ("play",),
    "is_over": ("moves", "winner"),
    "outcome": ("winner", "points"),
    "margin": ("points",),
}
"""Which methods answer which question."""


def complete(rules: ClassRules) -> None:
    """Try the rules as plain Python, compile them, and answer the questions of rules.py with them."""
    if rules.is_complete:
        return
    try_out(rules)
    layout, instance, cls = rules.layout, rules.instance, rules.state
    has_points = hasattr(instance, "points")
    asked = {name: getattr(instance, name, None) or no_answer for name in ("moves", "play", "winner", "points")}
    codes = codes_of(rules.form, layout.rows, layout.columns, compiled=False)
    plain = answers({**asked, "has points": has_points}, codes, rules.stuck, compiled=False)
    fixed = plain_answers(layout.words, len(layout.fields), rules.repeats, compiled=JIT)
    answer(cls, fixed)
    if not JIT:
        answer(cls, plain)
    else:
        _compile(rules, plain, has_points)
    rules.is_complete = True


def _compile(rules: ClassRules, plain: Mapping[str, Any], has_points: bool) -> None:
    functions, cls = functions_of(rules.cls, rules.constants), rules.state
    ask = {name: functions.get(name) or njit(no_answer) for name in ("moves", "play", "winner", "points")}
    codes = codes_of(rules.form, rules.layout.rows, rules.layout.columns, compiled=True)
    made = answers({**ask, "has points": has_points}, codes, rules.stuck, compiled=True)
    answer(cls, made)
    slow: dict[str, str] = {}
    for name in made:
        if reason_against(question(name).implementation(cls), cls.numba, *question(name)._types):
            for method in USES[name]:
                taken = (GridType(cls), FORMS[rules.form]) if method == "play" else (GridType(cls),)
                reason = reason_against(ask[method], *taken)
                if reason:
                    slow[method] = reason
            answer_by_interpreter(cls, name, plain[name])
    first, asking = start_state(rules), Asking(rules)
    for name, reason in slow.items():
        move = asking.moves(grid_of(first))[:1] if name == "play" else []
        told = note(f"{name}()", reason, functools.partial(asking.once, name, first, *move))
        rules.notes.append(told)
        warnings.warn(PlainPythonWarning(told), stacklevel=2)


class FileGame(Game):
    """A game that was read from a file."""

    writing: ClassVar[Notation]
    own_heuristics: ClassVar[Mapping[str, Heuristic]]
    notes: ClassVar[list[str]] = []
    """What runs as plain Python, and why."""

    @property
    def heuristics(self) -> dict[str, Heuristic]:
        """Those in its file; if there are none, one that follows from the board."""
        return dict(self.own_heuristics)

    def move_text(self, state: Any, move: int) -> str:
        return self.writing.move_text(state, move)

    def normal_move_text(self, text: str) -> str:
        return self.writing.normal_move_text(text)

    def why_not(self, state: Any, text: str) -> str | None:
        return self.writing.why_not(text)

    def is_drawn_by_history(self, position: Position) -> bool:
        """In a game in which positions can come back, a position that occurs for the third time is a draw."""
        if not can_repeat(position.state):
            return False
        return [earlier.state for earlier in position.path].count(position.state) >= MOST_TIMES

    def rules_failure(self, position: Position, error: Exception) -> GameError | None:
        """The failure as plain Python tells it, with the line of the file; or what the compiled rules say."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.ask_all(position.state)
        except GameError as told:
            return GameError("{text} (in the position {position})", text=told, position=position)
        return super().rules_failure(position, error)

    def ask_all(self, state: Any) -> None:
        """Ask the rules all questions about a state, as plain Python. A GameError names the line that fails."""

    def board(self, position: Position) -> str:
        return self.writing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(self.writing, position, marks)


class ClassGame(FileGame):
    """The game of a class of rules."""

    rules: ClassVar[ClassRules]
    writing: ClassVar[ClassNotation]

    def start_state(self) -> Any:
        return start_state(self.rules)

    def ask_all(self, state: Any) -> None:
        ask_all(Asking(self.rules), state)

    def parse_board(self, text: str) -> Any:
        return self.writing.parse_state(text)

    def position_text(self, position: Position) -> str:
        return self.writing.state_text(position.state)


class GenericGame(FileGame):
    """The game of a file with generic functions."""

    first: ClassVar[Any]
    writing: ClassVar[GenericNotation]
    plain: ClassVar[PlainRules]

    def ask_all(self, state: Any) -> None:
        self.plain.ask_all(state)

    def start_state(self) -> Any:
        return self.first
