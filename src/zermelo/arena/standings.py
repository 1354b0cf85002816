"""The standings of a ladder, a round or the final: ratings with error bars, on a scale that stays the same.

The scale is fixed by a rung, which has 0 by definition, so a rating does not change because students join. Students
whom the games do not tell apart share a rank: "3-5" says that two others may be better or worse, for all we know.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.arena.records import Records, now
from zermelo.arena.roster import LADDER, Field, present_field
from zermelo.arena.settings import ArenaSettings
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import Ratings, ladder_ratings
from zermelo.tournaments.store import Store
from zermelo.tournaments.tallies import Tally, tallies

REMEMBERED = 1.2
"""A rating is noted down whenever the number of games has grown by this factor."""


def rate(known: Sequence[Tally], rungs: Sequence[str], players: Sequence[str] = ()) -> Ratings:
    """The ratings measured from the rung in the middle of the list: those of all who have played, or of these players.

    The games of all count, also of those who no longer play.
    """
    points = {(one.first, one.second): (one.points, one.games - one.points) for one in known if one.games}
    found = ladder_ratings(points, [*rungs, *players])
    if players:
        found = found.only(list(dict.fromkeys([*rungs, *players])))
    return found.measured_from(rungs[len(rungs) // 2]) if rungs else found


def shared_ranks(ratings: Ratings, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Name -> the best and the worst rank among these names that the games allow.

    One stands before another if their difference is larger than its 95% interval.
    """
    place = {name: i for i, name in enumerate(ratings.players)}
    at = [place[name] for name in names]
    lead = ratings.elo[at][:, None] - ratings.elo[at][None, :]
    is_better = lead > Z95 * ratings.errors_of_differences()[np.ix_(at, at)]
    np.fill_diagonal(is_better, False)
    before, behind = is_better.sum(axis=0), is_better.sum(axis=1)
    return {name: (int(before[i]) + 1, len(names) - int(behind[i])) for i, name in enumerate(names)}


def rank_text(rank: tuple[int, int]) -> str:
    """A rank, or the range of ranks that several share.

    >>> rank_text((3, 5)), rank_text((2, 2))
    ('3-5', '2')
    """
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}-{rank[1]}"


def standings(
    store: Store,
    records: Records,
    settings: ArenaSettings,
    tournament: str = LADDER,
    *,
    players: Field | None = None,
    playing: Sequence[tuple[str, str]] = (),
    before: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The table of a tournament, as it is published. Who has not played yet has neither rating nor rank, but None.

    "error" is half of the 95% interval. players: who is in the table, by default everyone who plays at present.
    before: for each student, "elo" and "ranks" in an earlier table. "change" is then how many ranks the student has
    climbed since; among those who share a rank, the best counts.
    """
    players = present_field(records, code=False) if players is None else players
    known = tallies(store, tournament)
    games, points, faults = Counter[str](), Counter[str](), Counter[str]()
    for one in known:
        if one.first != one.second:
            for name, score, lost in (
                (one.first, one.points, one.faults),
                (one.second, one.games - one.points, one.faults_of_second),
            ):
                games[name] += one.games
                points[name] += score  # type: ignore[assignment]
                faults[name] += lost
    ratings = rate(known, players.rungs, players.names)
    place = {name: i for i, name in enumerate(ratings.players)}
    errors = Z95 * ratings.errors
    ranks = shared_ranks(ratings, [name for name in players.students if games[name]])
    shown = _shown(records, settings, players)
    rows = []
    for name in players.names:
        student = players.students.get(name)
        has_played = games[name] > 0
        elo = round(float(ratings.elo[place[name]]), 1) if has_played else None
        earlier = (before or {}).get(student or name, {})
        rows.append(
            {
                "contestant": name,
                "student": student,
                **shown[name],
                "is_rung": student is None,
                "rank": rank_text(ranks[name]) if name in ranks else "",
                "ranks": list(ranks[name]) if name in ranks else None,
                "elo": elo,
                "error": round(float(errors[place[name]]), 1) if has_played else None,
                "games": games[name],
                "points": points[name],
                "faults": faults[name],
                "change": (earlier["ranks"][0] - ranks[name][0]) if name in ranks and earlier.get("ranks") else None,
                "elo_change": _difference(elo, earlier.get("elo")),
            }
        )
    rows.sort(key=lambda row: (row["elo"] is None, -(row["elo"] or 0.0)))
    return {
        "tournament": tournament,
        "games": sum(one.games for one in known),
        "rows": rows,
        "rungs": [row for row in rows if row["is_rung"]],
        "zero": players.rungs[len(players.rungs) // 2] if players.rungs else None,
        "playing": [list(meeting) for meeting in playing],
    }


def _difference(now: float | None, before: float | None) -> float | None:
    return round(now - before, 1) if now is not None and before is not None else None


def _shown(records: Records, settings: ArenaSettings, players: Field) -> dict[str, dict[str, Any]]:
    """What the pages call each contestant, and the version of a student's code."""
    people = {student.id: student for student in records.students()}
    versions = records.versions(players.names)
    found: dict[str, dict[str, Any]] = {}
    for one in records.contestants():
        student = people.get(one.student or "")
        title = one.title if one.kind == "rung" else student.shown(settings.course.names) if student else one.name
        found[one.name] = {"name": title, "version": versions.get(one.name)}
    return {name: found.get(name, {"name": name, "version": None}) for name in players.names}


class Publisher:
    """Publishes the standings of the ladder, and notes down how ratings change."""

    def __init__(self, store: Store, records: Records, settings: ArenaSettings):
        self.store, self.records, self.settings = store, records, settings
        self._noted: dict[str, int] = {}  # contestant -> the number of its games when its rating was noted down

    def publish(self, playing: Sequence[tuple[str, str]] = ()) -> int:
        """Publish the standings as they are now, and return their revision."""
        latest = last_round(self.records)
        table = standings(
            self.store, self.records, self.settings, playing=playing, before=latest.get("ladder") if latest else None
        )
        for row in table["rows"]:
            self._note(row)
        waiting = len(self.records.queue().waiting)
        _revision, old = self.records.published("standings")
        same = {**old, "updated": 0} == {**table, "queue": waiting, "updated": 0}
        return self.records.publish(
            "standings", {**table, "queue": waiting, "updated": old["updated"] if same else now()}
        )

    def _note(self, row: Mapping[str, Any]) -> None:
        name, games = row["contestant"], row["games"]
        if not games:
            return
        if name not in self._noted:
            self._noted[name] = max((rating.games for rating in self.records.ratings(name)), default=0)
        if games >= self._noted[name] * REMEMBERED:
            self.records.remember_rating(name, now(), games, row["elo"], row["error"])
            self._noted[name] = games


def last_round(records: Records) -> dict[str, Any] | None:
    """The latest round that has ended, as it is published, or None."""
    _revision, found = records.published("rounds")
    rounds = found.get("rounds", [])
    return records.published(f"round/{rounds[-1]['number']}")[1] if rounds else None
