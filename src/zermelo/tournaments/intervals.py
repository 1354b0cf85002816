"""How sure a handful of games makes us."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
"""Two-sided 95% of the normal distribution."""


@dataclass(frozen=True)
class Rate:
    """A mean score per game with its 95% interval."""

    value: float
    low: float
    high: float
    games: int  #: the independent samples: games, or pairs of games, or openings

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


def score_rate(scores: Sequence[float]) -> Rate:
    """The mean of game scores (1, a half, 0) with a 95% interval.

    Wilson's, with the variance that the draws leave: between 0 and 1 whatever happens, and honest when every game
    was won (100 of 100: above 96.3%).
    """
    return grouped_rate([[score] for score in scores])


def paired_rate(scores: Sequence[float]) -> Rate:
    """The same for games played in pairs on one opening, pair after pair; the last one may lack its partner."""
    return grouped_rate([scores[i : i + 2] for i in range(0, len(scores), 2)])


def grouped_rate(groups: Sequence[Sequence[float]]) -> Rate:
    """The same for games that come in groups, such as all those on one opening.

    Games of a group may resemble each other or balance each other, so the group is the sample and not the game.
    """
    samples, n = len(groups), sum(map(len, groups))
    if n == 0:
        return Rate(0.5, 0.0, 1.0, 0)
    mean = sum(map(sum, groups)) / n
    variance = sum((sum(group) - len(group) * mean) ** 2 for group in groups) / n**2  # of the mean
    # Draws make the scores spread less than wins and losses alone; Wilson's formula for that many effective games.
    effective = mean * (1 - mean) / variance if 0 < mean < 1 and variance > 0 else float(samples)
    z2 = Z95**2
    centre = (mean + z2 / (2 * effective)) / (1 + z2 / effective)
    half = Z95 * math.sqrt(mean * (1 - mean) / effective + z2 / (4 * effective**2)) / (1 + z2 / effective)
    return Rate(mean, max(0.0, centre - half), min(1.0, centre + half), samples)
