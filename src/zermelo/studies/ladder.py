"""Is each heuristic of a game better than the one before it? All of them play against each other.

The Reversi report kept a heuristic if it won a tournament of a few games. Here every pair of heuristics plays many
openings from both sides, at equal depth, and the scores have confidence intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.drawing.charts import heat_map
from zermelo.language import _
from zermelo.position import Game
from zermelo.studies.games import Progress, openings, pair_rate, pair_rate_dict, play_pairs, player_of
from zermelo.tournaments.intervals import Rate, grouped_rate


@dataclass(frozen=True)
class Pairing:
    """The score of one heuristic against another."""

    first: str
    second: str
    rate: Rate

    @property
    def verdict(self) -> str:
        """Which of the two is better, if the interval shows it."""
        if self.rate.low > 0.5:
            return _("{winner} beats {loser}").format(winner=self.first, loser=self.second)
        if self.rate.high < 0.5:
            return _("{winner} beats {loser}").format(winner=self.second, loser=self.first)
        return _("undecided")


@dataclass(frozen=True)
class Standing:
    """A heuristic's score over all its games. All games on one opening count as one sample."""

    heuristic: str
    rate: Rate


@dataclass(frozen=True)
class Ladder:
    """The result of the study: the standings, best first, and every pairing."""

    standings: list[Standing]
    pairings: list[Pairing]


def study(
    game: Game,
    heuristics: Sequence[str],
    *,
    pairs: int = 50,
    depth: int = 3,
    plies: int = 4,
    seed: int = 1,
    progress: Progress = lambda: None,
) -> Ladder:
    """Play every pair of heuristics on the same openings, two games on each.

    An opening that suits a heuristic suits it against all opponents. The interval of a heuristic's score therefore
    counts openings, not games.
    """
    starts = openings(game, pairs, plies, seed)
    scores: dict[str, list[list[float]]] = {name: [[] for _ in starts] for name in heuristics}
    players = {name: player_of(name, game, depth) for name in heuristics}
    pairings = []
    for i, first in enumerate(heuristics):
        for second in heuristics[i + 1 :]:
            found, _ = play_pairs(players[first], players[second], starts, progress)
            pairings.append(Pairing(first, second, pair_rate(found)))
            for at, score in enumerate(found):
                scores[first][at // 2].append(score)
                scores[second][at // 2].append(1 - score)
    standings = [Standing(name, grouped_rate(found)) for name, found in scores.items()]
    standings.sort(key=lambda standing: -standing.rate.value)
    return Ladder(standings, pairings)


def table(ladder: Ladder) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the cross table to print, best heuristic first."""
    names = [standing.heuristic for standing in ladder.standings]
    rates = _crossed(ladder)
    rows = []
    for standing in ladder.standings:
        cells = [f"{rates[standing.heuristic, other]:.0%}" if other != standing.heuristic else "" for other in names]
        half = (standing.rate.high - standing.rate.low) / 2
        rows.append([standing.heuristic, f"{standing.rate.value:.1%} ±{half:.1%}", *cells])
    return [_("heuristic"), _("score"), *names], rows


def _crossed(ladder: Ladder) -> dict[tuple[str, str], float]:
    """Return the score of each heuristic against each other one."""
    found = {}
    for pairing in ladder.pairings:
        found[pairing.first, pairing.second] = pairing.rate.value
        found[pairing.second, pairing.first] = 1 - pairing.rate.value
    return found


def to_dict(ladder: Ladder) -> dict[str, Any]:
    """Return the results in a form that can be written as JSON."""
    return {
        "standings": [
            {
                "heuristic": s.heuristic,
                "score": s.rate.value,
                "interval": [s.rate.low, s.rate.high],
                "openings": s.rate.games,
            }
            for s in ladder.standings
        ],
        "pairings": [
            {"first": p.first, "second": p.second, "verdict": p.verdict} | pair_rate_dict(p.rate)
            for p in ladder.pairings
        ],
    }


def chart(ladder: Ladder, game: Game) -> str:
    """Draw the scores of all pairings as a heat map."""
    names = [standing.heuristic for standing in ladder.standings]
    rates = _crossed(ladder)
    cells = [
        [(rates[row, column], f"{rates[row, column]:.0%}") if row != column else None for column in names]
        for row in names
    ]
    return heat_map(_("{title}: score of the row against the column").format(title=_(game.title)), names, names, cells)
