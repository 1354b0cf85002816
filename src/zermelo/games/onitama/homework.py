"""Homework in the style of the Onitama report as it was handed in: a class of nodes with `eval(self)`.

A node has `estado`, the rows of the board from the top, and `jugador`, the player for whom it is evaluated: 0 has the
students `w` and the master `W`, and sits at the bottom; 1 has `b` and `B`. The report shows no more of the class, so a
node is made without asking how the class makes its own.
"""

import ast
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

from zermelo.errors import ZermeloError, marked
from zermelo.games.onitama.notation import READING_ORDER, man_at
from zermelo.games.onitama.rules import SIZE, SQUARES, Onitama
from zermelo.homework import HeuristicStyle, mentions, methods_of

LETTERS = {"r": "w", "R": "W"}
"""The letters of the report for those of our notation, where they differ."""


def rows_of(state: Any) -> list[list[str]]:
    """The board as a node holds it."""
    cells = [LETTERS.get(man, man) for man in (man_at(state, square) for square in READING_ORDER)]
    return [cells[start : start + SIZE] for start in range(0, SQUARES, SIZE)]


class ReportStyle(HeuristicStyle):
    """The style of the Onitama report."""

    course = marked("the Onitama course")
    method = "eval"
    form = "def eval(self):"
    classes: ClassVar = (Onitama,)

    def fits(self, part: ast.ClassDef) -> bool:
        return self.method in methods_of(part) and mentions(part, "estado") and mentions(part, "jugador")

    def modules(self) -> dict[str, ModuleType]:
        return {}

    def evaluation(self, cls: Any) -> Callable[[Any, int], Any]:
        try:
            inspect.signature(cls.__new__(cls).eval).bind()
        except TypeError:
            raise ZermeloError("{name} must take nothing; write {form}", name=self.method, form=self.form) from None
        begin = _beginning(cls)

        def value(state: Any, top: int) -> Any:
            node: Any = cls.__new__(cls)
            vars(node).update(begin)
            node.estado, node.jugador = rows_of(state), top
            return node.eval()

        return value


def _beginning(cls: type) -> dict[str, Any]:
    """What a node has besides its board, if the class can make one of a board and a player."""
    known = {"estado": [["."] * SIZE for _ in range(SIZE)], "jugador": 0}
    try:
        made = cls(**{name: known[name] for name in inspect.signature(cls).parameters})
    except Exception:  # the class needs more than the report shows, such as the cards
        return {}
    return dict(vars(made))


STYLE = ReportStyle()
