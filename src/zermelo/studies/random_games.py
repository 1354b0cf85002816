"""The first measure of the Connect 4 report, a hundred games against random moves, with a confidence interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.drawing.charts import Bar, bars
from zermelo.language import _
from zermelo.match import play_match
from zermelo.players import RandomPlayer
from zermelo.position import Game
from zermelo.studies.games import player_of
from zermelo.tournaments.intervals import Rate, score_rate


@dataclass(frozen=True)
class Result:
    """The results of a heuristic against random moves."""

    heuristic: str
    rate: Rate
    wins: int
    draws: int
    losses: int


def study(
    game: Game,
    heuristics: Sequence[str],
    *,
    games: int = 100,
    depth: int = 4,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> list[Result]:
    """Play each heuristic (with alpha-beta) or search at this depth against random moves, which are never the same."""
    results = []
    for heuristic in heuristics:
        player = player_of(heuristic, game, depth)
        scores = []
        for number in range(games):
            chance = RandomPlayer(seed * 1_000_003 + number)
            plays_first = number % 2 == 0
            first, second = (player, chance) if plays_first else (chance, player)
            record = play_match(first, second, game.start())
            scores.append(record.score if plays_first else 1 - record.score)
            progress()
        wins, draws = scores.count(1.0), scores.count(0.5)
        results.append(Result(heuristic, score_rate(scores), wins, draws, games - wins - draws))
    return results


def table(results: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the table to print."""
    heading = [_("heuristic"), _("won"), _("drawn"), _("lost"), _("score, 95% interval")]
    return heading, [[r.heuristic, str(r.wins), str(r.draws), str(r.losses), str(r.rate)] for r in results]


def to_dict(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return the results in a form that can be written as JSON."""
    return [
        {
            "heuristic": r.heuristic,
            "wins": r.wins,
            "draws": r.draws,
            "losses": r.losses,
            "score": r.rate.value,
            "interval": [r.rate.low, r.rate.high],
        }
        for r in results
    ]


def chart(results: Sequence[Result], game: Game) -> str:
    """Draw the scores as bars with their intervals."""
    groups = [
        (r.heuristic, [Bar(_("score against random moves"), r.rate.value, str(r.rate), (r.rate.low, r.rate.high))])
        for r in results
    ]
    return bars(
        _("{title}: {number} games against random moves").format(title=_(game.title), number=results[0].rate.games),
        groups,
        most=1.0,
    )
