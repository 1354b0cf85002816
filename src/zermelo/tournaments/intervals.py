"""Confidence intervals for scores: how certain a number of games makes a result."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
"""Standard deviations to either side of the mean that hold 95% of a normal distribution."""


@dataclass(frozen=True)
class Rate:
    """A mean score per game with its 95% interval."""

    value: float
    low: float
    high: float
    games: int  #: the number of independent samples: games, pairs of games, or openings

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


def score_rate(scores: Sequence[float]) -> Rate:
    """Return the mean of game scores (1, 0.5 or 0) with its 95% interval.

    It is Wilson's interval, with a variance that takes draws into account. It always lies between 0 and 1, and it is
    meaningful even if every game was won (after 100 wins in 100 games it begins at 96.3%).
    """
    return grouped_rate([[score] for score in scores])


def paired_rate(scores: Sequence[float]) -> Rate:
    """Do the same for games in pairs on the same opening, pair after pair. The last game may have no partner."""
    return grouped_rate([scores[i : i + 2] for i in range(0, len(scores), 2)])


def grouped_rate(groups: Sequence[Sequence[float]]) -> Rate:
    """Do the same for games in groups, such as all games on one opening.

    The games of a group may resemble or balance each other, so the sample is the group and not the game.
    """
    samples, n = len(groups), sum(map(len, groups))
    if n == 0:
        return Rate(0.5, 0.0, 1.0, 0)
    mean = sum(map(sum, groups)) / n
    variance = sum((sum(group) - len(group) * mean) ** 2 for group in groups) / n**2  # the variance of the mean
    # With draws, scores vary less than with wins and losses alone: as if more games had been played. Wilson's formula
    # is used with that effective number of games.
    effective = mean * (1 - mean) / variance if 0 < mean < 1 and variance > 0 else float(samples)
    z2 = Z95**2
    centre = (mean + z2 / (2 * effective)) / (1 + z2 / effective)
    half = Z95 * math.sqrt(mean * (1 - mean) / effective + z2 / (4 * effective**2)) / (1 + z2 / effective)
    return Rate(mean, max(0.0, centre - half), min(1.0, centre + half), samples)
