"""Marks of an arena by a rubric: every check, its partial credit and its feedback, and the errors of a rubric."""

from pathlib import Path

import pytest

from zermelo.arena.marks import Place, Shown, mark_student, read_arena_rubric, tiers_of, usual_rubric
from zermelo.errors import ZermeloError

RUBRIC = """\
title = "Reversi 2026"
kind = "arena"

[[group]]
title = "Work"

[[group.item]]
check = "handed_in"
points = 10
late = 0.5

[[group.item]]
check = "faults"
points = 10
most = 0.2

[[group]]
title = "Strength"

[[group.item]]
check = "beats"
rung = "random"
confidence = 0.9
points = 20

[[group.item]]
check = "tier"
points = 20
least = 0.25

[[group.item]]
check = "final_rank"
points = 40
full = 2
"""

GOOD = Shown(
    "Ana",
    versions=3,
    submission=7,
    handed_in=1.0,
    elo=120.0,
    error=15.0,
    rank=Place(1, 2, 9),
    tier=Place(1, 1, 4),
    final=Place(2, 3, 9),
    games=40,
    faults=0,
    rungs={"random": [0, 0, 1, 2, 9]},
)


@pytest.fixture
def rubric(tmp_path: Path):
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    return read_arena_rubric(tmp_path / "rubric.toml", ["random", "discs"])


def changed(**values: object) -> Shown:
    return Shown(**{**vars(GOOD), **values})  # type: ignore[arg-type]


def points(rubric, **values: object) -> dict[str, float]:
    return {mark.item.check: mark.points for mark in mark_student(changed(**values), rubric).marks}


def test_perfect_work_gets_all_points(rubric) -> None:
    marks = mark_student(GOOD, rubric)
    assert marks.points == marks.of == rubric.points == 100
    assert [marks.in_group(group) for group in rubric.groups] == [20, 80]
    assert marks.marks[2].feedback[0].startswith("it is stronger: 92% of the points in 24 games")


def test_partial_credit(rubric) -> None:
    assert points(rubric, is_late=True)["handed_in"] == 5
    assert points(rubric, faults=4)["faults"] == 5
    assert points(rubric, faults=30)["faults"] == 0
    assert points(rubric, rungs={"random": [1, 1, 2, 1, 1]})["beats"] == 10
    assert points(rubric, rungs={"random": [9, 2, 1, 0, 0]})["beats"] == 0
    assert points(rubric, rungs={})["beats"] == 0
    assert points(rubric, tier=Place(4, 4, 4))["tier"] == 5
    assert points(rubric, tier=Place(2, 2, 4))["tier"] == 15
    assert points(rubric, final=Place(9, 9, 9))["final_rank"] == 0
    assert points(rubric, final=Place(1, 1, 1))["final_rank"] == 40
    assert points(rubric, final=None)["final_rank"] == 0
    assert points(rubric, games=0)["faults"] == 0


def test_a_final_that_is_still_to_be_played_is_not_one_that_was_missed(rubric) -> None:
    def said(is_over):
        return mark_student(changed(final=None, is_final_over=is_over), rubric).marks[-1].feedback

    assert said(True) == ("it did not play in the final",)
    assert said(False) == ("the final has not been played yet",)


def test_work_that_was_not_accepted_gets_nothing_and_says_why(rubric) -> None:
    assert mark_student(Shown("Bea"), rubric).reason == "nothing was handed in"
    refused = mark_student(Shown("Bea", versions=1, refused="it does not compile"), rubric)
    assert refused.points == 0 and refused.reason == "it does not compile"


def test_mistakes_in_a_rubric_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC.replace('"random"', '"edax"'))
    with pytest.raises(ZermeloError, match="'edax' is not a rung of this arena; its rungs are random"):
        read_arena_rubric(path, ["random"])
    path.write_text(RUBRIC.replace('"arena"', '"search"'))
    with pytest.raises(ZermeloError, match="line 2: kind: 'search' should be one of: arena"):
        read_arena_rubric(path, ["random"])
    path.write_text(RUBRIC.replace("confidence = 0.9\n", "confidence = 2\n"))
    with pytest.raises(ZermeloError, match=r"line 23: group\.item\.confidence"):
        read_arena_rubric(path, ["random"])


def test_the_usual_rubric_has_a_hundred_points() -> None:
    assert usual_rubric(["random", "discs"]).points == 100


def test_tiers_are_told_apart_by_their_errors() -> None:
    assert tiers_of({}) == {}
    assert tiers_of({"a": (0, 100), "b": (-150, 100), "c": (-400, 10)}) == {"a": 1, "b": 1, "c": 2}
