"""Tuning weights by playing games: simultaneous perturbation stochastic approximation (SPSA).

Each iteration tosses a coin for every weight and moves all weights up or down a little, as the coins say. The player
with these weights meets the one whose weights were moved the other way, and the weights then take a step towards the
winner. A dozen weights need no more games than one. The method and the decay of both step sizes are from J. Spall, An
overview of the simultaneous perturbation method (1998). The result is the mean over the second half of the iterations,
which varies less than the last one.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo.tournaments.openings import digest

PERTURBATION_DECAY, STEP_DECAY = 0.101, 0.602
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Spsa:
    """The settings of the method. Both step sizes are shares of a weight's usual size."""

    iterations: int = 200
    perturbation: float = 0.4  # initial size
    step: float = 0.6  # initial size, for a score of 100%
    seed: int = 1

    def coins(self, iteration: int, number: int) -> Vector:
        """Return 1 or -1 for every weight."""
        bits = [digest(f"{self.seed} coin {iteration} {i}") & 1 for i in range(number)]
        return np.array(bits, float) * 2 - 1

    def perturbation_at(self, iteration: int) -> float:
        """Return how far the two players of an iteration are moved."""
        return float(self.perturbation / (iteration + 1) ** PERTURBATION_DECAY)

    def step_at(self, iteration: int) -> float:
        """Return how far the weights move after an iteration with a score of 100%."""
        settled = self.iterations / 10  # the steps stay large for about this many iterations
        return float(self.step * ((1 + settled) / (iteration + 1 + settled)) ** STEP_DECAY)

    def pair(self, place: Vector, iteration: int) -> tuple[Vector, Vector]:
        """Return the weights of the two players of an iteration."""
        moved = self.perturbation_at(iteration) * self.coins(iteration, len(place))
        return place + moved, place - moved

    def after(self, place: Vector, iteration: int, score: float) -> Vector:
        """Return the weights after an iteration in which the first player scored this share of the points."""
        return place + self.step_at(iteration) * (2 * score - 1) * self.coins(iteration, len(place))


def mean_of_second_half(way: list[list[float]]) -> Vector:
    """Return the mean of the weights in the second half of the iterations."""
    return np.asarray(np.mean(np.array(way[len(way) // 2 :], float), axis=0))
