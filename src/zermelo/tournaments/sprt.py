"""The sequential probability ratio test (SPRT), which stops a match as soon as its result is clear.

Two hypotheses are chosen before the first game: the difference is at most elo0, or it is at least elo1. After each pair
of games, the log-likelihood ratio of the two tells how strongly the games support the second one. The match stops when
the ratio reaches limits that follow from the error rates; with alpha = beta = 5% they are ±2.944.

The ratio is the generalised one. For each hypothesis it uses the likeliest distribution of outcomes that has exactly
that strength. In the logistic model, the strength is the mean score. In the normalised model, it is the distance of the
mean from one half, in standard deviations of a game. See Michel Van den Bergh (hardy.uhasselt.be/Fishtest), "The
generalized maximum likelihood ratio for the expectation value" and "Comments on normalized Elo", section 4.1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.errors import ZermeloError
from zermelo.language import gettext
from zermelo.tournaments.rating import NORMALISED_ELO, score_of_elo

NEVER_SEEN = 1e-3
"""The count used for an outcome that has not occurred, because its probability is not 0."""


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float, normalised: bool = True) -> float:
    """Return how strongly outcomes [L, D, W] or pairs [LL, LD, DD or WL, WD, WW] support elo1 over elo0."""
    seen = [max(float(count), NEVER_SEEN) for count in counts]
    total, last = sum(seen), len(seen) - 1
    shares, values = [count / total for count in seen], [i / last for i in range(len(seen))]
    if normalised:
        # The mean of two games has a smaller standard deviation than one game, by a factor of sqrt(2).
        per_unit = math.sqrt(2) if len(seen) == 5 else 1.0
        null, other = (
            _likeliest_with_distance(values, shares, elo * per_unit / NORMALISED_ELO) for elo in (elo0, elo1)
        )
    else:
        null, other = (_tilted([v - score_of_elo(elo) for v in values], shares) for elo in (elo0, elo1))
    return total * sum(share * math.log(b / a) for share, a, b in zip(shares, null, other, strict=True))


def _tilted(offsets: list[float], shares: list[float]) -> list[float]:
    """Return the likeliest distribution, given the shares seen, under which the offsets have mean 0.

    It is shares / (1 + x * offsets), where x is chosen so that the mean is 0 and all of these are positive. It is found
    by Newton's method, and by bisection where that leaves the bracket. (With five numbers, NumPy is ten times slower
    than plain Python.)
    """
    low, high = -1 / max(offsets), -1 / min(offsets)
    x = 0.0
    for _ in range(100):
        excess = slope = 0.0
        for share, offset in zip(shares, offsets, strict=True):
            part = offset / (1 + x * offset)
            excess += share * part
            slope += share * part * part
        if excess > 0:  # it falls as x grows
            low = x
        else:
            high = x
        step = excess / slope
        if abs(step) < 1e-13 * max(1.0, abs(x)):
            break
        x = x + step if low < x + step < high else (low + high) / 2
    return [share / (1 + x * offset) for share, offset in zip(shares, offsets, strict=True)]


def _likeliest_with_distance(values: list[float], shares: list[float], distance: float) -> list[float]:
    """Return the likeliest distribution whose mean is `distance` of its standard deviations above one half.

    For a given mean and standard deviation the condition is linear, and a few rounds are enough to find those two.
    """
    found = [1 / len(shares)] * len(shares)
    for _ in range(25):
        mean = sum(p * v for p, v in zip(found, values, strict=True))
        spread = math.sqrt(sum(p * (v - mean) ** 2 for p, v in zip(found, values, strict=True)))
        offsets = [v - 0.5 - distance * spread * (1 + ((v - mean) / spread) ** 2) / 2 for v in values]
        before, found = found, _tilted(offsets, shares)
        if max(abs(p - q) for p, q in zip(found, before, strict=True)) < 1e-10:
            break
    return found


@dataclass(frozen=True)
class Sprt:
    """The settings of the test, which are fixed before the first game."""

    elo0: float = 0.0  #: the new player is rejected if it is no stronger than this
    elo1: float = 10.0  #: the new player is accepted if it is at least this much stronger
    alpha: float = 0.05  #: the probability of accepting elo1 although elo0 is true
    beta: float = 0.05  #: the probability of accepting elo0 although elo1 is true
    normalised: bool = True  #: whether elo0 and elo1 are in normalised Elo instead of the usual Elo

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ZermeloError("sprt: elo0={elo0:g} must be less than elo1={elo1:g}", elo0=self.elo0, elo1=self.elo1)
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ZermeloError("sprt: alpha and beta must be error rates between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the test stops, for elo0 and for elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of these outcomes."""
        return log_likelihood_ratio(counts, self.elo0, self.elo1, self.normalised) if any(counts) else 0.0

    def verdict(self, counts: Sequence[float]) -> str | None:
        """Return `elo0` or `elo1`, or None if the test must continue."""
        ratio, (low, high) = self.ratio(counts), self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None

    def decide(self, pair_scores: Sequence[float]) -> "Running":
        """Return the test after these pairs, in the order of the schedule; a pair's score is from 0 to 2.

        Pairs after the verdict, which other threads may have played meanwhile, change nothing.
        """
        test = Running(self)
        for score in pair_scores:
            if test.verdict is not None:
                break
            test.add(score)
        return test

    def __str__(self) -> str:
        kind = gettext("normalised Elo") if self.normalised else gettext("Elo")
        return gettext("{kind} [{elo0:g}, {elo1:g}], error rates {alpha:g} and {beta:g}").format(
            kind=kind, elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta
        )


@dataclass
class Running:
    """A test while it runs."""

    sprt: Sprt
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    verdict: str | None = None  #: elo0 or elo1, or None while there is no verdict

    @property
    def used(self) -> int:
        """The number of pairs counted so far."""
        return sum(self.counts)

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio so far."""
        return self.sprt.ratio(self.counts)

    def add(self, pair_score: float) -> None:
        """Count one more pair, in which the new player scored from 0 to 2 points."""
        self.counts[round(2 * pair_score)] += 1
        self.verdict = self.sprt.verdict(self.counts)
