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
    games: int

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


def score_rate(scores: Sequence[float]) -> Rate:
    """The mean of game scores (1, a half, 0) with a 95% interval.

    Wilson's, with the variance that the draws leave: between 0 and 1 whatever happens, and honest when every game
    was won (100 of 100: above 96.3%).
    """
    n = len(scores)
    if n == 0:
        return Rate(0.5, 0.0, 1.0, 0)
    mean = sum(scores) / n
    spread = sum((s - mean) ** 2 for s in scores) / n
    # Draws make the scores spread less than wins and losses alone; Wilson's formula for that many effective games.
    effective = n * mean * (1 - mean) / spread if 0 < mean < 1 and spread > 0 else float(n)
    z2 = Z95**2
    centre = (mean + z2 / (2 * effective)) / (1 + z2 / effective)
    half = Z95 * math.sqrt(mean * (1 - mean) / effective + z2 / (4 * effective**2)) / (1 + z2 / effective)
    return Rate(mean, max(0.0, centre - half), min(1.0, centre + half), n)
