"""How much stronger one player is: Elo differences between two players, and Bradley-Terry ratings of many.

Games are played in pairs on the same opening, with colours swapped. The two games of a pair are not independent, since
an opening may favour one side. The errors are therefore computed from pairs, which have five outcomes, [LL, LD, DD or
WL, WD, WW], hence the name "pentanomial". Games that are not in pairs have three outcomes, [L, D, W].

Elo expresses a score on the usual scale, on which 400 points are odds of ten to one. Normalised Elo expresses it in
standard deviations of a game instead, so it tells how many games it takes to see a difference, however many games are
drawn. See Michel Van den Bergh, "Comments on normalized Elo"
(hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.language import gettext
from zermelo.tournaments.intervals import Z95, score_rate

ELO = 400 / math.log(10)
"""Points of Elo per unit of the natural logarithm of the odds."""

NORMALISED_ELO = 800 / math.log(10)
"""Points of normalised Elo per standard deviation of a game, chosen to agree with Elo when nothing is drawn."""

HALF_A_DRAW = 0.5

USUAL_SPREAD = 300.0
"""Points of Elo: the standard deviation of the strengths of players, before any game is known."""


def score_of_elo(elo: float) -> float:
    """Return the mean score of a player who is stronger by this many points.

    >>> score_of_elo(400)
    0.9090909090909091
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the difference in Elo that gives this mean score; it is infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -ELO * math.log(1 / score - 1)


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Return the mean and variance of outcomes worth 0 to 1 in equal steps: [L, D, W] or [LL, LD, DD or WL, WD, WW]."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(n * i / last for i, n in enumerate(counts)) / total
    return mean, sum(n * (i / last - mean) ** 2 for i, n in enumerate(counts)) / total


@dataclass(frozen=True)
class Difference:
    """How a player did against another. All values are those of the first player."""

    games: int
    score: float
    elo: float
    elo_interval: tuple[float, float]  #: the 95% interval
    normalised_elo: float
    normalised_elo_error: float  #: half the width of the 95% interval
    superiority: float  #: the probability that the player is the stronger one

    @property
    def elo_error(self) -> float:
        """Half the width of the interval."""
        low, high = self.elo_interval
        return (high - low) / 2

    def __str__(self) -> str:
        low, high = self.elo_interval
        if math.isinf(low) and math.isinf(high):
            return gettext("Elo unknown")
        if math.isinf(high) or self.elo == math.inf:
            return gettext("Elo above {low:.0f}").format(low=low)
        if math.isinf(low) or self.elo == -math.inf:
            return gettext("Elo below {high:.0f}").format(high=high)
        return f"Elo {self.elo:+z.1f} ± {self.elo_error:.1f}"


def difference(counts: Sequence[int]) -> Difference:
    """Return the difference of two players, given [losses, draws, wins] or pairs, [LL, LD, DD or WL, WD, WW]."""
    units = sum(counts)
    games_per_unit = {3: 1, 5: 2}[len(counts)]
    if units == 0:
        return Difference(0, 0.5, 0.0, (-math.inf, math.inf), 0.0, math.inf, 0.5)
    mean, variance = mean_and_variance(counts)
    games = units * games_per_unit
    if variance == 0:  # all results are the same, so they cannot tell the error
        last = len(counts) - 1
        rate = score_rate([i / last for i, n in enumerate(counts) for _ in range(n)])
        interval = elo_of_score(rate.low), elo_of_score(rate.high)
        normalised = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        # Laplace's rule: the probability that a coin favours heads, after it has shown heads every time.
        certainty = 1 - 0.5 ** (units + 1)
        superiority = 0.5 if mean == 0.5 else certainty if mean > 0.5 else 1 - certainty
        return Difference(games, mean, elo_of_score(mean), interval, normalised, math.inf, superiority)
    error = math.sqrt(variance / units)
    interval = elo_of_score(mean - Z95 * error), elo_of_score(mean + Z95 * error)
    # A pair's score is the mean of two games; the standard deviation of one game is sqrt(2) times as large.
    spread = math.sqrt(variance * games_per_unit)
    return Difference(
        games=games,
        score=mean,
        elo=elo_of_score(mean),
        elo_interval=interval,
        normalised_elo=NORMALISED_ELO * (mean - 0.5) / spread,
        normalised_elo_error=NORMALISED_ELO * Z95 * error / spread,
        superiority=superiority_of(mean - 0.5, error),
    )


def superiority_of(lead: float, error: float) -> float:
    """Return the probability that a difference is above 0, if it was measured with this standard error.

    >>> superiority_of(0, 10)
    0.5
    """
    return 0.5 * (1 + math.erf(lead / (error * math.sqrt(2))))


# ------------------------------------------------------------------------------------------ many players


@dataclass(frozen=True)
class Rating:
    """A player's strength in Elo above the mean of its group. A group is the players that are connected by games."""

    player: str
    elo: float
    error: float  #: the standard error
    group: int  #: the number of the group; ratings of different groups cannot be compared
    note: str = ""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval."""
        return self.elo - Z95 * self.error, self.elo + Z95 * self.error


Points = Mapping[tuple[str, str], tuple[float, float]]
"""(one, other) -> the points that each scored against the other."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of players, in the order of `players`, and how their errors depend on each other."""

    players: Sequence[str]
    elo: np.ndarray
    covariance: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """The standard errors of the ratings."""
        found: np.ndarray = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        return found

    def errors_of_differences(self) -> np.ndarray:
        """The standard error of the difference of each two players."""
        own = np.diag(self.covariance)
        found: np.ndarray = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 0.0))
        return found

    def only(self, players: Sequence[str]) -> "Ratings":
        """The ratings of these players. What is known of the others is forgotten; its size grows with their square."""
        place = {name: i for i, name in enumerate(self.players)}
        at = [place[name] for name in players]
        return Ratings(list(players), self.elo[at], self.covariance[np.ix_(at, at)])

    def measured_from(self, player: str) -> "Ratings":
        """The same ratings on a scale on which this player has 0 by definition."""
        zero = list(self.players).index(player)
        rest = self.covariance - self.covariance[zero][None, :]
        return Ratings(self.players, self.elo - self.elo[zero], rest - rest[:, zero][:, None])


def bradley_terry(points: Points, players: Sequence[str] = (), prior: float = HALF_A_DRAW) -> list[Rating]:
    """Return ratings by maximum likelihood, the strongest first; i wins a game against j with odds e^(r_i - r_j).

    A draw counts as half a win and half a loss. `prior` is the number of draws added to each pairing that was played,
    so that no rating is infinite. The standard errors come from the curvature of the likelihood at its maximum, with
    the mean rating of each group at 0. They are right for games that are independent.
    """
    names, scored = score_matrix(points, players)
    ratings = []
    for number, members in enumerate(_groups(scored + scored.T > 0)):
        inside = scored[np.ix_(members, members)]
        played = inside + inside.T
        log_strength, covariance = fit(inside + (played > 0) * prior / 2)
        for i, member in enumerate(members):
            error = ELO * math.sqrt(covariance[i, i])
            note = _note(inside[i].sum(), played[i].sum())
            ratings.append(Rating(names[member], ELO * log_strength[i], error, number, note))
    return sorted(ratings, key=lambda r: (r.group, -r.elo))


def ladder_ratings(points: Points, players: Sequence[str] = ()) -> Ratings:
    """Return ratings of players who were paired by their results so far, with errors that allow for that.

    If those who seem to be close are paired, maximum likelihood draws the players apart: ratings spread too far, and
    their errors are too small. So strengths are taken to come from a normal distribution, whose width follows from the
    data (by expectation maximisation). What is then known does not depend on how the games were chosen. Nobody needs
    to be connected by games; a player without games has the mean rating and the error of a player drawn blindly.
    """
    names, scored = score_matrix(points, players)
    width = USUAL_SPREAD / ELO
    for _ in range(50):
        log_strength, covariance = fit(scored, width**-2)
        before = width
        if names:
            width = math.sqrt(float((log_strength**2 + np.diag(covariance)).mean()))
        if abs(width / before - 1) < 0.005:
            break
    return Ratings(names, ELO * log_strength, ELO**2 * covariance)


def strength_against(results: Sequence[tuple[float, float]], middle: float) -> tuple[float, float]:
    """Return the strength, and its standard error, of somebody who played opponents of known strength.

    results: for each game, the opponent's Elo and the points scored, 0 to 1. As in `ladder_ratings`, strengths come
    from a normal distribution, here around `middle`, so that a few wins do not make a champion.
    """
    strength, precision = middle, USUAL_SPREAD**-2
    curvature = precision
    for _ in range(100):
        expected = [score_of_elo(strength - elo) for elo, _points in results]
        gradient = sum(points - e for (_elo, points), e in zip(results, expected, strict=True)) / ELO
        gradient -= precision * (strength - middle)
        curvature = sum(e * (1 - e) for e in expected) / ELO**2 + precision
        step = gradient / curvature
        strength += max(-ELO, min(ELO, step))
        if abs(step) < 1e-6:
            break
    return strength, curvature**-0.5


def score_matrix(points: Points, players: Sequence[str] = ()) -> tuple[list[str], np.ndarray]:
    """Return the players, and the points that each (row) scored against each other one (column)."""
    names = list(dict.fromkeys([*players, *(name for pair in points for name in pair)]))
    place = {name: i for i, name in enumerate(names)}
    scored = np.zeros((len(names), len(names)))
    for (one, other), (mine, theirs) in points.items():
        if one != other and mine + theirs > 0:
            scored[place[one], place[other]] += mine
            scored[place[other], place[one]] += theirs
    return names, scored


def _note(scored: float, played: float) -> str:
    if played == 0:
        return gettext("has not played")
    if scored in (0, played):
        said = gettext("won every game: {why}") if scored else gettext("lost every game: {why}")
        return said.format(why=gettext("the rating is finite only because half a draw is added to each pairing"))
    return ""


def _groups(met: np.ndarray) -> list[list[int]]:
    """Return the groups of players that are connected by games, the largest first."""
    groups, left = [], set(range(len(met)))
    while left:
        group, fringe = set(), {min(left)}
        while fringe:
            group |= fringe
            fringe = {int(j) for i in fringe for j in np.flatnonzero(met[i])} - group
        groups.append(sorted(group))
        left -= group
    return sorted(groups, key=lambda group: (-len(group), group))


def fit(scored: np.ndarray, precision: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return log-strengths and their covariance, by Newton's method (the log-likelihood is concave).

    The log-strengths sum to 0. With a precision they come from a normal distribution around 0 of that precision (one
    over its variance), so that players need not be connected by games.
    """
    size = len(scored)
    played = scored + scored.T
    points = scored.sum(axis=1)
    rating = np.zeros(size)
    # A ladder has hundreds of contestants, so these arrays are large. They are made once, and filled again and again.
    expected, curvature = np.empty_like(played), np.empty_like(played)
    # Adding the same number to all log-strengths changes nothing, so the curvature has no inverse. A term that holds
    # their sum at 0 gives it one; it is as large as the other terms, and is subtracted again at the end.
    for _ in range(200):
        np.subtract(rating[None, :], rating[:, None], out=expected)
        np.exp(expected, out=expected)
        expected += 1
        np.reciprocal(expected, out=expected)
        gradient = points - np.einsum("ij,ij->i", played, expected) - precision * rating
        np.subtract(1, expected, out=curvature)
        curvature *= expected
        curvature *= played
        own = curvature.sum(axis=1)
        held = 0.0 if precision else max(float(own.mean()), 1e-300) / size if size else 0.0
        np.subtract(held, curvature, out=curvature)
        curvature.flat[:: size + 1] += own + precision
        step = np.linalg.solve(curvature, gradient)
        largest = np.abs(step).max(initial=0.0)
        rating = rating + step / max(1.0, largest)  # at most a factor e per step: larger steps overshoot
        if largest < 1e-10:
            break
    del played, expected
    covariance = np.linalg.inv(curvature)
    if not precision and size:
        covariance -= 1 / (held * size**2)
        rating -= rating.mean()
    return rating, covariance
