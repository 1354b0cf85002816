"""What an item gives: a share of its points, and words about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.marking.rubric import Item
from zermelo.marking.submission import Submission, Tell


@dataclass(frozen=True)
class Result:
    """The share of an item's points that was earned, from 0 to 1, and why."""

    share: float
    feedback: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


Look = Callable[[Submission, Item, Tell], Result]
"""How an item is marked."""


def credit(right: int, tried: int, least: float = 0.0) -> float:
    """The share of the points for this many right answers: none up to the share `least`, and then in proportion."""
    share = right / tried if tried else 0.0
    return max(0.0, (share - least) / (1 - least))
