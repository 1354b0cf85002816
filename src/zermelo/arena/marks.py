"""Marks for an arena: what each student's work has shown on the ladder and in the final, by a rubric.

The rubric is a TOML file as for `zermelo check --marks`, with kind = "arena" and these checks:

    handed_in    it was accepted, and handed in in time
    beats        it is stronger than a rung (rung, confidence)
    tier         how far up the ladder it stands, among those whom the games tell apart (least)
    final_rank   its rank in the final (full, least)
    faults       how few games it loses by faults (most)
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.language import _, marked
from zermelo.marking.marks import Mark, Marks
from zermelo.marking.results import Result
from zermelo.marking.rubric import RUNG, Check, Group, Item, Option, Rubric, read_rubric, seed_of
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import difference

KIND = ("arena",)
_SHARE = Option(0.0, 0, 0.99, whole=False)

CHECKS: dict[str, Check] = {
    "handed_in": Check(
        marked("it was accepted, and handed in in time"), {"late": Option(0.0, 0, 1, whole=False)}, KIND
    ),
    "beats": Check(
        marked("it beats {rung}"), {"rung": RUNG, "confidence": Option(0.95, 0.6, 0.999, whole=False)}, KIND
    ),
    "tier": Check(marked("its tier of the ladder"), {"least": _SHARE}, KIND),
    "final_rank": Check(marked("its rank in the final"), {"full": Option(1, 1, 1000), "least": _SHARE}, KIND),
    "faults": Check(marked("it loses no games by faults"), {"most": Option(0.1, 0.001, 1, whole=False)}, KIND),
}
"""Everything that a rubric of an arena can look at."""


@dataclass(frozen=True)
class Place:
    """Where a contestant stands in a tournament: the best and the worst rank that it may have, and of how many."""

    best: int
    worst: int
    of: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


@dataclass(frozen=True)
class Shown:
    """What a student's work has shown. The marks rest on this and on nothing else."""

    student: str  #: the name in the table of marks
    versions: int = 0
    submission: int | None = None  #: the number of the version that counts, the latest that was accepted
    handed_in: float | None = None  #: when that version was handed in
    is_late: bool = False
    refused: str | None = None  #: why the latest version was refused, if none was accepted
    elo: float | None = None
    error: float | None = None  #: half of the 95% interval
    rank: Place | None = None
    tier: Place | None = None
    final: Place | None = None
    is_final_over: bool = True
    games: int = 0
    faults: int = 0
    rungs: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Rung -> pairs against it: [LL, LD, DD or WL, WD, WW]."""


def read_arena_rubric(path: Path, rungs: Sequence[str]) -> Rubric:
    """Read a rubric for an arena with these rungs. Errors name the line and the field that are wrong."""
    rubric = read_rubric(path, kinds=KIND, checks=CHECKS)
    for group in rubric.groups:
        for item in group.items:
            if item.check == "beats" and item["rung"] not in rungs:
                raise ZermeloError(
                    "{path}: rung: {rung!r} is not a rung of this arena; its rungs are {known}",
                    path=path,
                    rung=item["rung"],
                    known=", ".join(rungs),
                )
    return rubric


def usual_rubric(rungs: Sequence[str]) -> Rubric:
    """The rubric of an arena whose teacher has written none: half of the points for the rungs."""

    def item(check: str, points: float, **settings: Any) -> Item:
        kept = {name: settings.get(name, option.default) for name, option in CHECKS[check].options.items()}
        return Item(check, points, _(CHECKS[check].title).format(**kept), kept, "visible", seed_of(check))

    each = 50 / max(1, len(rungs))
    groups = (
        Group(_("Handed in"), (item("handed_in", 10), item("faults", 10))),
        Group(_("Rungs"), tuple(item("beats", each, rung=rung) for rung in rungs)),
        Group(_("Ladder and final"), (item("tier", 15), item("final_rank", 15))),
    )
    return Rubric(_("The arena"), "arena", None, None, groups, 10.0, False, False)


def mark_student(shown: Shown, rubric: Rubric) -> Marks:
    """The marks of one student."""
    reason = None
    if shown.submission is None:
        reason = shown.refused or _("nothing was handed in")
    found = []
    for group in rubric.groups:
        for item in group.items:
            result = LOOKS[item.check](shown, item) if reason is None else Result(0.0, (reason,))
            points = round(item.points * min(1.0, max(0.0, result.share)), 2)
            found.append(Mark(group.title, item, points, tuple(result.feedback), result.facts))
    return Marks(shown.student, "", rubric, tuple(found), reason)


# ------------------------------------------------------------------------------------------ the checks


def _handed_in(shown: Shown, item: Item) -> Result:
    if shown.is_late:
        return Result(item["late"], (_("after the deadline"),))
    return Result(1.0, (_("in time"),))


def _beats(shown: Shown, item: Item) -> Result:
    """All points if it is stronger with the wanted confidence, half of them while that is not clear."""
    counts = list(shown.rungs.get(item["rung"], ()))
    if sum(counts) == 0:
        return Result(0.0, (_("it has not played against this rung"),), {"games": 0})
    found = difference(counts)
    facts = {"games": found.games, "score": found.score, "superiority": found.superiority}
    words = {"score": found.score, "games": found.games, "certain": min(found.superiority, 0.999)}
    if found.superiority >= item["confidence"]:
        said = _("it is stronger: {score:.0%} of the points in {games} games ({certain:.1%} certain)")
        return Result(1.0, (said.format(**words),), facts)
    if found.superiority <= 1 - item["confidence"]:
        said = _("it is not stronger: {score:.0%} of the points in {games} games")
        return Result(0.0, (said.format(**words),), facts)
    said = _("it is not clear whether it is stronger: {score:.0%} of the points in {games} games")
    return Result(0.5, (said.format(**words),), facts)


def _by_place(place: Place | None, item: Item, full: int, said: str, missing: str) -> Result:
    """All points for the best places, `least` of them for the last one. A shared place counts as the best of it."""
    if place is None:
        return Result(0.0, (missing,))
    way = (place.best - full) / (place.of - full) if place.of > full else 0.0
    share = 1.0 - (1.0 - item["least"]) * min(1.0, max(0.0, way))
    return Result(share, (said.format(place=place, of=place.of),), {"place": str(place), "of": place.of})


def _tier(shown: Shown, item: Item) -> Result:
    return _by_place(shown.tier, item, 1, _("tier {place} of {of}"), _("it is not on the ladder"))


def _final_rank(shown: Shown, item: Item) -> Result:
    said, missing = _("rank {place} of {of} in the final"), _("it did not play in the final")
    if not shown.is_final_over:
        missing = _("the final has not been played yet")
    return _by_place(shown.final, item, item["full"], said, missing)


def _faults(shown: Shown, item: Item) -> Result:
    if shown.games == 0:
        return Result(0.0, (_("it has not played yet"),))
    said = _("{faults} of {games} games were lost by faults").format(faults=shown.faults, games=shown.games)
    share = 1 - shown.faults / (item["most"] * shown.games)
    return Result(max(0.0, share), (said,), {"faults": shown.faults, "games": shown.games})


LOOKS: dict[str, Callable[[Shown, Item], Result]] = {
    "handed_in": _handed_in,
    "beats": _beats,
    "tier": _tier,
    "final_rank": _final_rank,
    "faults": _faults,
}


# ------------------------------------------------------------------------------------------ tiers


def tiers_of(ratings: Mapping[str, tuple[float, float]]) -> dict[str, int]:
    """Contestant -> tier, from 1. A tier ends where somebody is clearly weaker than its best, with 95% confidence.

    ratings: contestant -> Elo and its standard error.

    >>> tiers_of({"a": (300, 20), "b": (280, 20), "c": (100, 20), "d": (90, 20)})
    {'a': 1, 'b': 1, 'c': 2, 'd': 2}
    """
    found: dict[str, int] = {}
    tier, best = 0, (math.inf, 0.0)
    for name, (elo, error) in sorted(ratings.items(), key=lambda item: (-item[1][0], item[0])):
        if tier == 0 or best[0] - elo > Z95 * math.hypot(best[1], error):
            tier, best = tier + 1, (elo, error)
        found[name] = tier
    return found
