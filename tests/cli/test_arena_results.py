"""zermelo arena export, report and final."""

import csv
import io
import json
from pathlib import Path

import pytest

import started
from desk_class import DeskClass, games_in

RUBRIC = """\
title = "Reversi 2026"
kind = "arena"

[[group]]
title = "=Strength"

[[group.item]]
check = "beats"
rung = "random"
points = 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("arena")
    small = DeskClass(place / "cup", games=2)
    small.store.close()
    (place / "rubric.toml").write_text(RUBRIC)
    return place


def arena(folder: Path, *arguments: str):
    return started.run(["arena", *arguments], cwd=folder)


def test_marks_games_and_a_report_in_one_go(folder: Path) -> None:
    files = ["--csv", "marks.csv", "--marks", "rubric.toml", "--games", "games.jsonl", "--report", "report.html"]
    done = arena(folder, "export", "cup", *files)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["wrote marks.csv", "wrote games.jsonl", "wrote report.html"]
    rows = list(csv.DictReader(io.StringIO((folder / "marks.csv").read_text(encoding="utf-8"))))
    assert rows[0]["student"] == "'=Ana" and rows[0]["of"] == "20" and "'=Strength" in rows[0]
    assert games_in((folder / "games.jsonl").read_text(encoding="utf-8"))
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Bruno" not in page and "http://" not in page.replace("http://www.w3.org", "")


def test_the_report_of_a_tournament(folder: Path) -> None:
    done = arena(folder, "report", "cup", "--json")
    found = json.loads(done.stdout)
    assert found["name"] == "ladder" and len(found["standings"]) == 6
    wrong = arena(folder, "report", "cup", "--tournament", "final")
    assert wrong.returncode == 2
    assert wrong.stderr == "zermelo: there is no tournament 'final' in this arena; its tournaments are ladder\n"


def test_mistakes_are_told(folder: Path) -> None:
    nothing = arena(folder, "export", "cup")
    assert nothing.returncode == 2 and "say what to write: --csv, --games or --report" in nothing.stderr
    (folder / "wrong.toml").write_text(RUBRIC.replace('"random"', '"edax"'))
    wrong = arena(folder, "export", "cup", "--csv", "-", "--marks", "wrong.toml")
    assert wrong.returncode == 2 and "'edax' is not a rung of this arena" in wrong.stderr and not wrong.stdout


def test_the_final_is_ordered_once(tmp_path: Path) -> None:
    small = DeskClass(tmp_path / "cup", games=1)
    refused = started.run(["arena", "final", "cup"], cwd=tmp_path, input="n\n")
    assert refused.returncode == 130 and small.records.flag("final") is None
    done = arena(tmp_path, "final", "cup", "--yes", "--number", "314159")
    assert done.stdout == "the final is ordered; its random number is 314159\n", done.stderr
    assert small.records.flag("frozen") is True and set(small.records.flag("final")["contestants"]) == set(
        small.playing
    )
    again = arena(tmp_path, "final", "cup", "--yes", "--number", "1")
    assert again.stdout == "the final is being played: 0 games so far; its random number is 314159\n"
    small.store.close()
