"""The results of a tournament: standings with their errors, the cross table, every pairing, and how games ended."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.language import _
from zermelo.tournaments.intervals import Rate, score_rate
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.rating import Difference, Rating, bradley_terry, difference
from zermelo.tournaments.sprt import Running
from zermelo.tournaments.store import Store, StoredGame
from zermelo.tournaments.tallies import FAULTS

Table = tuple[list[str], list[list[str]]]
"""The heading and the rows of a table to print."""


class _Counted:
    """A count of won, drawn and lost games."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for each win and half a point for each draw."""
        return self.wins + self.draws / 2

    def add(self, score: float) -> None:
        """Count one more game."""
        self.wins += score == 1
        self.draws += score == 0.5
        self.losses += score == 0


@dataclass
class Meeting(_Counted):
    """All games between two contestants. All values are those of `one`, who is listed before `other`."""

    one: str
    other: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pair_counts: list[int] = field(default_factory=lambda: [0] * 5)  #: [LL, LD, DD or WL, WD, WW]
    courses: set[tuple[str, ...]] = field(default_factory=set)  #: players, start and moves of each different game

    @property
    def score(self) -> float:
        """The mean score of `one`."""
        return self.points / self.games if self.games else 0.5

    @property
    def difference(self) -> Difference:
        """How much stronger `one` is, computed from pairs if all games are in pairs, otherwise from single games."""
        in_pairs = 2 * sum(self.pair_counts) == self.games
        return difference(self.pair_counts if in_pairs else [self.losses, self.draws, self.wins])


@dataclass
class Line(_Counted):
    """A contestant's line in the standings."""

    name: str
    player: str
    rating: Rating
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0  #: games lost by a crash, an illegal move, a timeout or a wrong answer

    @property
    def rate(self) -> Rate:
        """The mean score with its 95% interval."""
        return score_rate([1.0] * self.wins + [0.5] * self.draws + [0.0] * self.losses)


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
                *(str(place), line.name, f"{rating.elo:+.0f}", f"{rating.interval[1] - rating.elo:.0f}"),
                *(f"{line.rate.value:.1%}", f"{line.points:g}", str(line.games)),
                *(str(line.wins), str(line.draws), str(line.losses)),
            ]
            rows.append(
                row + [str(line.faults)] * with_faults + [_("group {number}").format(number=rating.group + 1)] * groups
            )
        return heading + [_("faults")] * with_faults + [""] * groups, rows

    def crosstable(self) -> Table:
        """Return the table of scores of the row against the column, in per cent."""
        heading = ["", _("player"), *(str(place) for place in range(1, len(self.lines) + 1))]
        rows = []
        for place, one in enumerate(self.names, 1):
            scores = (self.score(one, other) for other in self.names)
            cells = ("-" if score is None else f"{100 * score:.0f}" for score in scores)
            rows.append([str(place), one, *cells])
        return heading, rows

    def pairings(self) -> Table:
        """Return the table that says of each pairing who is stronger, and how certain that is."""
        results = [_("won"), _("drawn"), _("lost")]
        heading = [_("player"), _("against"), *results, _("score"), "Elo", _("normalised"), _("superior")]
        rows = []
        for meeting in self.meetings.values():
            if meeting.one == meeting.other or not meeting.games:
                continue
            found = meeting.difference
            normalised = f"{found.normalised_elo:+.0f} ± {found.normalised_elo_error:.0f}"
            rows.append(
                [
                    *(meeting.one, meeting.other, str(meeting.wins), str(meeting.draws), str(meeting.losses)),
                    *(f"{meeting.score:.1%}", str(found).removeprefix("Elo ")),
                    *(normalised if math.isfinite(found.normalised_elo_error) else "", f"{found.superiority:.1%}"),
                ]
            )
        return heading, rows

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
            parts + ([verdict] if verdict else []) + [_("note: {note}").format(note=note) for note in self.notes]
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
    games = list(store.games(plan.name))
    test = _test(plan, games) if plan.sprt is not None else None
    if test is not None and test.verdict is not None:  # games played after the verdict do not count
        counted = {name for name, _ in _pair_scores(games)[: test.used]}
        games = [game for game in games if game.pair.id in counted]
    names = list(dict.fromkeys([*plan.names, *(n for g in games for n in (g.pair.first, g.pair.second))]))
    meetings = _meetings(games, names)
    points = {(m.one, m.other): (m.points, m.games - m.points) for m in meetings.values()}
    texts = {contestant.name: contestant.player for contestant in plan.contestants}
    lines = {r.player: Line(r.player, texts.get(r.player, ""), r) for r in bradley_terry(points, names)}
    _fill_lines(lines, games)
    notes = [*store.notes(plan.name), *_repetitions(meetings.values()), *_rating_notes(lines.values())]
    endings = Counter(game.reason.partition(":")[0] for game in games)
    return Report(plan, list(lines.values()), meetings, endings, notes, test, store)


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


def _meetings(games: Iterable[StoredGame], names: Sequence[str]) -> dict[tuple[str, str], Meeting]:
    """Collect the games of each two contestants."""
    place = {name: i for i, name in enumerate(names)}
    meetings: dict[tuple[str, str], Meeting] = {}
    halves: dict[str, float] = {}
    for game in games:
        pair, score = game.pair, game.score
        one, other = pair.first, pair.second
        if place[one] > place[other]:
            one, other, score = other, one, 1 - score
        meeting = meetings.setdefault((one, other), Meeting(one, other))
        meeting.add(score)
        record = game.record
        meeting.courses.add((*record.players, record.start, *(move.move for move in record.moves)))
        if pair.id in halves:
            meeting.pair_counts[round(2 * (halves.pop(pair.id) + score))] += 1
        else:
            halves[pair.id] = score
    return dict(sorted(meetings.items(), key=lambda item: (place[item[0][0]], place[item[0][1]])))


def _fill_lines(lines: dict[str, Line], games: Iterable[StoredGame]) -> None:
    """Count the results of every contestant. Games of a contestant against itself do not count."""
    for game in games:
        pair = game.pair
        if pair.first == pair.second:
            continue
        for name, score in ((pair.first, game.score), (pair.second, 1 - game.score)):
            line = lines[name]
            line.add(score)
            line.faults += score == 0 and game.reason.startswith(FAULTS)


def _repetitions(meetings: Iterable[Meeting]) -> list[str]:
    """Return a note for each two contestants who repeated games, because the error bars do not allow for that."""
    return [
        _(
            "only {number} of the {games} games between {one} and {other} are different; their error bars are too small"
        ).format(number=len(meeting.courses), games=meeting.games, one=meeting.one, other=meeting.other)
        for meeting in meetings
        if len(meeting.courses) < meeting.games and meeting.one != meeting.other
    ]


def _rating_notes(lines: Iterable[Line]) -> list[str]:
    lines = list(lines)
    notes = [f"{line.name} {line.rating.note}" for line in lines if line.rating.note]
    if len({line.rating.group for line in lines}) > 1:
        notes.append(_("some groups have not played each other; compare ratings only within a group"))
    return notes
