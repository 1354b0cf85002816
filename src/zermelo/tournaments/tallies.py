"""The ledger in numbers: how often two contestants have met and with what result, without reading their games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.files.checked import checked
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import Store

FAULTS = ("crash", "illegal move", "timeout", "wrong answer")
"""The beginnings of the reasons for which a game is lost by a fault."""


@dataclass(frozen=True)
class Tally:
    """The finished games of two contestants. All numbers are those of `first`, as the ledger has it."""

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
    on_ledger = store.execute(
        "SELECT first, second, COUNT(*) FROM pairs WHERE tournament = ? GROUP BY first, second", [tournament]
    )
    fault = " OR ".join("g.reason LIKE ?" for _ in FAULTS)
    patterns = [f"{beginning}%" for beginning in FAULTS]
    finished = store.execute(
        "SELECT p.first, p.second, COUNT(*), SUM(g.score), "
        "SUM(CASE WHEN g.score = 0.5 THEN 1 ELSE 0 END), "
        f"SUM(CASE WHEN g.score = 0 AND ({fault}) THEN 1 ELSE 0 END), "
        f"SUM(CASE WHEN g.score = 1 AND ({fault}) THEN 1 ELSE 0 END) "
        "FROM games g JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
        "WHERE g.tournament = ? GROUP BY p.first, p.second",
        [*patterns, *patterns, tournament],
    )
    known = {(first, second): values for first, second, *values in finished}
    return [
        checked(Tally(first, second, pairs, *_numbers(known.get((first, second), [0] * 5))))
        for first, second, pairs in sorted(on_ledger)
    ]


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


def _numbers(row: Sequence[Any]) -> tuple[int, float, int, int, int]:
    """The numbers of a tally, some of which a database may give as decimals."""
    games, points, draws, mine, theirs = row
    return int(games), float(points), int(draws), int(mine), int(theirs)


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
