"""The results of a tournament: standings with their errors, the cross table, every pairing, and how games ended."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.language import _
from zermelo.tournaments.counting import Counts, Line, Meeting
from zermelo.tournaments.faults import told_faults
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.rating import bradley_terry
from zermelo.tournaments.sprt import Running
from zermelo.tournaments.store import Store
from zermelo.tournaments.stored import StoredGame

Table = tuple[list[str], list[list[str]]]
"""The heading and the rows of a table to print."""

MOST_IN_CROSSTABLE = 40
"""Number of contestants whose scores against each other are shown in one table: the best ones."""

MOST_PAIRINGS = 200
"""Number of pairings that are listed. If there are more, only those of neighbours in the standings are."""

MOST_REPETITIONS = 10
"""Number of notes about repeated games."""


@dataclass
class Report:
    """The results of a tournament so far."""

    plan: Plan
    lines: list[Line]  #: the standings, best contestant first
    meetings: dict[tuple[str, str], Meeting]  #: by the names of the two contestants
    endings: Counter[str]  #: the number of games that ended in each way
    notes: list[str]  #: remarks that readers of the results should know
    test: Running | None = None  #: the sequential test, in a tournament of format sprt
    store: Store | None = None

    @property
    def names(self) -> list[str]:
        """The names of the contestants, best first."""
        return [line.name for line in self.lines]

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(meeting.games for meeting in self.meetings.values())

    def score(self, one: str, other: str) -> float | None:
        """Return the mean score of one contestant against the other, or None if they have not played."""
        meeting = self.meetings.get((one, other))
        if meeting is not None:
            return meeting.score if meeting.games else None
        turned = self.meetings.get((other, one))
        return 1 - turned.score if turned is not None and turned.games else None

    # -------------------------------------------------------------------------------- to print

    def standings(self) -> Table:
        """Return the table of ratings with their errors, scores and points."""
        heading = ["", _("player"), "Elo", "±", _("score"), _("points"), _("games"), _("won"), _("drawn"), _("lost")]
        with_faults = any(line.faults for line in self.lines)
        groups = len({line.rating.group for line in self.lines}) > 1
        rows = []
        for place, line in enumerate(self.lines, 1):
            rating = line.rating
            row = [
                *(str(place), line.name, f"{rating.elo:+z.0f}", f"{rating.interval[1] - rating.elo:.0f}"),
                *(f"{line.rate.value:.1%}", f"{line.points:g}", str(line.games)),
                *(str(line.wins), str(line.draws), str(line.losses)),
            ]
            rows.append(
                row + [str(line.faults)] * with_faults + [_("group {number}").format(number=rating.group + 1)] * groups
            )
        return heading + [_("faults")] * with_faults + [""] * groups, rows

    @property
    def crossed(self) -> list[str]:
        """The contestants in the crosstable, best first."""
        return self.names[:MOST_IN_CROSSTABLE]

    def crosstable(self) -> Table:
        """Return the table of scores of the row against the column, in per cent; of many contestants, the best."""
        names = self.crossed
        heading = ["", _("player"), *(str(place) for place in range(1, len(names) + 1))]
        rows = []
        for place, one in enumerate(names, 1):
            scores = (self.score(one, other) for other in names)
            cells = ("-" if score is None else f"{100 * score:.0f}" for score in scores)
            rows.append([str(place), one, *cells])
        return heading, rows

    def pairings(self) -> Table:
        """Return the table that says of each pairing who is stronger, and how certain that is.

        Of many pairings it has those of each contestant with the next one in the standings.
        """
        results = [_("won"), _("drawn"), _("lost")]
        heading = [_("player"), _("against"), *results, _("score"), "Elo", _("normalised"), _("superior")]
        rows = []
        for meeting in self._listed():
            found = meeting.difference
            normalised = f"{found.normalised_elo:+z.0f} ± {found.normalised_elo_error:.0f}"
            rows.append(
                [
                    *(meeting.one, meeting.other, str(meeting.wins), str(meeting.draws), str(meeting.losses)),
                    *(f"{meeting.score:.1%}", str(found).removeprefix("Elo ")),
                    *(normalised if math.isfinite(found.normalised_elo_error) else "", f"{found.superiority:.1%}"),
                ]
            )
        return heading, rows

    def _listed(self) -> list[Meeting]:
        """The pairings in the table of pairings."""
        played = [meeting for meeting in self.meetings.values() if meeting.one != meeting.other and meeting.games]
        if len(played) <= MOST_PAIRINGS:
            return played
        known = {frozenset((meeting.one, meeting.other)): meeting for meeting in played}
        neighbours = (known.get(frozenset(both)) for both in itertools.pairwise(self.names))
        return [meeting for meeting in neighbours if meeting is not None]

    def left_out(self) -> list[str]:
        """Return sentences that say what the tables of a large tournament leave out."""
        told = []
        if len(self.lines) > MOST_IN_CROSSTABLE:
            told.append(
                _("The crosstable shows the best {number} of {all} contestants.").format(
                    number=MOST_IN_CROSSTABLE, all=len(self.lines)
                )
            )
        listed, all_of_them = len(self._listed()), sum(one != other for one, other in self.meetings)
        if listed < all_of_them:
            told.append(
                _("The pairings are those of neighbours in the standings, {number} of {all}.").format(
                    number=listed, all=all_of_them
                )
            )
        return told

    def verdict(self) -> str | None:
        """Return the verdict of the sequential test in a sentence, or None if the tournament is no such test."""
        if self.test is None or self.plan.sprt is None:
            return None
        new, old = self.plan.names
        low, high = self.plan.sprt.bounds
        ratio = _("log-likelihood ratio {ratio:.2f} [{low:.2f}, {high:.2f}] after {used} pairs").format(
            ratio=self.test.ratio, low=low, high=high, used=self.test.used
        )
        said = {
            "elo1": _("accepted: {new} is stronger than {old}").format(new=new, old=old),
            "elo0": _("rejected: {new} is not stronger than {old}").format(new=new, old=old),
            None: _("undecided between {new} and {old}").format(new=new, old=old),
        }[self.test.verdict]
        return f"{said} ({self.plan.sprt}; {ratio})"

    def __str__(self) -> str:
        parts = [plain_table(*self.standings()), "", plain_table(*self.crosstable())]
        verdict = self.verdict()
        return "\n".join(
            parts
            + self.left_out()[:1]
            + ([verdict] if verdict else [])
            + [_("note: {note}").format(note=note) for note in self.notes]
        )

    def _repr_html_(self) -> str:
        from zermelo.tournaments.pages import rating_chart, standings_html

        return rating_chart(self) + standings_html(self)

    # -------------------------------------------------------------------------------- for machines

    def to_dict(self) -> dict[str, Any]:
        """Return the results in the form that `--json` prints."""
        return {
            "name": self.plan.name,
            "game": self.plan.game,
            "format": self.plan.format,
            "seed": self.plan.seed,
            "games": self.games,
            "standings": [
                {
                    "name": line.name,
                    "player": line.player,
                    "elo": line.rating.elo,
                    "elo_interval": list(line.rating.interval),
                    "group": line.rating.group,
                    "score": line.rate.value,
                    "points": line.points,
                    "games": line.games,
                    "wins": line.wins,
                    "draws": line.draws,
                    "losses": line.losses,
                    "faults": line.faults,
                }
                for line in self.lines
            ],
            "pairings": [_pairing_dict(meeting) for meeting in self.meetings.values() if meeting.games],
            "endings": dict(self.endings),
            "notes": self.notes,
            "sprt": self._sprt_dict(),
        }

    def _sprt_dict(self) -> dict[str, Any] | None:
        if self.test is None:
            return None
        sprt = self.test.sprt
        return {
            "verdict": {"elo0": "rejected", "elo1": "accepted", None: "undecided"}[self.test.verdict],
            "pairs": self.test.used,
            "pair_counts": self.test.counts,
            "ratio": self.test.ratio,
            "bounds": list(sprt.bounds),
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "model": "normalised" if sprt.normalised else "logistic",
        }


def _pairing_dict(meeting: Meeting) -> dict[str, Any]:
    found = meeting.difference
    return {
        "player": meeting.one,
        "against": meeting.other,
        "wins": meeting.wins,
        "draws": meeting.draws,
        "losses": meeting.losses,
        "pair_counts": meeting.pair_counts,
        "different_games": len(meeting.courses),
        "score": meeting.score,
        "elo": _finite(found.elo),
        "elo_interval": [_finite(bound) for bound in found.elo_interval],
        "normalised_elo": _finite(found.normalised_elo),
        "normalised_elo_error": _finite(found.normalised_elo_error),
        "superiority": found.superiority,
    }


def _finite(value: float) -> float | None:
    """Return the value, or None if it is infinite, since JSON has no infinity."""
    return value if math.isfinite(value) else None


def plain_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text, with aligned columns. Names are aligned to the left, everything else to the right."""
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    left = {i for i, name in enumerate(heading) if name in (_("player"), _("against"))}
    lines = [
        "  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in [heading, *rows]
    ]
    return "\n".join(line.rstrip() for line in lines)


# ------------------------------------------------------------------------------------------ making it


def make_report(store: Store, name: str | None = None) -> Report:
    """Return the results of a tournament, as far as it has been played."""
    plan, _ = store.plan(name)
    games: Iterable[StoredGame] = store.games(plan.name)
    test = None
    if plan.sprt is not None:
        known = list(games)
        test = _test(plan, known)
        if test.verdict is not None:  # games played after the verdict do not count
            counted = {name for name, _ in _pair_scores(known)[: test.used]}
            known = [game for game in known if game.pair.id in counted]
        games = known
    counts = Counts(plan.names)
    for game in games:  # one after another: there may be a million
        counts.add(game)
    points = {(m.one, m.other): (m.points, m.games - m.points) for m in counts.meetings.values()}
    texts = {contestant.name: contestant.player for contestant in plan.contestants}
    lines = [counts.line(Line(r.player, texts.get(r.player, ""), r)) for r in bradley_terry(points, list(counts.place))]
    meetings = counts.in_order()
    notes = [*store.notes(plan.name), *_repetitions(meetings.values()), *_rating_notes(lines)]
    return Report(plan, lines, meetings, counts.endings, notes, test, store)


def _pair_scores(games: Iterable[StoredGame]) -> list[tuple[str, float]]:
    """Return the complete pairs in their order, each with the points of its first player."""
    halves: dict[str, list[float]] = {}
    for game in games:
        halves.setdefault(game.pair.id, []).append(game.score)
    return [(name, sum(scores)) for name, scores in halves.items() if len(scores) == 2]


def _test(plan: Plan, games: Sequence[StoredGame]) -> Running:
    """Return the sequential test of the pairs up to the first one that is missing."""
    assert plan.sprt is not None
    number = {game.pair.id: game.pair.number for game in games}
    in_order = []
    for place, (name, score) in enumerate(_pair_scores(games)):
        if number[name] != place:
            break
        in_order.append(score)
    return plan.sprt.decide(in_order)


def _repetitions(meetings: Iterable[Meeting]) -> list[str]:
    """Return notes about contestants who repeated games, because the error bars do not allow for that."""
    repeated = [one for one in meetings if len(one.courses) < one.games and one.one != one.other]
    told = [
        _(
            "only {number} of the {games} games between {one} and {other} are different; their error bars are too small"
        ).format(number=len(meeting.courses), games=meeting.games, one=meeting.one, other=meeting.other)
        for meeting in repeated[:MOST_REPETITIONS]
    ]
    if len(repeated) > MOST_REPETITIONS:
        more = _("games were repeated in {number} more pairings; their error bars are too small")
        told.append(more.format(number=len(repeated) - MOST_REPETITIONS))
    return told


def _rating_notes(lines: Iterable[Line]) -> list[str]:
    lines = list(lines)
    notes = [note for line in lines for note in told_faults(line.name, line.reasons)]
    notes += [f"{line.name} {line.rating.note}" for line in lines if line.rating.note]
    if len({line.rating.group for line in lines}) > 1:
        notes.append(_("some groups have not played each other; compare ratings only within a group"))
    return notes
