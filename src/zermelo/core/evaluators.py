"""What a heuristic evaluates with: a function of a state, the numbers it is given, and its compiled code."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from zermelo.errors import Message


class Evaluator(ABC):
    """A heuristic holds one, and shares it with its copies that have another name or other weights.

    One that somebody wrote is `Written`; tables and models that were learned have evaluators of their own.
    """

    takes_weights = True
    """Does the function take the state and w, or the state alone?"""

    plain: Message | None = None
    """Why its function runs as plain Python and nobody tries to compile it; None for functions that may be compiled."""

    follows_root = False
    """Does a value depend on who is searching (see searching.py)? Then each search must say where it begins."""

    boards: Mapping[type, Any] = MappingProxyType({})
    """The board class that the function wants around the states of a class; by default it wants the states."""

    @property
    @abstractmethod
    def identity(self) -> Any:
        """Two heuristics are equal if this is the same object for both, and their weights are equal."""

    @property
    def title(self) -> str:
        """What its author calls it besides its name in the code; empty if it has no other name."""
        return ""

    @property
    def numbers(self) -> Any:
        """All numbers that the function gets as w, as float32; None if those are the heuristic's named weights."""
        return None

    @abstractmethod
    def function_of(self, label: str) -> Any:
        """The function. A HeuristicError says what is wrong with it and calls the heuristic by its label."""

    def written(self, function: Any) -> Any:
        """The code object that the author wrote: errors name its file and its lines."""
        return function.__code__

    @abstractmethod
    def code_of(self, function: Any) -> dict[type, Any]:
        """The compiled code of the function for each class of states. Heuristics with the same code share it."""

    def given(self, state: Any) -> Any:
        """What the function gets for a state: the state, or a board around it."""
        board = self.boards.get(type(state))
        return state if board is None else board(state)

    def given_type(self, cls: Any) -> Any:
        """The Numba type of what the function gets for states of this class."""
        board = self.boards.get(cls)
        return cls.numba if board is None else board.numba(cls)

    def check(self, state: Any, label: str) -> None:
        """Raise HeuristicError if it cannot evaluate positions of the game that begins with this state."""

    @abstractmethod
    def refusal(self, label: str, weight: str, known: str) -> object:
        """The error message for a weight that does not exist; known: the names of those that do."""


class Written(Evaluator):
    """A function that somebody wrote, of a state or of a state and its named weights."""

    def __init__(self, function: Any, takes_weights: bool, boards: Mapping[type, Any]):
        self.function = function
        self.boards = boards
        self.takes_weights = takes_weights
        self._code: dict[type, Any] = {}

    @property
    def identity(self) -> Any:
        return self.function

    def function_of(self, label: str) -> Any:
        return self.function

    def code_of(self, function: Any) -> dict[type, Any]:
        return self._code

    def refusal(self, label: str, weight: str, known: str) -> object:
        if not known:
            return Message("{name} has no weights", name=label)
        return Message(
            "{name} has no weight {unknown!r} (its weights: {known})", name=label, unknown=weight, known=known
        )
