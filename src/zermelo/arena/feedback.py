"""What a student is told about one contestant: results, faults, time, blunders, progress, and what to aim at next.

A snapshot holds facts and no sentences, so that each reader gets them in the own language. It names other students
nowhere. Only the pages of its own student and the teacher's show it.
"""

import math
import re
import statistics
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from zermelo.arena.blunders import Blunder, blunders_in, worst
from zermelo.arena.records import Records, now
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Entrant
from zermelo.match import Record
from zermelo.tournaments.faults import FAULTS
from zermelo.tournaments.intervals import Rate, grouped_rate
from zermelo.tournaments.rating import Points, Ratings, difference, ladder_ratings, superiority_of
from zermelo.tournaments.store import Store
from zermelo.tournaments.stored import Result, StoredGame
from zermelo.tournaments.tallies import tallies

LADDER = "ladder"
INDEX = "feedback"
"""The snapshot that says of each contestant how many games its feedback knows, and how many have been reviewed."""

LATEST = 100
"""The number of latest games whose moves are read for the time and nodes of a move."""

MOST_REVIEWED = 40
"""The number of games of a contestant in which blunders are looked for: the lost ones first, then drawn ones."""

MOST_FAULTS = 5
"""The number of latest faults that are shown with their positions."""

NEW_RATINGS = 1.1
"""The ratings are computed again when there are so many times the games that there were before."""

_kept: weakref.WeakKeyDictionary[Store, tuple[Counter[str], Ratings]] = weakref.WeakKeyDictionary()

SURE = 0.95
"""The probability from which the arena says that one is stronger than the other."""


def snapshot_name(contestant: str) -> str:
    """The name under which the feedback for a contestant is published."""
    return f"feedback/{contestant}"


# ------------------------------------------------------------------------------------------ the chore


def feedback_chore(records: Records, store: Store, settings: ArenaSettings) -> bool:
    """Bring the feedback for one contestant up to date, or review one more game. False if there is nothing to do."""
    if not store.hold(INDEX):  # another worker does it
        return False
    try:
        return _bring_up_to_date(records, store)
    finally:
        store.let_go(INDEX)


def _bring_up_to_date(records: Records, store: Store) -> bool:
    entrants = {one.name: one for one in records.contestants()}
    points = _points(store)
    games = _games(points)
    known: dict[str, list[int]] = records.published(INDEX)[1]
    mine = [name for name, one in entrants.items() if one.kind == "student" and one.student and games[name]]
    stale = [name for name in mine if games[name] > known.get(name, [0, 0])[0]]
    unreviewed = [name for name in mine if known.get(name, [0, 0])[1]]
    if not stale and not unreviewed:
        return False
    # The feedback that knows the smallest part of its contestant's games comes first.
    name = min(stale or unreviewed, key=lambda name: known.get(name, [0, 0])[0] / games[name])
    content = records.published(snapshot_name(name))[1]
    if name in stale:
        content |= facts_of(name, store, entrants, points)
    left = _review_one_more(content, store, name)
    with records.changing():
        if entrants[name].student not in {one.id for one in records.students()}:
            return True  # the student's data was deleted meanwhile
        records.publish(snapshot_name(name), content)
        index = records.published(INDEX)[1]
        records.publish(INDEX, index | {name: [content["games"], left]})
    return True


def _points(store: Store) -> Points:
    """The points of every two who have met on the ladder."""
    if LADDER not in store.names():
        return {}
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for one in tallies(store, LADDER):
        if one.games:
            key = (one.first, one.second) if one.first <= one.second else (one.second, one.first)
            mine, theirs = one.points, one.games - one.points
            if key[0] != one.first:
                mine, theirs = theirs, mine
            before = found.get(key, (0.0, 0.0))
            found[key] = before[0] + mine, before[1] + theirs
    return found


def _ratings(store: Store, points: Points, name: str, entrants: Mapping[str, Entrant]) -> Ratings:
    """The ratings of the rungs, of this contestant and the one before it, and of those who are asked about most.

    They are kept until the ladder or this contestant has played a good part more. The ratings of all would take ever
    more memory, because there is an error for every two versions that have ever played.
    """
    games = _games(points)
    known = _kept.get(store)
    before = _before(name, entrants)
    wanted = {one for one in (name, before.name if before is not None else name) if games[one]}
    if (
        known is None
        or games.total() > NEW_RATINGS * known[0].total()
        or games[name] > NEW_RATINGS * known[0][name]
        or not wanted <= set(known[1].players)
    ):
        latest: dict[str, list[str]] = {}
        for one in entrants.values():
            if games[one.name]:
                latest.setdefault(one.name if one.student is None else one.student, []).append(one.name)
        needed = wanted.union(*(theirs[-2:] for theirs in latest.values()))
        known = _kept[store] = (games, ladder_ratings(points).only(sorted(needed)))
    return known[1]


def _before(name: str, entrants: Mapping[str, Entrant]) -> Entrant | None:
    """The contestant of the same student before this one."""
    mine = [one for one in entrants.values() if one.student == entrants[name].student]
    earlier = [one for one in mine if one.number < entrants[name].number]
    return earlier[-1] if earlier else None


def _games(points: Points) -> Counter[str]:
    """The number of games of each contestant."""
    games: Counter[str] = Counter()
    for (one, other), scored in points.items():
        games[one] += round(sum(scored))
        games[other] += round(sum(scored))
    return games


# ------------------------------------------------------------------------------------------ facts from the ledger


def facts_of(name: str, store: Store, entrants: Mapping[str, Entrant], points: Points) -> dict[str, Any]:
    """Everything about a contestant that follows from the ledger, without judging moves."""
    results = [Mine(name, one) for one in store.results(LADDER, 1_000_000, players=(name,), latest=True)]
    faults = [one for one in results if one.is_fault]
    ratings = _ratings(store, points, name, entrants)
    rungs = _rung_results(results, entrants, ratings)
    students = [one for one in results if entrants[one.against].kind == "student"]
    return {
        "contestant": name,
        "updated": now(),
        "games": len(results),
        "wins": sum(one.score == 1 for one in results),
        "draws": sum(one.score == 0.5 for one in results),
        "losses": sum(one.score == 0 for one in results),
        "rungs": rungs,
        "students": _rate_dict(_rate(students)) | _counts(students),
        "fault_kinds": dict(Counter(one.result.reason.partition(":")[0] for one in faults)),
        "faults": [_fault(one, store) for one in faults[:MOST_FAULTS]],
        "thought": _thought(name, store.games_of(LADDER, name, LATEST)),
        "previous": _previous(name, store, entrants, ratings),
        "next": next_rung(rungs),
    }


class Mine:
    """A result from one contestant's point of view."""

    def __init__(self, name: str, result: Result):
        self.result = result
        self.seat = 1 if result.players[0] == name else 2
        self.score = result.score if self.seat == 1 else 1 - result.score
        self.against = result.players[2 - self.seat]

    @property
    def is_fault(self) -> bool:
        return self.score == 0 and self.result.reason.startswith(FAULTS)

    def is_of(self, which: str) -> bool:
        """Is it one of all, won, drawn, lost, or of those lost by a fault (`faults`)?"""
        if which == "faults":
            return self.is_fault
        return which == "all" or {"won": 1, "drawn": 0.5, "lost": 0}[which] == self.score

    @property
    def where(self) -> dict[str, Any]:
        return {"tournament": LADDER, "pair": self.result.pair, "swapped": self.result.swapped}


def _rate(results: Iterable[Mine]) -> Rate:
    """The mean score with its interval. The games of a pair are one sample, because they share an opening."""
    groups: dict[str, list[float]] = {}
    for one in results:
        groups.setdefault(one.result.pair, []).append(one.score)
    return grouped_rate(list(groups.values()))


def _rate_dict(rate: Rate) -> dict[str, float]:
    return {"score": rate.value, "low": rate.low, "high": rate.high}


def _counts(results: Sequence[Mine]) -> dict[str, Any]:
    return {"points": sum(one.score for one in results), "games": len(results)}


def _rung_results(results: Sequence[Mine], entrants: Mapping[str, Entrant], ratings: Ratings) -> list[dict[str, Any]]:
    """The results against each rung, the weakest rung first. Rungs without games stand where the teacher put them."""
    elo = dict(zip(ratings.players, ratings.elo.tolist(), strict=True))
    found: list[dict[str, Any]] = []
    for rung in (one for one in entrants.values() if one.kind == "rung" and one.retired is None):
        against = [one for one in results if one.against == rung.name]
        rate = _rate(against)
        state = "unplayed" if not against else "beaten" if rate.low > 0.5 else "behind" if rate.high < 0.5 else "open"
        found.append(
            {"contestant": rung.name, "title": rung.title, "state": state, "elo": elo.get(rung.name)}
            | _rate_dict(rate)
            | _counts(against)
        )
    if all(one["elo"] is not None for one in found):
        found.sort(key=lambda one: one["elo"])
    return found


def next_rung(rungs: Sequence[Mapping[str, Any]]) -> str | None:
    """The weakest rung that is not beaten with confidence; None if all are, or if there are no rungs."""
    return next((str(one["contestant"]) for one in rungs if one["state"] != "beaten"), None)


def _fault(one: Mine, store: Store) -> dict[str, Any]:
    """A fault with the position in which it happened, and what the student's own code said about it."""
    game = store.game(LADDER, one.result.pair, one.result.swapped)
    assert game is not None
    record = game.record
    return one.where | {
        "ply": len(record.moves),
        "position": str(record.final_position()),
        "reason": without_paths(record.reason),
        "error": without_paths(record.error) if record.error else None,
    }


_QUOTED = re.compile(r"(?<=[\"'])/[^\"'\n]*(?=[\"'])")
_PATH = re.compile(r"(?<![\w.)\]/:])/(?!/)[^\s\"'<>,;()]*")


def without_paths(text: str) -> str:
    """The text with file names in place of whole paths: a student need not know where things are on the server.

    >>> without_paths('File "/tmp/arena-x/v3/mine.py", line 3')
    'File "mine.py", line 3'
    >>> without_paths("AssertionError: 1 / 2 is not a/b")
    'AssertionError: 1 / 2 is not a/b'
    """
    for path in (_QUOTED, _PATH):
        text = path.sub(lambda found: _short(found[0]), text)
    return text


def _short(path: str) -> str:
    for library in ("/site-packages/", "/src/"):
        if library in path:
            return path.rpartition(library)[2]
    return path if path.count("/") < 2 else path.rstrip("/").rpartition("/")[2]


def _thought(name: str, games: Iterable[StoredGame]) -> dict[str, Any]:
    """The mean and the largest time, nodes and depth of a move, in the latest games."""
    seconds: list[float] = []
    nodes: list[int] = []
    depths: list[int] = []
    number = 0
    for game in games:
        number += 1
        for move in own_moves(game.record, name):
            seconds.append(move.seconds)
            nodes += [] if move.nodes is None else [move.nodes]
            depths += [] if move.depth is None else [move.depth]
    return {
        "games": number,
        "moves": len(seconds),
        "seconds": [statistics.fmean(seconds), max(seconds)] if seconds else None,
        "nodes": [statistics.fmean(nodes), max(nodes)] if nodes else None,
        "depth": [statistics.fmean(depths), max(depths)] if depths else None,
    }


def own_moves(record: Record, name: str) -> list[Any]:
    """The moves of one player of a record, as it tells them."""
    seat = 1 if record.players[0] == name else 2
    positions = record.final_position().path[-len(record.moves) - 1 :]
    return [move for here, move in zip(positions, record.moves, strict=False) if here.to_move == seat]


# ------------------------------------------------------------------------------------------ against the last version


def _previous(name: str, store: Store, entrants: Mapping[str, Entrant], ratings: Ratings) -> dict[str, Any] | None:
    """How a contestant compares with the same student's contestant before it; None if it is the first."""
    before = _before(name, entrants)
    if before is None:
        return None
    return {"contestant": before.name, "submission": before.submission} | compare(name, before.name, store, ratings)


def compare(one: str, other: str, store: Store, ratings: Ratings) -> dict[str, Any]:
    """How much stronger `one` is than `other`: by their ratings on the ladder, and by their own games if there are any.

    The probability of being stronger comes from the difference of the ratings and its own error, in which the games of
    both against common opponents count; the games between the two are among them.
    """
    lead = _lead(one, other, ratings)
    counts, direct = [0] * 5, 0
    halves: dict[str, float] = {}
    for result in (Mine(one, found) for found in store.results(LADDER, 1_000_000, players=(one, other))):
        direct += 1
        pair = result.result.pair
        if pair in halves:
            counts[round(2 * (halves.pop(pair) + result.score))] += 1
        else:
            halves[pair] = result.score
    found = difference(counts)
    return {
        "elo": None if lead is None else lead[0],
        "error": None if lead is None else lead[1],
        "superiority": None if lead is None else superiority_of(*lead),
        "direct": {"games": direct, "pairs": sum(counts), "score": found.score, "superiority": found.superiority},
    }


def _lead(one: str, other: str, ratings: Ratings) -> tuple[float, float] | None:
    """By how much one is rated above the other, with its standard error; None if one of them has not played."""
    players = list(ratings.players)
    if one not in players or other not in players:
        return None
    i, j = players.index(one), players.index(other)
    variance = ratings.covariance[i, i] + ratings.covariance[j, j] - 2 * ratings.covariance[i, j]
    return float(ratings.elo[i] - ratings.elo[j]), math.sqrt(max(float(variance), 1e-9))


def comparison_state(found: Mapping[str, Any]) -> str:
    """`unknown`, `stronger`, `weaker`, or `open` if the games do not tell."""
    superiority = found["superiority"]
    if superiority is None:
        return "unknown"
    return "stronger" if superiority >= SURE else "weaker" if superiority <= 1 - SURE else "open"


# ------------------------------------------------------------------------------------------ blunders


def _review_one_more(content: dict[str, Any], store: Store, name: str) -> int:
    """Look for blunders in one more game, and return how many games are left to review."""
    done: list[list[Any]] = content.setdefault("reviewed", [])
    content.setdefault("blunders", [])
    if len(done) >= MOST_REVIEWED:
        return 0
    seen = {(pair, bool(swapped)) for pair, swapped in done}
    results = [Mine(name, one) for one in store.results(LADDER, 1_000_000, players=(name,), latest=True)]
    waiting = [
        one
        for one in results
        if one.score < 1 and one.result.plies and (one.result.pair, one.result.swapped) not in seen
    ]
    waiting.sort(key=lambda one: one.score)  # lost games first, and the latest of them first
    if not waiting:
        return 0
    one = waiting[0]
    game = store.game(LADDER, one.result.pair, one.result.swapped)
    assert game is not None
    fresh = blunders_in(game.record, one.seat, LADDER, one.result.pair, one.result.swapped)
    known = [Blunder(**found) for found in content["blunders"]]
    content["blunders"] = [found.to_dict() for found in worst([*known, *fresh])]
    done.append([one.result.pair, one.result.swapped])
    return min(len(waiting) - 1, MOST_REVIEWED - len(done))
