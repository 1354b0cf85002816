"""A whole assignment: eleven made-up submissions, right and wrong, are marked by one command."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from handed_in import RUBRIC, SUBMISSIONS

from zermelo.games.tree.notation import parse_tree

MARKS = {  # points in each group, and a word of the feedback or the reason
    "ana": ((40, 40, 20), ""),
    "bruno": ((40, 30, 20), "if it tries promising moves first"),
    "carla": ((40, 0, 20), "it takes no alpha and beta"),
    "david": ((19, 7, 20), "the window is not swapped"),
    "elena": ((2, 0, 14.38), "minimax returns"),
    "fidel": ((0, 0, 10.62), "fidel.py:8: second = node.moves()[1]"),
    "gema": ((0, 0, 0), "endless loop"),
    "hugo": ((40, 30, 20), ""),
    "irene": ((0, 0, 0), "SyntaxError"),
    "jorge": ((40, 30, 20), ""),
    "kiko": ((0, 0, 6.62), "nobody can know the value"),
}


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """The folder of an assignment after `zermelo check handed-in --marks rubric.toml`, and what the command printed."""
    folder = tmp_path_factory.mktemp("assignment")
    (folder / "rubric.toml").write_text(RUBRIC)
    (folder / "handed-in").mkdir()
    for student, text in SUBMISSIONS.items():
        (folder / "handed-in" / f"{student}.py").write_text(text.replace("RUBRICS", repr(str(folder))))
    command = [sys.executable, "-m", "zermelo", "check", "handed-in", "--marks", "rubric.toml", "--json"]
    command += ["--csv", "marks.csv", "--junit", "report.xml", "--pass", "50"]
    environment = os.environ | {"ZERMELO_SECRET": "another number"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1, done.stderr  # somebody is below 50%
    assert "Traceback" not in done.stderr
    return folder, json.loads(done.stdout)


def test_everybody_gets_the_marks_they_deserve(marked, record_property):
    found = {marks["student"]: marks for marks in marked[1]}
    assert {name: tuple(group["points"] for group in marks["groups"]) for name, marks in found.items()} == {
        name: points for name, (points, _) in MARKS.items()
    }
    for student, (points, word) in MARKS.items():
        assert word in "\n".join(said(found[student])), student
        assert found[student]["points"] == round(sum(points), 2)
        record_property("figure", [19, f"assignment: marks of `{student}`", f"{sum(points):g}", f"{sum(points):g}"])


def said(marks):
    """All that a student is told."""
    return [marks["reason"] or "", *(line for g in marks["groups"] for item in g["items"] for line in item["feedback"])]


def test_the_smallest_tree_is_drawn(marked):
    [david] = [marks for marks in marked[1] if marks["student"] == "david"]
    [item] = [item for group in david["groups"] for item in group["items"] if item["check"] == "values"]
    assert item["mistake"] == "window not swapped"
    assert parse_tree(item["tree"]).nodes
    assert len(item["feedback"]) <= 8
    assert any("yours" in line for line in item["feedback"])


def test_the_table_and_the_report(marked):
    folder = marked[0]
    rows = list(csv.DictReader((folder / "marks.csv").read_text().splitlines()))
    assert [row["student"] for row in rows] == list(MARKS)
    assert rows[1] == {
        "student": "bruno",
        "Right values": "40",
        "Pruning": "30",
        "In a game": "20",
        "points": "90",
        "of": "100",
        "reason": "",
    }
    assert "SyntaxError" in rows[8]["reason"]
    report = ElementTree.parse(folder / "report.xml").getroot()
    assert report.tag == "testsuites"
    assert [suite.get("name") for suite in report] == list(MARKS)
    assert [suite.get("failures") for suite in report][:3] == ["0", "1", "3"]
    assert all(case.get("classname") and case.get("name") for case in report.iter("testcase"))
    assert int(report.get("tests")) == len(list(report.iter("testcase")))


def test_the_guides_show_these_marks():
    for page in ("set-an-assignment.md", "set-an-assignment.es.md"):
        text = (Path(__file__).parents[2] / "docs" / "how-to" / page).read_text(encoding="utf-8")
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines()]
        shown = {row[0]: row[-1] for row in rows if row[0] in MARKS}
        assert shown == {name: f"{sum(points):g}" for name, (points, _) in MARKS.items()}, page
