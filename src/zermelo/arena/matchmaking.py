"""Whom to pair next on the ladder: those whose game tells most about the order.

What a game tells about two contestants is the uncertainty of their difference times the closeness of the two: the
variance of the difference by the games so far, times p (1 - p), where p is the probability that one of them wins. A
newcomer first meets rungs, whose strength is known best. Nobody is left behind: whoever has played much less than the
others comes first. Marks and feedback name the rungs that a student has beaten, so everybody also meets every rung a
few times, even where the result tells next to nothing about the order.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from zermelo.tournaments.rating import ELO, fit

PRIOR_SPREAD = 400.0
"""Points of Elo: before any game, a contestant is this far (one standard deviation) from the others."""

KNOWN = 7.5
"""Points of Elo: two equal contestants whose difference has a standard error below this are not paired any more."""

NEWCOMER = 3
"""Number of meetings with rungs before a newcomer meets other students."""

RUNG_PAIRS = 5
"""Pairs that every student plays against every rung. Winning all of them is 98% certain not to be luck."""


class Matchmaker:
    """The results between the contestants who play at present, and whom they suggest to pair next."""

    def __init__(self, rungs: Collection[str], pairs_at_once: int = 2, most_pairs: int | None = None):
        """most_pairs: a contestant who has played so many plays only where others need it."""
        self.rungs, self.pairs_at_once, self.most_pairs = frozenset(rungs), pairs_at_once, most_pairs
        self.rung_pairs = RUNG_PAIRS  # at most half of a contestant's pairs are played for the sake of the marks
        if most_pairs is not None and self.rungs:
            self.rung_pairs = min(RUNG_PAIRS, most_pairs // (2 * len(self.rungs)))
        self.worth = (KNOWN / ELO) ** 2 / 4
        self.names: list[str] = []
        self._place: dict[str, int] = {}
        self._scored: dict[tuple[str, str], float] = {}  # (one, other) -> the points of one against the other
        self._points = np.zeros((0, 0))

    def enter(self, names: Sequence[str]) -> None:
        """From now on these contestants play, and no others. What is known of the others is kept."""
        self.names = list(names)
        self._place = {name: i for i, name in enumerate(self.names)}
        self._points = np.zeros((len(names), len(names)))
        for (one, other), points in self._scored.items():
            if one in self._place and other in self._place:
                self._points[self._place[one], self._place[other]] = points

    def know(self, points: Mapping[tuple[str, str], float]) -> None:
        """Replace all results by these: (one, other) -> the points of one against the other."""
        self._scored = dict(points)
        self.enter(self.names)

    def add(self, one: str, other: str, points: float, games: int = 2) -> None:
        """Count games between two contestants, in which `one` scored so many points."""
        for a, b, scored in ((one, other, points), (other, one, games - points)):
            self._scored[a, b] = self._scored.get((a, b), 0.0) + scored
            if a in self._place and b in self._place:
                self._points[self._place[a], self._place[b]] = self._scored[a, b]

    def gains(self) -> np.ndarray:
        """What a game between each two contestants would tell about their order."""
        log_strength, covariance = fit(self._points, (ELO / PRIOR_SPREAD) ** 2)
        variance = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
        wins = 1 / (1 + np.exp(log_strength[None, :] - log_strength[:, None]))
        gains: np.ndarray = variance * wins * (1 - wins)
        np.fill_diagonal(gains, 0.0)
        return gains

    def choose(
        self,
        room: int,
        busy: Collection[str] = (),
        can_meet: Callable[[str, str], bool] = lambda one, other: True,
    ) -> Iterator[tuple[str, str]]:
        """Yield at most `room` meetings, the most telling first, as far as they are worth playing.

        busy: contestants who are in a meeting already; rungs never are. can_meet: do the two have openings left?
        """
        if room <= 0 or len(self.names) < 2:
            return
        gains = self.gains()
        games = self._points + self._points.T
        played = games.sum(axis=1)
        is_rung = np.array([name in self.rungs for name in self.names])
        with_rungs = games @ is_rung
        due = (is_rung[:, None] != is_rung[None, :]) & (games < 2 * self.rung_pairs)
        is_new = ~is_rung & (with_rungs < NEWCOMER * 2 * self.pairs_at_once) & is_rung.any()
        gains[is_new] *= is_rung[None, :]
        gains[:, is_new] *= is_rung[:, None]
        gains[np.triu_indices(len(gains))] = 0.0  # each two contestants once
        free = np.array([name not in busy for name in self.names]) | is_rung
        gains *= free[:, None] & free[None, :]
        gains[gains < self.worth] = 0.0
        if self.most_pairs is not None:
            has_enough = played >= 2 * self.most_pairs
            gains *= ~(has_enough[:, None] & has_enough[None, :])
        due &= free[:, None] & free[None, :] & np.tri(len(gains), k=-1, dtype=bool)
        gains[due] = np.maximum(gains[due], self.worth)
        usual = float(np.median(played[~is_rung])) if not is_rung.all() else 0.0
        while room and gains.any():
            # Whoever has played less than half as much as usual comes first, and most of all the one with fewest games.
            lacks = ~is_rung & (due.any(axis=0) | due.any(axis=1))
            first = np.argsort(played, kind="stable")
            behind = [i for i in first if played[i] < usual / 2 or is_new[i] or lacks[i]]
            found = next((i for i in behind if gains[i].any() or gains[:, i].any()), None)
            if found is None:
                best = np.unravel_index(int(gains.argmax()), gains.shape)
                one, other = int(best[1]), int(best[0])
            else:
                both = gains[found] + gains[:, found]
                if lacks[found]:
                    both = both * (due[found] | due[:, found])
                one, other = sorted((int(found), int(both.argmax())))
            gains[other, one] = 0.0
            due[other, one] = False
            if not can_meet(self.names[one], self.names[other]):
                continue
            room -= 1
            for i in (one, other):
                if not is_rung[i]:
                    gains[i] = gains[:, i] = 0.0
                    due[i] = due[:, i] = False
            yield self.names[one], self.names[other]
