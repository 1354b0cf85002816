"""Homework as it was handed in: classes written for a course's own programs, which run here as they stand.

A game that a course has used offers the course's style in a module `homework` of its package, as `STYLE`. The style
says which classes of a file are meant, which of the course's modules the file may import, and what its methods are
given. Such files are recognised by their text, before they run.
"""

import ast
import decimal
import functools
import inspect
import math
import numbers
import sys
import traceback
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from zermelo.core import Heuristic
from zermelo.core.contents import imports_zermelo
from zermelo.core.evaluators import Evaluator
from zermelo.core.explanations import loading_failure, nearest, place_text
from zermelo.core.numbers import MOST_POINTS
from zermelo.core.searching import root_or
from zermelo.errors import HeuristicError, Message, ZermeloError
from zermelo.rules import to_move

LONGEST_NAME = 40
"""Maximum number of characters of the name that a class gives itself."""


# ------------------------------------------------------------------------------------------ what is in a file


class Style(ABC):
    """The style of a course: how its classes are recognised, and what they are given."""

    course: ClassVar[str]  #: such as "the Hex course", marked for translation
    bases: ClassVar[tuple[str, ...]] = ()  #: the names of the course's base classes
    method: ClassVar[str]  #: the method that a class must have
    form: ClassVar[str]  #: the line with which that method begins

    @abstractmethod
    def fits(self, part: ast.ClassDef) -> bool:
        """Is this a class of the course although none of its bases says so?"""

    @abstractmethod
    def modules(self) -> dict[str, types.ModuleType]:
        """The course's modules that a file may import, made anew for every file."""

    def class_names(self, tree: ast.Module) -> list[str]:
        """The names of the classes in a file that are in this style. Those that others are derived from may lack the
        method. A file that imports zermelo has base classes of its own."""
        bases = set() if imports_zermelo(tree) else {*self.bases}
        found: dict[str, ast.ClassDef] = {}
        inherited: set[str] = set()
        for part in tree.body:
            if not isinstance(part, ast.ClassDef) or part.name in self.bases:
                continue
            named = {_last_name(base) for base in part.bases}
            if named & {*bases, *found} or self.fits(part):
                found[part.name] = part
                inherited |= named
        return [name for name, part in found.items() if self.method in methods_of(part) or name not in inherited]


class HeuristicStyle(Style):
    """The style of a course whose classes evaluate positions."""

    classes: ClassVar[tuple[type, ...]]  #: the classes of states of its game

    @abstractmethod
    def evaluation(self, cls: type) -> Callable[[Any, int], Any]:
        """The evaluation of a state for a player: 0 or 1. HeuristicError if the class cannot be used."""

    def title(self, cls: type) -> str:
        """What the class calls itself; empty if it does not say."""
        return ""

    def heuristic(self, cls: type) -> Heuristic:
        """The heuristic that a class is."""
        evaluator = HandedIn(cls, self)
        return Heuristic(evaluator, cls.__name__, self.classes, python=True, doc=cls.__doc__, module=cls.__module__)


class PlayerStyle(Style):
    """The style of a course whose classes choose moves."""

    game: ClassVar[str]  #: the name of the game that they play

    @abstractmethod
    def player(self, cls: type, player: int, arguments: list[Any], options: dict[str, Any]) -> Any:
        """An object of the class that plays for this player, 0 or 1. ZermeloError if the class cannot be used."""

    def wants_seconds(self, cls: type) -> bool:
        """Does the class want to know how many seconds it has for a move?"""
        return False

    @abstractmethod
    def answer(self, made: Any, state: Any, options: dict[str, Any], seconds: float | None) -> Any:
        """What the object answers in a state; seconds: its time for the move."""

    @abstractmethod
    def move(self, state: Any, answer: Any) -> str | None:
        """The move that an answer means, which need not be legal; None if the answer is no move at all."""


def _last_name(base: ast.expr) -> str:
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def methods_of(part: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The methods that a class defines, by name."""
    return {one.name: one for one in part.body if isinstance(one, ast.FunctionDef)}


def mentions(part: ast.AST, attribute: str) -> bool:
    """Does `self.attribute` stand anywhere in this part of a file?"""
    return any(
        isinstance(one, ast.Attribute) and one.attr == attribute and _last_name(one.value) == "self"
        for one in ast.walk(part)
    )


@functools.lru_cache(maxsize=256)
def syntax_of(text: str) -> ast.Module | None:
    """The syntax tree of a file that contains a class; None for any other."""
    if "class " not in text:
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if any(isinstance(part, ast.ClassDef) for part in tree.body) else None


# ------------------------------------------------------------------------------------------ the course's modules


def stand_in(name: str, known: Mapping[str, Any], absent: Iterable[str] = ()) -> types.ModuleType:
    """A module of the course: what is known here, and what may be imported but cannot be used."""
    module = types.ModuleType(name)
    vars(module).update(known)
    vars(module).update({one: type(one, (Absent,), {"__module__": name}) for one in absent})
    return module


class Absent:
    """A class of the course that has no counterpart here."""

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(
            Message(
                "{module}.{name} belongs to the course's own programs, which are not here: the lab plays the games "
                "itself",
                module=cls.__module__,
                name=cls.__name__,
            )
        )


# ------------------------------------------------------------------------------------------ evaluation


class HandedIn(Evaluator):
    """What a class that was handed in evaluates with.

    The course's values are for MAX, the player to move at the root of the search, and ours for the player to move in
    the position. So the value is that for the player who is searching, with the opposite sign if the other player is
    to move.
    """

    takes_weights = False
    follows_root = True

    def __init__(self, cls: type, style: HeuristicStyle):
        self.cls, self.style = cls, style
        self.plain = Message("it was handed in for {course}, and is used as it stands", course=Message(style.course))
        self._code: dict[type, Any] = {}

    @property
    def identity(self) -> Any:
        return self

    @property
    def title(self) -> str:
        return self.style.title(self.cls)

    def function_of(self, label: str) -> Any:
        evaluate = ready(self.style, self.cls, self.style.evaluation)

        def value(state: Any) -> Any:
            mover, top = int(to_move(state)), int(to_move(root_or(state)))
            return _bounded(evaluate(state, top), 1 if mover == top else -1)

        return value

    def written(self, function: Any) -> Any:
        return getattr(inspect.unwrap(getattr(self.cls, self.style.method)), "__code__", function.__code__)

    def code_of(self, function: Any) -> dict[type, Any]:
        return self._code

    def refusal(self, label: str, weight: str, known: str) -> object:
        return Message("{name} has no weights", name=label)


def _bounded(value: Any, sign: int) -> Any:
    """A value with this sign. In a course, a won position may be worth infinity; here that is the greatest number."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if not isinstance(value, (numbers.Real, decimal.Decimal)) or math.isnan(value):
        return value  # the search says what is wrong with it
    return sign * min(max(value, -MOST_POINTS), MOST_POINTS)


def ready(style: Style, cls: type, make: Callable[[type], Any]) -> Any:
    """What is made of a class; HeuristicError with the line and what to write if the class is not as it should be."""
    method = inspect.getattr_static(cls, style.method, None)
    if method is None:
        raise _wrong(cls, _missing(style, cls))
    if not inspect.isroutine(method):
        raise _wrong(cls, Message("{method} is not a method; write {form}", method=style.method, form=style.form))
    try:
        return make(cls)
    except ZermeloError as error:
        raise _wrong(cls, error) from None
    except Exception as error:
        is_own = any(frame.filename == str(file_of(cls)) for frame in traceback.extract_tb(error.__traceback__))
        if is_own:
            raise HeuristicError(loading_failure(error, file_of(cls))) from None
        raise _wrong(cls, f"{type(error).__name__}: {error}") from None


def file_of(cls: type) -> Path:
    """The file in which a class stands."""
    return Path(str(sys.modules[cls.__module__].__file__))


def _missing(style: Style, cls: type) -> Message:
    own = [name for base in cls.__mro__[:-1] for name in vars(base)]
    return Message(
        "{name} has no method {method}{nearest}; write {form}",
        name=cls.__name__,
        method=style.method,
        nearest=nearest(style.method, own),
        form=style.form,
    )


def _wrong(cls: type, reason: object) -> HeuristicError:
    """What is wrong with a class, with its first line."""
    try:
        line = inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        line = 1
    return HeuristicError(
        "{place}\n    {reason}", place=place_text(str(file_of(cls)), line, cls.__name__), reason=reason
    )
