"""Marking: every item of a rubric, for one student's work or for all that is in a folder."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, ZermeloError
from zermelo.language import _
from zermelo.marking import heuristic_items, matches, search_items
from zermelo.marking.results import Look, Result
from zermelo.marking.rubric import Group, Item, Rubric
from zermelo.marking.submission import Broken, Place, Submission

LOOKS: dict[str, Look] = {**search_items.LOOKS, **heuristic_items.LOOKS, **matches.LOOKS}

Tell = Callable[[str, int, int], None]
"""Told of every step: what is being marked, how many steps are done, and of how many."""


@dataclass(frozen=True)
class Mark:
    """The points of one item."""

    group: str
    item: Item
    points: float
    feedback: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        return self.points >= self.item.points


@dataclass(frozen=True)
class Marks:
    """What one student's work gets."""

    student: str
    file: str
    rubric: Rubric
    marks: tuple[Mark, ...]
    reason: str | None = None  #: why it could not be marked at all
    seconds: float = 0.0

    @property
    def points(self) -> float:
        return round(sum(mark.points for mark in self.marks), 2)

    @property
    def of(self) -> float:
        return self.rubric.points

    def in_group(self, group: Group) -> float:
        """The points of a group."""
        return round(sum(mark.points for mark in self.marks if mark.item in group.items), 2)

    def as_json(self) -> dict[str, Any]:
        """The marks for programs."""
        groups = []
        for group in self.rubric.groups:
            items = [
                {
                    "check": mark.item.check,
                    "title": mark.item.title,
                    "points": mark.points,
                    "of": mark.item.points,
                    "feedback": list(mark.feedback),
                    **mark.facts,
                }
                for mark in self.marks
                if mark.item in group.items
            ]
            of = sum(item.points for item in group.items)
            groups.append({"title": group.title, "points": self.in_group(group), "of": of, "items": items})
        head = {"student": self.student, "file": self.file, "title": self.rubric.title}
        return {**head, "points": self.points, "of": self.of, "reason": self.reason, "groups": groups}


def mark_work(
    path: Path,
    rubric: Rubric,
    place: Place,
    function: str | None = None,
    tell: Tell = lambda what, done, of: None,
) -> Marks:
    """The marks of one student's work. Work that cannot be run gets no points, and the marks say why."""
    began = time.monotonic()
    student = path.stem if path.is_file() else path.name
    found: list[Mark] = []
    reason = None
    number, done = sum(len(group.items) for group in rubric.groups), 0
    try:
        with Submission(path, rubric, place, function) as work:
            for group in rubric.groups:
                for item in group.items:
                    result = _looked(work, item, _steps(tell, student, done, number))
                    points = round(item.points * min(1.0, max(0.0, result.share)), 2)
                    lines = tuple("\n".join(result.feedback).splitlines())
                    found.append(Mark(group.title, item, points, lines, result.facts))
                    done += 1
    except (Broken, FileError) as error:
        reason = str(error)
        marked = {id(mark.item) for mark in found}
        for group in rubric.groups:
            found += [Mark(group.title, item, 0.0, (reason,)) for item in group.items if id(item) not in marked]
    return Marks(student, str(path), rubric, tuple(found), reason, time.monotonic() - began)


def _steps(tell: Tell, student: str, done: int, number: int) -> Callable[[int, int], None]:
    """Tells of the cases of one item as parts of the whole: each item counts for a hundred steps."""
    return lambda i, of: tell(student, 100 * done + 100 * i // max(of, 1), 100 * number)


def _looked(work: Submission, item: Item, tell: Callable[[int, int], None]) -> Result:
    try:
        return LOOKS[item.check](work, item, tell)
    except Broken as error:
        return Result(0.0, (str(error),))


def check_rubric(rubric: Rubric) -> None:
    """Find mistakes of a rubric that show only when it is used, such as a rung that does not exist."""
    for group in rubric.groups:
        for item in group.items:
            if item.check == "beats":
                try:
                    matches.check_rung(item)
                except ZermeloError as error:
                    text = _("{title}: rung: {error}").format(title=item.title, error=error)
                    raise ZermeloError(text) from None


def work_of(path: Path, rubric: Rubric) -> list[Path]:
    """All that was handed in: a file, a folder with the file that the rubric names, or all of these in a folder."""
    if not path.is_dir() or _is_work(path, rubric):
        return [path]
    inside = [
        one
        for one in sorted(path.iterdir())
        if not one.name.startswith(("_", "."))
        and (one.suffix == ".py" if one.is_file() else _is_work(one, rubric) or any(one.glob("*.py")))
    ]
    if not inside:
        raise FileError("{path}: this folder has no Python files", path=path)
    return inside


def _is_work(folder: Path, rubric: Rubric) -> bool:
    return rubric.file is not None and (folder / rubric.file).is_file()
