"""The ledger in numbers: how often two contestants have met and with what result, without reading their games."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zermelo.files.checked import checked
from zermelo.tournaments.faults import FAULTS
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import Store


@dataclass(frozen=True, slots=True)
class Tally:
    """The finished games of two contestants. All numbers are those of `first`, as the ledger has it.

    A ladder has thousands, which are read again and again for weeks, so each takes as little memory as possible.
    """

    first: str
    second: str
    pairs: int  # on the ledger, finished or not
    games: int
    points: float
    draws: int
    faults: int  # games that `first` lost by a fault
    faults_of_second: int


def tallies(store: Store, tournament: str) -> list[Tally]:
    """Return what is known of each two contestants, in the order of their names.

    If the ledger has some pairs of two contestants the other way round, they are counted apart.
    """
    fault = " OR ".join("g.reason LIKE ?" for _ in FAULTS)
    patterns = [f"{beginning}%" for beginning in FAULTS]
    rows = store.execute(
        "SELECT first, second, COUNT(*), SUM(games), SUM(points), SUM(draws), SUM(mine), SUM(theirs) FROM ("
        "SELECT p.first AS first, p.second AS second, COUNT(g.pair) AS games, COALESCE(SUM(g.score), 0) AS points, "
        "SUM(CASE WHEN g.score = 0.5 THEN 1 ELSE 0 END) AS draws, "
        f"SUM(CASE WHEN g.score = 0 AND ({fault}) THEN 1 ELSE 0 END) AS mine, "
        f"SUM(CASE WHEN g.score = 1 AND ({fault}) THEN 1 ELSE 0 END) AS theirs "
        "FROM pairs p LEFT JOIN games g ON g.tournament = p.tournament AND g.pair = p.id "
        "WHERE p.tournament = ? GROUP BY p.id, p.first, p.second) AS each_pair GROUP BY first, second",
        [*patterns, *patterns, tournament],
    )
    rows.sort(key=lambda row: row[:2])
    return [_tally(*row) for row in rows]


def _tally(first: str, second: str, pairs: int, games: int, points: float, *counts: int) -> Tally:
    """The tally in a row. A database may give its sums as decimals."""
    found = checked(Tally(first, second, int(pairs), int(games), float(points), *(int(count) for count in counts)))
    return replace(found, first=sys.intern(first), second=sys.intern(second))


def pair_points(store: Store, tournament: str, contestants: Sequence[str]) -> list[tuple[str, str, float, int]]:
    """Return (first, second, points of first, number) for the finished pairs of these contestants against anybody.

    The points of a pair are 0, 0.5, ... or 2. They tell the error of a score, which the sum of all points does not.
    """
    listed = ", ".join("?" * len(contestants)) or "NULL"
    rows = store.execute(
        "SELECT first, second, points, COUNT(*) FROM ("
        "SELECT p.first AS first, p.second AS second, SUM(g.score) AS points "
        "FROM games g JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
        f"WHERE g.tournament = ? AND (p.first IN ({listed}) OR p.second IN ({listed})) "
        "GROUP BY p.id, p.first, p.second HAVING COUNT(*) = 2) AS finished GROUP BY first, second, points",
        [tournament, *contestants, *contestants],
    )
    return [(str(first), str(second), float(points), int(number)) for first, second, points, number in rows]


def open_pairs(store: Store, tournament: str) -> list[Pair]:
    """Return the pairs of the ledger of which a game is missing."""
    rows = store.execute(
        "SELECT p.id, p.round, p.first, p.second, p.number, p.opening, p.depth_step, p.seed "
        "FROM pairs p LEFT JOIN games g ON p.tournament = g.tournament AND p.id = g.pair "
        "WHERE p.tournament = ? GROUP BY p.tournament, p.id HAVING COUNT(g.pair) < 2 "
        "ORDER BY p.round, p.number, p.id",
        [tournament],
    )
    return [checked(Pair(*row)) for row in rows]


def scores_of(store: Store, tournament: str, pair: str) -> dict[bool, float]:
    """Return swapped -> the points of the pair's first player, for the finished games of a pair."""
    rows = store.execute("SELECT swapped, score FROM games WHERE tournament = ? AND pair = ?", [tournament, pair])
    return {bool(swapped): score for swapped, score in rows}
