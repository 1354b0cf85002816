"""The teacher's desk: who handed in what and when, the queue, pausing, deadlines, and the students.

Nobody but the teacher gets in. Every change is a form with the page's token and stands in the audit log, and what
cannot be undone is confirmed on a page of its own. The pages need no scripts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import HTTPException, Query, Request
from starlette.responses import Response

from zermelo.arena.deadlines import extensions, set_deadline, set_extension
from zermelo.arena.faults import latest_faults
from zermelo.arena.links import renewed
from zermelo.arena.records import Records
from zermelo.arena.submitting import deadline_of
from zermelo.arena.tables import STATES, Student, Submission
from zermelo.language import _
from zermelo.web.arena.desk_pages import TEACHER, Form, arena_of, desk_page, desk_router, go, when
from zermelo.web.arena.joining import link_page
from zermelo.web.arena.signing import own_address, records_of
from zermelo.web.arena.words import STATE_NAMES

router = desk_router()


# ------------------------------------------------------------------------------------------ who handed in what


@dataclass(frozen=True)
class Row:
    """A line of the table of students."""

    student: Student
    versions: int
    latest: Submission | None
    standing: dict[str, Any]

    @property
    def elo(self) -> float | None:
        return self.standing.get("elo")


SORTS: dict[str, Callable[[Row], Any]] = {
    "name": lambda row: row.student.name.casefold(),
    "versions": lambda row: -row.versions,
    "time": lambda row: -(row.latest.time if row.latest else 0),
    "state": lambda row: STATES.index(row.latest.state) if row.latest else -1,
    "elo": lambda row: -(row.elo if row.elo is not None else -1e9),
    "faults": lambda row: -int(row.standing.get("faults") or 0),
}
"""The columns by which the table can be sorted."""


def rows_of(records: Records) -> list[Row]:
    """A line for each student."""
    handed_in: dict[str, list[Submission]] = {}
    for submission in records.submissions():
        handed_in.setdefault(submission.student, []).append(submission)
    standings = records.published("standings")[1].get("rows", [])
    by_contestant = {row.get("contestant"): row for row in standings}
    current = records.current()
    rows = []
    for student in records.students():
        theirs, plays = handed_in.get(student.id, []), current.get(student.id)
        standing = by_contestant.get(plays.contestant if plays is not None else None, {})
        rows.append(Row(student, len(theirs), theirs[-1] if theirs else None, standing))
    return rows


@router.get("")
def desk(
    request: Request, sort: Annotated[str, Query(max_length=20)] = "name", down: Annotated[bool, Query()] = False
) -> Response:
    """The overview."""
    records, arena = records_of(request), arena_of(request)
    sort = sort if sort in SORTS else "name"
    queue = records.queue()
    students = {one.id: one for one in records.students()}
    return desk_page(
        request,
        "desk.html",
        rows=sorted(rows_of(records), key=SORTS[sort], reverse=down),
        sort=sort,
        down=down,
        queue=[(one, students.get(one.student), queue.wait(one.id)) for one in queue.waiting[:20]],
        waiting=len(queue.waiting),
        is_paused=bool(records.flag("paused", False)),
        is_frozen=bool(records.flag("frozen", False)),
        deadline=deadline_of(records, arena),
        state_names=STATE_NAMES,
    )


@router.get("/submissions")
def submissions(
    request: Request,
    student: Annotated[str | None, Query(max_length=64)] = None,
    state: Annotated[str | None, Query(max_length=20)] = None,
) -> Response:
    """Everything that was handed in, the latest first."""
    records = records_of(request)
    states = [state] if state in STATES else None
    found = records.submissions(student or None, states)[::-1][:MOST_SHOWN]
    students = {one.id: one for one in records.students()}
    return desk_page(
        request,
        "desk_submissions.html",
        submissions=[(one, students.get(one.student)) for one in found],
        student=students.get(student or ""),
        state_shown=state if states else None,
        state_names=STATE_NAMES,
        most=MOST_SHOWN,
    )


MOST_SHOWN = 500
"""How many lines a list shows."""


@router.get("/submissions/{number}")
def submission(request: Request, number: int) -> Response:
    """The code and the report of a submission."""
    records = records_of(request)
    one = records.submission(_in_range(number))
    students = {one.id: one for one in records.students()}
    return desk_page(
        request,
        "desk_code.html",
        submission=one,
        student=students.get(one.student),
        files={name: text.splitlines() for name, text in records.texts(one.id).items()},
        plays=one.id in {playing.id for playing in records.current().values()},
        state_names=STATE_NAMES,
    )


@router.post("/submissions/{number}/withdraw")
def withdraw(request: Request, number: int, fields: Form) -> Response:
    """Take a submission out of the class. An older version of the student plays then, if there is one."""
    records = records_of(request)
    one = records.submission(_in_range(number))
    if one.state != "withdrawn":
        with records.changing(durable=True):
            records.audit(TEACHER, "withdraws a submission", {"submission": one.id, "student": one.student})
            records.decide(one.id, "withdrawn")
    return go(request, f"/desk/submissions/{one.id}", _("The submission is withdrawn."))


@router.post("/submissions/{number}/restore")
def restore(request: Request, number: int, fields: Form) -> Response:
    """Undo a withdrawal: the submission is checked again, at the end of the queue."""
    records = records_of(request)
    one = records.submission(_in_range(number))
    if one.state != "withdrawn" or not records.texts(one.id):
        raise HTTPException(409, _("This submission is not withdrawn, or its code was deleted."))
    with records.changing(durable=True):
        records.audit(TEACHER, "restores a submission", {"submission": one.id, "student": one.student})
        records.decide(one.id, "waiting")
    return go(request, f"/desk/submissions/{one.id}", _("The submission waits to be checked again."))


def _in_range(number: int) -> int:
    """A number that a database can hold."""
    if not 0 <= number < 1 << 62:
        raise HTTPException(404, _("There is no such submission."))
    return number


@router.get("/faults")
def faults(request: Request) -> Response:
    """The games that were lost by faults, the latest first."""
    records = records_of(request)
    students = {one.id: one for one in records.students()}
    entrants = records.contestants()
    owners = {one.name: students.get(one.student or "") for one in entrants}
    numbers = {one.name: one.submission for one in entrants}
    found = latest_faults(records.store, MOST_SHOWN)
    return desk_page(request, "desk_faults.html", faults=found, owners=owners, numbers=numbers)


# ------------------------------------------------------------------------------------------ the course of things


@router.post("/pause")
def pause(request: Request, fields: Form) -> Response:
    """Start no new games and no validations until the arena is resumed."""
    records_of(request).set_flag("paused", True, TEACHER)
    return go(request, "/desk", _("The arena is paused. Games that are under way are finished."))


@router.post("/resume")
def resume(request: Request, fields: Form) -> Response:
    records_of(request).set_flag("paused", False, TEACHER)
    return go(request, "/desk", _("The arena goes on."))


@router.post("/deadline")
def deadline(request: Request, fields: Form) -> Response:
    """Set the deadline of the class."""
    records, arena = records_of(request), arena_of(request)
    text = "" if fields.value("none") else fields.value("time")
    if not text and not fields.value("none"):
        return go(request, "/desk", _("Nothing was changed: no time was given."))
    set_deadline(records, arena, text or None, TEACHER)
    return go(request, "/desk", _said_deadline(request, deadline_of(records, arena)))


def _said_deadline(request: Request, moment: Any) -> str:
    if moment is None:
        return _("There is no deadline now.")
    return _("The deadline is {time}.").format(time=when(request, moment))


@router.post("/links/{kind}")
def new_link(request: Request, kind: str, fields: Form) -> Response:
    """Make a new join link or a new link for watching. The old one stops working."""
    if kind not in ("join", "watch"):
        raise HTTPException(404, _("There is no such link."))
    records = records_of(request)
    with records.changing(durable=True):
        key = renewed(records, arena_of(request).folder, kind)
        records.audit(TEACHER, "makes a new link", {"kind": kind})
    path = f"/join?key={key}" if kind == "join" else f"/enter?key={key}"
    answer = desk_page(request, "desk_link.html", kind=kind, link=own_address(request, path))
    answer.headers["Cache-Control"] = "no-store"
    return answer


# ------------------------------------------------------------------------------------------ students


@router.get("/students")
def students(request: Request) -> Response:
    """The class."""
    return _students_page(request)


def _students_page(request: Request, problem: str = "", status: int = 200) -> Response:
    records, arena = records_of(request), arena_of(request)
    extended = extensions(records)
    return desk_page(
        request,
        "desk_students.html",
        status,
        students=sorted(records.students(), key=lambda one: one.name.casefold()),
        extended={student: when(request, time) for student, time in extended.items()},
        deadline=deadline_of(records, arena),
        problem=problem,
    )


@router.post("/students")
def add_student(request: Request, fields: Form) -> Response:
    """Add a student, and show the personal link, which cannot be shown again."""
    records = records_of(request)
    with records.changing(durable=True):
        student, key = records.add_student(fields.value("name"), fields.value("pseudonym") or None)
        records.audit(TEACHER, "adds a student", {"student": student.id})
    return link_page(request, student, key)


@router.post("/students/{student_id}/rename")
def rename(request: Request, student_id: str, fields: Form) -> Response:
    records_of(request).rename_student(student_id, fields.value("name"), TEACHER)
    return go(request, "/desk/students", _("The name is changed."))


@router.post("/students/{student_id}/link")
def student_link(request: Request, student_id: str, fields: Form) -> Response:
    """Make a new personal link for a student. The old one stops working."""
    records = records_of(request)
    with records.changing(durable=True):
        student, key = records.student(student_id), records.new_key(student_id)
        records.audit(TEACHER, "makes a new link", {"student": student_id})
    return link_page(request, student, key)


@router.post("/students/{student_id}/extension")
def extension(request: Request, student_id: str, fields: Form) -> Response:
    """Give one student more time, or take it back."""
    records, arena = records_of(request), arena_of(request)
    student = records.student(student_id)
    text = "" if fields.value("none") else fields.value("time")
    if not text and not fields.value("none"):
        return go(request, "/desk/students", _("Nothing was changed: no time was given."))
    set_extension(records, arena, student.id, text or None, TEACHER)
    return go(request, "/desk/students", _said_deadline(request, deadline_of(records, arena, student.id)))


@router.get("/students/{student_id}/remove")
def ask_removal(request: Request, student_id: str) -> Response:
    """What is deleted with a student, and what stays."""
    records = records_of(request)
    student = records.student(student_id)
    return desk_page(
        request, "desk_remove.html", student=student, versions=len(records.submissions(student_id)), problem=""
    )


@router.post("/students/{student_id}/remove")
def remove(request: Request, student_id: str, fields: Form) -> Response:
    """Delete a student's data. The name must be written, because this cannot be undone."""
    records = records_of(request)
    student = records.student(student_id)
    if fields.value("name").strip() != student.name:
        problem = _("Nothing was deleted: this is not the student's name.")
        versions = len(records.submissions(student_id))
        return desk_page(request, "desk_remove.html", 400, student=student, versions=versions, problem=problem)
    records.remove_student(student.id, TEACHER)
    return go(request, "/desk/students", _("The student's data is deleted."))
