"""What stands behind a heuristic: a function of a state, the numbers it is given, and the code compiled of it."""

from abc import ABC, abstractmethod
from typing import Any

from zermelo.language import _


class Evaluator(ABC):
    """A heuristic holds one, and shares it with its copies that have another name or other weights.

    One that somebody wrote is `Written`; tables and models that were learned have evaluators of their own.
    """

    takes_weights = True
    """Does the function take the state and w, or the state alone?"""

    @property
    @abstractmethod
    def identity(self) -> Any:
        """Two heuristics are equal if this is the same object, and their weights are equal."""

    @property
    def numbers(self) -> Any:
        """All numbers behind w, as float32; None where they are the heuristic's named weights."""
        return None

    @abstractmethod
    def function_of(self, label: str) -> Any:
        """The function. HeuristicError says what is wrong with it; label: what the heuristic is called."""

    @abstractmethod
    def code_of(self, function: Any) -> dict[type, Any]:
        """What was compiled of the function, by class of states; heuristics with the same code share it."""

    def check(self, state: Any, label: str) -> None:
        """Raise HeuristicError if positions of the game that begins so cannot be judged."""

    @abstractmethod
    def refusal(self, label: str, weight: str, known: str) -> str:
        """What to say to somebody who sets a weight that is not there; known: those that are."""


class Written(Evaluator):
    """A function that somebody wrote, of a state or of a state and its named weights."""

    def __init__(self, function: Any, takes_weights: bool):
        self.function = function
        self.takes_weights = takes_weights
        self._code: dict[type, Any] = {}

    @property
    def identity(self) -> Any:
        return self.function

    def function_of(self, label: str) -> Any:
        return self.function

    def code_of(self, function: Any) -> dict[type, Any]:
        return self._code

    def refusal(self, label: str, weight: str, known: str) -> str:
        return _("{name} has no weight {unknown!r} (its weights: {known})").format(
            name=label, unknown=weight, known=known or _("it has none")
        )
