"""Scores: what a position or a move is worth, and to whom."""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.core.numbers import MOST_PLIES, PLY, PROVEN, WIN, points_of, units_of
from zermelo.language import _

RECORDED_WIN = 1 << 30
"""In records, JSON and other programs' answers, a win in n plies is this number less n, and a loss its opposite."""


@functools.total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """What a position is worth to one of the players.

    It is a win or loss (`outcome` 1 or -1; `plies` to the end, if known), a draw that is certain (`outcome` 0), exact
    points from the game's own solver (`outcome` and `points`), or a heuristic's estimate (`points` alone). Scores for
    the same player can be compared, with each other and with numbers, which stand for points.
    """

    points: float = 0  #: estimated or exact points; 0 for a plain win, draw or loss
    outcome: int | None = None  #: 1 won, 0 drawn, -1 lost; None for an estimate
    plies: int | None = None  #: plies to the end of the game, if known
    in_points: bool = False  #: are these exact points of the game?
    player: int | None = None  #: the player for whom the score is meant: 1 or 2

    # ------------------------------------------------------------------------------------- made from

    @classmethod
    def win(cls, plies: int | None = None, player: int | None = None) -> "Score":
        return cls(outcome=1, plies=plies, player=player)

    @classmethod
    def loss(cls, plies: int | None = None, player: int | None = None) -> "Score":
        return cls(outcome=-1, plies=plies, player=player)

    @classmethod
    def draw(cls, player: int | None = None) -> "Score":
        return cls(outcome=0, player=player)

    @classmethod
    def exact(cls, points: float, plies: int | None = None, player: int | None = None) -> "Score":
        """Exact points, as the game's own solver gives them."""
        return cls(points, (points > 0) - (points < 0), plies, True, player)

    @classmethod
    def of_units(cls, units: int, player: int | None = None) -> "Score":
        """The score that a number of a compiled search stands for (see core/numbers.py)."""
        if abs(units) > PROVEN:
            return cls(outcome=1 if units > 0 else -1, plies=(WIN - abs(int(units))) // PLY, player=player)
        return cls(points_of(units), player=player)

    @classmethod
    def of_number(cls, number: float, player: int | None = None) -> "Score":
        """The score that a number in a record, in JSON or in another program's answer stands for (see `number`)."""
        if abs(number) > RECORDED_WIN - MOST_PLIES:
            return cls(outcome=1 if number > 0 else -1, plies=RECORDED_WIN - abs(int(number)), player=player)
        return cls(number, player=player)

    # ------------------------------------------------------------------------------------- seen as

    @property
    def is_proven(self) -> bool:
        """Is it a forced win or loss, rather than points or an estimate?"""
        return self.outcome in (1, -1) and not self.in_points

    @property
    def number(self) -> float:
        """One number for records and JSON: points (whole ones as int), or RECORDED_WIN less the plies of a win."""
        if self.is_proven:
            assert self.outcome is not None
            return self.outcome * (RECORDED_WIN - (self.plies or 0))
        return int(self.points) if self.points == int(self.points) else self.points

    @property
    def text(self) -> str:
        """`win in 3` (plies), `loss in 4`, `draw`, exact points, or the heuristic's value with its sign."""
        if self.outcome == 0:
            return _("draw")
        if self.outcome is None or (self.in_points and self.plies is None):
            return points_text(self.points)
        if not self.plies:
            return _("win") if self.outcome > 0 else _("loss")
        return (_("win in {plies}") if self.outcome > 0 else _("loss in {plies}")).format(plies=self.plies)

    @property
    def mark(self) -> str:
        """The score in up to six characters, for a board: `+12`, `W3` (a win in 3 plies), `L4`, `-1.5k`."""
        if self.is_proven:
            letter = _("W") if self > 0 else _("L")
            return f"{letter}{self.plies}" if self.plies else letter
        size = abs(self.points)
        if size >= 1000:
            return f"{self.points / 1000:+.{0 if size >= 10_000 else 1}f}k"
        return points_text(self.points if size < 10 else round(self.points, 1))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<score {self.text}>"

    def seen_by(self, player: int) -> "Score":
        """The score from this player's point of view."""
        return self if self.player == player else -self

    def __neg__(self) -> "Score":
        """The score from the other player's point of view."""
        outcome = None if self.outcome is None else -self.outcome
        other = None if self.player is None else 3 - self.player
        return Score(-self.points, outcome, self.plies, self.in_points, other)

    # ------------------------------------------------------------------------------------- compared

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, (Score, int, float, np.number)):
            return NotImplemented
        return self.number == _number(other)

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, (Score, int, float, np.number)):
            return NotImplemented
        return self.number < _number(other)

    def __abs__(self) -> float:
        return abs(self.number)

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return True  # also if it is 0, so that `if score` asks whether there is one


def _number(value: Any) -> float:
    return value.number if isinstance(value, Score) else value


def points_text(points: float) -> str:
    """Points with their sign and at most three decimals: `+12`, `-0.125`, `0`."""
    text = f"{points:+.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def units_of_score(value: Score | float) -> float:
    """A score, or a number of points, in the units of a compiled search. Infinite numbers stay infinite."""
    if isinstance(value, Score) and value.is_proven:
        assert value.outcome is not None
        return value.outcome * (WIN - (value.plies or 0) * PLY)
    points = value.points if isinstance(value, Score) else value
    return points if math.isinf(points) else int(units_of(points))


def numbers_of_units(units: "np.ndarray[Any, Any]") -> list[float]:
    """The `number` of many scores at once."""
    return [_number_of_units(one) for one in units.tolist()]


@functools.lru_cache(maxsize=1 << 16)
def _number_of_units(units: int) -> float:
    """The `number` of a score. Tournaments of heuristics meet the same ones again and again."""
    return Score.of_units(units).number


def score_text(score: Score | float) -> str:
    """A score in words. A number is read as in a record."""
    return (score if isinstance(score, Score) else Score.of_number(score)).text


def is_proven(units: int) -> bool:
    """Does this number of a compiled search stand for a forced win or loss?"""
    return abs(units) > PROVEN
