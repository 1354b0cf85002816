"""What leaves an arena: marks as CSV, games as JSONL, and one HTML report."""

import csv
import dataclasses
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from zermelo.arena.deadlines import is_late
from zermelo.arena.marks import Place, Shown, mark_student, read_arena_rubric, tiers_of, usual_rubric
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Student, Submission
from zermelo.errors import FileError
from zermelo.language import _
from zermelo.marking.grade_files import plain_cell
from zermelo.marking.marks import Marks
from zermelo.marking.rubric import Rubric
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.pages import SHOWN, html_report
from zermelo.tournaments.referee import Played
from zermelo.tournaments.report import Report, make_report
from zermelo.tournaments.store import Store, open_store
from zermelo.tournaments.tallies import pair_points

LADDER, FINAL = "ladder", "final"


# ------------------------------------------------------------------------------------------ marks


def all_shown(records: Records, settings: ArenaSettings) -> list[tuple[Student, Shown]]:
    """What the work of every student has shown, in the order of their names."""
    handed_in: dict[str, list[Submission]] = {}
    for submission in records.submissions():
        handed_in.setdefault(submission.student, []).append(submission)
    current = records.current()
    ladder, final = (_student_rows(records.published(name)[1]) for name in ("standings", "final"))
    is_final_over = records.published("final")[1].get("ended") is not None
    rungs = _against_rungs(records)
    tiers = tiers_of({name: (row["elo"], row["error"] / Z95) for name, row in ladder.items() if _is_rated(row)})
    found = []
    for student in sorted(records.students(), key=lambda one: (one.name.casefold(), one.id)):
        theirs, counts = handed_in.get(student.id, []), current.get(student.id)
        refused = [one for one in theirs if one.state == "refused"]
        shown = Shown(student.name, len(theirs), refused=_why(refused[-1].report) if refused else None)
        if counts is not None and counts.contestant is not None:
            row = ladder.get(counts.contestant, {})
            shown = dataclasses.replace(
                shown,
                submission=counts.id,
                handed_in=counts.time,
                is_late=is_late(records, settings, counts),
                elo=row.get("elo"),
                error=row.get("error"),
                rank=_place(row, ladder),
                tier=_tier(counts.contestant, tiers),
                final=_place(final.get(counts.contestant, {}), final),
                is_final_over=is_final_over,
                games=int(row.get("games") or 0),
                faults=int(row.get("faults") or 0),
                rungs=rungs.get(counts.contestant, {}),
            )
        found.append((student, shown))
    return found


def _is_rated(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("elo"), (int, float)) and isinstance(row.get("error"), (int, float))


def _why(report: Mapping[str, Any]) -> str:
    """Why a submission was refused, in its first words."""
    texts = [one if isinstance(one, str) else one.get("text", "") for one in report.get("findings", ())]
    return next((text for text in (report.get("reason"), *texts) if isinstance(text, str) and text), _("refused"))


def _student_rows(standings: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {row["contestant"]: row for row in standings.get("rows", ()) if not row.get("is_rung")}


def _place(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Place | None:
    """The rank among students, without the rungs."""
    if not row or not row.get("rank"):
        return None
    best, worst = _ranks(row)
    others = [_ranks(other) for other in rows.values() if other.get("rank")]
    return Place(
        1 + sum(other_worst < best for _best, other_worst in others),
        sum(other_best <= worst for other_best, _worst in others),
        len(others),
    )


def _ranks(row: Mapping[str, Any]) -> tuple[int, int]:
    best, _dash, worst = str(row["rank"]).partition("-")
    return int(best), int(worst or best)


def _tier(contestant: str, tiers: Mapping[str, int]) -> Place | None:
    if contestant not in tiers:
        return None
    return Place(tiers[contestant], tiers[contestant], max(tiers.values()))


def _against_rungs(records: Records) -> dict[str, dict[str, list[int]]]:
    """Contestant -> rung -> its pairs on the ladder: [LL, LD, DD or WL, WD, WW]."""
    titles = {one.name: one.title for one in records.contestants("rung")}
    found: dict[str, dict[str, list[int]]] = {}
    if LADDER not in records.store.names():
        return found
    for first, second, points, number in pair_points(records.store, LADDER, list(titles)):
        if (first in titles) != (second in titles):
            one, rung = (first, second) if second in titles else (second, first)
            counts = found.setdefault(one, {}).setdefault(titles[rung], [0] * 5)
            counts[round(2 * points) if one == first else 4 - round(2 * points)] += number
    return found


def rubric_of(records: Records, settings: ArenaSettings, path: Any = None) -> Rubric:
    """The rubric in a file, the one that arena.toml names, or the usual one."""
    rungs = [one.title for one in records.contestants("rung")] or list(settings.ladder.rungs)
    path = path or settings.rubric
    return read_arena_rubric(path, rungs) if path is not None else usual_rubric(rungs)


def all_marks(records: Records, settings: ArenaSettings, rubric: Rubric) -> list[tuple[Student, Shown, Marks]]:
    """The marks of everybody."""
    return [(student, shown, mark_student(shown, rubric)) for student, shown in all_shown(records, settings)]


def marks_csv(records: Records, settings: ArenaSettings, rubric: Rubric) -> str:
    """A table with a line for each student: points by group, what they rest on, and the feedback.

    No cell with a text can be taken for a formula.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heading = ["student", "pseudonym", *(plain_cell(group.title) for group in rubric.groups), "points", "of"]
    heading += ["versions", "submission", "handed in", "late", "elo", "elo ± (95%)", "rank", "tier", "final rank"]
    writer.writerow([*heading, "games", "faults", "reason", "feedback"])
    for student, shown, marks in all_marks(records, settings, rubric):
        feedback = "; ".join(f"{mark.item.title}: {' '.join(mark.feedback)}" for mark in marks.marks)
        writer.writerow(
            [
                *(plain_cell(student.name), plain_cell(student.pseudonym)),
                *(f"{marks.in_group(group):g}" for group in rubric.groups),
                *(f"{marks.points:g}", f"{marks.of:g}", shown.versions, shown.submission or ""),
                *(_time(shown.handed_in, settings), "yes" if shown.is_late else ""),
                *("" if number is None else f"{number:.0f}" for number in (shown.elo, shown.error)),
                *("" if place is None else str(place) for place in (shown.rank, shown.tier, shown.final)),
                *(shown.games, shown.faults, plain_cell(_one_line(marks.reason or ""))),
                plain_cell(_one_line(feedback) if marks.reason is None else ""),
            ]
        )
    return out.getvalue()


def _time(seconds: float | None, settings: ArenaSettings) -> str:
    """A time in the arena's time zone, with its distance from UTC."""
    return "" if seconds is None else datetime.fromtimestamp(round(seconds), settings.course.zone).isoformat(" ")


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ------------------------------------------------------------------------------------------ games


def tournaments_of(store: Store) -> list[str]:
    """The tournaments of an arena: the ladder, the rounds, the final."""
    return store.names()


def games_jsonl(store: Store, names: Sequence[str]) -> Iterator[str]:
    """The games of these tournaments, one a line, as `zermelo tournament export` writes them.

    Players have the names of the ledger, such as v17, which say nothing about persons.
    """
    for name in names:
        for game in store.games(name):
            yield f"{game.json}\n"


# ------------------------------------------------------------------------------------------ report


def report_name(store: Store, name: str | None = None) -> str:
    """The tournament to report on: the one of this name, or else the final, or else the ladder."""
    known = store.names()
    for wanted in [name] if name is not None else [FINAL, LADDER]:
        if wanted in known:
            return wanted
    if name is not None:
        raise FileError(
            "there is no tournament {name!r} in this arena; its tournaments are {known}",
            name=name,
            known=", ".join(known) or "-",
        )
    raise FileError("no games have been played in this arena yet")


def shown_names(records: Records, names: str) -> dict[str, str]:
    """Contestant -> the name on pages and reports. names: "names" or "pseudonyms"."""
    students = {one.id: one.shown(names) for one in records.students()}
    found: dict[str, str] = {}
    versions = {one.id: one.version for one in records.submissions()}
    for one in records.contestants():
        if one.kind == "rung":
            found[one.name] = one.title or one.name
        elif one.student in students:
            version = versions.get(one.submission or 0, 0)
            found[one.name] = _("{name}, version {version}").format(name=students[one.student], version=version)
    taken: set[str] = set()
    for name, shown in found.items():  # two students may have the same name
        found[name] = shown if shown not in taken else f"{shown} ({name})"
        taken.add(found[name])
    return found


def arena_report(
    records: Records, settings: ArenaSettings, name: str | None = None, names: str | None = None
) -> Report:
    """The results of one of the arena's tournaments, with the names that people know."""
    store = records.store
    name = report_name(store, name)
    names = names or settings.course.names
    return make_report(_renamed(store, name, shown_names(records, names), names == "names"), name)


def report_html(
    records: Records,
    settings: ArenaSettings,
    name: str | None = None,
    names: str | None = None,
    shown: int = SHOWN,
    above: str = "",
) -> str:
    """The report as one HTML file, which needs no network and no other files; above: HTML before the results."""
    return html_report(arena_report(records, settings, name, names), shown, above)


def _renamed(store: Store, name: str, names: Mapping[str, str], with_reasons: bool) -> Store:
    """A copy of a tournament in memory, with other names for its contestants.

    with_reasons: faults are told with file, line and what the code said, which may tell who wrote it; else their kind.
    """
    plan, openings = store.plan(name)
    contestants = tuple(
        dataclasses.replace(one, name=names.get(one.name, one.name), player="") for one in plan.contestants
    )
    copy = open_store(None)
    copy.create(dataclasses.replace(plan, contestants=contestants, sources={}), openings)
    pairs, games = {}, []
    for game in store.games(name):
        pair = game.pair
        if pair.id not in pairs:
            first, second = (names.get(one, one) for one in (pair.first, pair.second))
            pairs[pair.id] = dataclasses.replace(pair, first=first, second=second)
        data = json.loads(game.json)
        data["players"] = [names.get(one, one) for one in data["players"]]
        if not with_reasons:
            data.pop("error", None)
            data["reason"] = data["reason"].partition(":")[0]
        score = 1 - game.score if game.swapped else game.score
        games.append((pair.id, game.swapped, Played(score, data["reason"], game.plies, json.dumps(data))))
    copy.add_pairs(name, pairs.values())
    copy.add_games(name, games)
    copy.add_notes(name, store.notes(name))
    return copy
