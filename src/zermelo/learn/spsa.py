"""Weights by play: simultaneous perturbation stochastic approximation.

Each iteration tosses a coin for every weight, moves all of them up or down a little as the coins say, and lets that
player meet the one moved the other way. If it wins, the weights go a step in its direction. With a dozen weights this
needs no more games than with one. J. Spall, An overview of the simultaneous perturbation method (1998); the decay of
both steps is his. The result is the mean of the second half of the way, which is steadier than its end.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.tournaments.openings import digest

PERTURBATION_DECAY, STEP_DECAY = 0.101, 0.602
Vector = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Spsa:
    """How the search goes; all lengths are shares of a weight's usual size."""

    iterations: int = 200
    perturbation: float = 0.4  # at first
    step: float = 0.6  # at first, for a score of 100%
    seed: int = 1

    def coins(self, iteration: int, number: int) -> Vector:
        """1 or -1 for every weight."""
        bits = [digest(f"{self.seed} coin {iteration} {i}") & 1 for i in range(number)]
        return np.array(bits, float) * 2 - 1

    def perturbation_at(self, iteration: int) -> float:
        return float(self.perturbation / (iteration + 1) ** PERTURBATION_DECAY)

    def step_at(self, iteration: int) -> float:
        settled = self.iterations / 10  # steps stay large for about so long
        return float(self.step * ((1 + settled) / (iteration + 1 + settled)) ** STEP_DECAY)

    def pair(self, place: Vector, iteration: int) -> tuple[Vector, Vector]:
        """The two players of an iteration."""
        moved = self.perturbation_at(iteration) * self.coins(iteration, len(place))
        return place + moved, place - moved

    def after(self, place: Vector, iteration: int, score: float) -> Vector:
        """Where to stand after an iteration in which the first of the two scored this share of the points."""
        return place + self.step_at(iteration) * (2 * score - 1) * self.coins(iteration, len(place))


def mean_of_second_half(way: list[list[float]]) -> Vector:
    """The mean of the later places of a way."""
    return np.asarray(np.mean(np.array(way[len(way) // 2 :], float), axis=0))
