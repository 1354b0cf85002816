"""What leaves an arena: marks that no spreadsheet takes for formulas, games, and a report with people's names."""

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest

from desk_class import DeskClass, games_in
from zermelo.arena.deadlines import extensions, is_late, set_deadline, set_extension
from zermelo.arena.exports import all_shown, arena_report, games_jsonl, marks_csv, report_html, rubric_of
from zermelo.arena.faults import latest_faults
from zermelo.arena.submitting import deadline_of, shown_time
from zermelo.errors import ZermeloError


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DeskClass:
    made = DeskClass(tmp_path_factory.mktemp("arena") / "reversi")
    made.play("final", 1)
    return made


def test_what_everybody_has_shown(small: DeskClass) -> None:
    shown = {student.name: shown for student, shown in all_shown(small.records, small.arena)}
    assert list(shown) == sorted(shown, key=str.casefold)
    ana, zoe = shown["=Ana"], shown["Zoe"]
    assert ana.versions == 2 and ana.submission is not None and zoe.submission is None
    assert set(ana.rungs) == {"random", "alphabeta(depth=2)"}
    assert sum(ana.rungs["random"]) == 4 and ana.rungs["random"][4] + ana.rungs["random"][3] > 0
    assert str(ana.rank) == "1-2" and ana.rank is not None and ana.rank.of == 4
    assert ana.tier is not None and ana.tier.best == 1
    assert shown["Dario"].final is not None and shown["Dario"].final.best == 4


def test_marks_as_a_table(small: DeskClass) -> None:
    text = marks_csv(small.records, small.arena, rubric_of(small.records, small.arena))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["student"] == "'=Ana"
    assert not any((row[column] or "").startswith(("=", "+", "@")) for row in rows for column in row)
    assert rows[0]["points"] != "0" and rows[-1]["reason"] == "nothing was handed in"
    assert rows[0]["handed in"].endswith(("+01:00", "+02:00"))
    assert "it beats random: it is" in rows[0]["feedback"]


def test_games_are_the_ones_of_the_ledger(small: DeskClass) -> None:
    games = games_in("".join(games_jsonl(small.store, ["ladder", "final"])))
    assert len(games) == small.store.counts("ladder")[0] + small.store.counts("final")[0]
    assert {name[0] for game in games for name in game.players} == {"v", "r"}


def test_the_report_has_the_names_that_people_know(small: DeskClass) -> None:
    page = report_html(small.records, small.arena, "final", "names", shown=2)
    assert "Bruno Muñoz, version 1" in page and "Carla &lt;script&gt;" in page
    assert "<script>alert(1)" not in page
    by_default = report_html(small.records, small.arena, shown=0)
    assert small.students["Dario"].pseudonym in by_default and "Bruno" not in by_default
    with pytest.raises(ZermeloError, match="'week' in this arena; its tournaments are ladder, final"):
        report_html(small.records, small.arena, "week")


def test_what_code_said_is_in_the_report_with_names_only(small: DeskClass) -> None:
    fault = next(one for one in latest_faults(small.store, 100) if one.tournament == "ladder")
    kind, _, said = fault.reason.partition(": ")
    assert said
    told = arena_report(small.records, small.arena, "ladder", "names")
    assert any(f"by a fault: {fault.reason}" in note for note in told.notes)
    hidden = arena_report(small.records, small.arena, "ladder", "pseudonyms")
    assert any(note.endswith(f"by a fault: {kind}") for note in hidden.notes)
    assert said not in report_html(small.records, small.arena, "ladder", "pseudonyms", shown=1000)
    assert [line.faults for line in told.lines] == [line.faults for line in hidden.lines]


def test_faults_name_who_lost(small: DeskClass) -> None:
    faults = latest_faults(small.store, 100)
    assert faults
    for fault in faults:
        game = small.store.game(fault.tournament, fault.pair, fault.swapped)
        assert game is not None and game.record.winner is not None
        assert game.record.players[2 - game.record.winner] == fault.contestant


def test_deadlines_have_a_time_zone_and_extensions(tmp_path: Path) -> None:
    small = DeskClass(tmp_path / "arena", games=1)
    records, settings, zoe = small.records, small.arena, small.students["Zoe"].id
    deadline = deadline_of(records, settings)
    assert deadline is not None and shown_time(deadline, settings) == "2027-01-15 23:59 (Europe/Madrid)"
    assert deadline == datetime.fromisoformat("2027-01-15T23:59+01:00").timestamp()
    set_extension(records, settings, zoe, "2027-07-01T12:00", "teacher")
    extended = datetime.fromisoformat("2027-07-01T12:00+02:00").timestamp()  # in summer
    assert deadline_of(records, settings, zoe) == extended
    assert deadline_of(records, settings, small.students["Dario"].id) == deadline
    set_deadline(records, settings, "2020-01-01 10:00", "teacher")
    assert is_late(records, settings, records.submissions()[0])
    assert deadline_of(records, settings, zoe) == extended
    set_extension(records, settings, zoe, None, "teacher")
    assert extensions(records) == {}
    set_deadline(records, settings, None, "teacher")
    assert deadline_of(records, settings, zoe) is None
    with pytest.raises(ZermeloError, match="'tomorrow' is not a time"):
        set_deadline(records, settings, "tomorrow", "teacher")
    said = [(event.who, event.about.get("flag")) for event in records.events(4)]
    assert said == [("teacher", flag) for flag in ("deadline", "extensions", "deadline", "extensions")]
