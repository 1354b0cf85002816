"""A student's page: handing in, the queue, all versions, and the limits. The API takes submissions of programs, too."""

import base64
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Request, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from zermelo.arena.records import Records, now
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.submitting import as_json, check_open, deadline_of, left_today, shown_time, take, texts_of_request
from zermelo.arena.tables import Queue, Student, Submission
from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.arena.forms import Fields, form
from zermelo.web.arena.signing import Member, records_of, visitor_of
from zermelo.web.arena.words import STATE_NAMES, duration, place_in_queue
from zermelo.web.pages import page
from zermelo.web.security import require_token

router = APIRouter()


def token_or_key(
    request: Request, authorization: str = Header(default=""), x_zermelo_token: str = Header(default="")
) -> None:
    """A dependency of what pages and programs may change. Pages send their token. Programs send the key of the personal
    link as `Authorization: Bearer KEY`, which no page of another site can do.
    """
    if authorization.partition(" ")[0].lower() != "bearer":
        require_token(request, x_zermelo_token)


# ------------------------------------------------------------------------------------------ the page


@dataclass(frozen=True)
class Version:
    """A submission as the student's page shows it."""

    submission: Submission
    state: str
    time: str
    queue: str  # where it stands in the queue
    plays: bool  # whether it is the one that plays

    @property
    def findings(self) -> list[dict[str, Any]]:
        return list(self.submission.report.get("findings") or [])


@router.get("/me", include_in_schema=False)
def me(request: Request, student: Member) -> Response:
    """The page of a student."""
    return my_page(request, student)


@router.post("/me", include_in_schema=False)
async def hand_in(request: Request, student: Member, fields: Annotated[Fields, Depends(form)]) -> Response:
    """Hand in by the form of the page, without scripts."""
    return await run_in_threadpool(take_form, request, student, fields)


def take_form(request: Request, student: Student, fields: Fields) -> Response:
    name, content = fields.files.get("file", ("", b""))
    try:
        if not name:
            raise ZermeloError("choose a file first")
        _take(request, student, {"filename": name, "base64": base64.b64encode(content).decode()})
    except ZermeloError as error:
        return my_page(request, student, error)
    return RedirectResponse("/me", 303)


def my_page(request: Request, student: Student, problem: ZermeloError | None = None) -> Response:
    records, arena = records_of(request), _arena(request)
    queue, current = records.queue(), records.current().get(student.id)
    versions = [version_of(one, queue, arena, current) for one in reversed(records.submissions(student.id))]
    rows = records.published("standings")[1].get("rows", [])
    end = deadline_of(records, arena, student.id)
    answer = page(
        request,
        "arena/me.html",
        200 if problem is None else problem.http_status,
        student=student,
        versions=versions,
        standing=next((row for row in rows if row.get("student") == student.id), None),
        problem="" if problem is None else str(problem),
        closed=_closed(records, arena, student),
        left=left_today(records, arena, student.id),
        deadline=None if end is None else shown_time(end, arena),
        time_left=None if end is None or end <= now() else duration(end - now()),
        waiting=[one.submission.id for one in versions if one.queue],
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def version_of(submission: Submission, queue: Queue, arena: ArenaSettings, current: Submission | None) -> Version:
    place, wait = queue.place(submission.id), queue.wait(submission.id)
    return Version(
        submission,
        _(STATE_NAMES[submission.state]),
        shown_time(submission.time, arena),
        place_in_queue(place, wait) if place is not None and wait is not None else "",
        current is not None and current.id == submission.id,
    )


def _closed(records: Records, arena: ArenaSettings, student: Student) -> str:
    """Why nothing can be handed in now; empty if it can."""
    try:
        check_open(records, arena, student.id)
    except ZermeloError as error:
        return str(error)
    return ""


def _take(request: Request, student: Student, given: dict[str, Any]) -> Submission:
    records, arena = records_of(request), _arena(request)
    filename, texts = texts_of_request(given, arena)
    return take(records, arena, student.id, filename, texts)


def _arena(request: Request) -> ArenaSettings:
    arena: ArenaSettings = request.app.state.arena
    return arena


# ------------------------------------------------------------------------------------------ API


class NewSubmission(BaseModel):
    """What is handed in: a file, or several. One of text, files and base64 is given."""

    filename: str = Field(description="The name of the file.", max_length=255)
    text: str | None = Field(None, description="The text of the file.")
    files: dict[str, str] | None = Field(None, description="The texts of several files, by their names.")
    base64: str | None = Field(None, description="The bytes of a Python file or of a ZIP file.")
    main: str | None = Field(None, description="The file that contains the player, if there are several.")


class Submitted(BaseModel):
    """A submission."""

    id: int
    version: int = Field(description="Counted from 1 for each student.")
    filename: str
    digest: str = Field(description="By what the same code is recognised.")
    state: str = Field(description="One of waiting, checking, valid, refused and withdrawn.")
    repeated: bool = Field(description="Whether the same code was handed in just before, so that nothing was added.")
    time: float = Field(description="When it was handed in, in seconds since 1970.")
    place: int | None = Field(description="The place in the queue, from 1, or null.")
    wait: float | None = Field(description="The expected number of seconds until the verdict, or null.")
    contestant: str | None = Field(description="The name of this code in the tournaments, once it is valid.")
    report: dict[str, Any] = Field(description="What the check found.")


@router.post("/api/submissions", tags=["submissions"], status_code=201, dependencies=[Depends(token_or_key)])
def submit(request: Request, student: Member, given: NewSubmission) -> Submitted:
    """Hand in."""
    submission = _take(request, student, given.model_dump(exclude_none=True))
    return Submitted(**as_json(records_of(request), submission))


@router.get("/api/submissions", tags=["submissions"])
def list_submissions(request: Request, student: Member) -> list[Submitted]:
    """The student's own submissions, the first one first."""
    records = records_of(request)
    return [Submitted(**as_json(records, one)) for one in records.submissions(student.id)]


@router.get("/api/submissions/{submission_id}", tags=["submissions"])
def get_submission(request: Request, submission_id: Annotated[int, Path(ge=1, le=1 << 62)]) -> Submitted:
    """One of the student's own submissions, or any for the teacher."""
    records, visitor = records_of(request), visitor_of(request)
    found = records.find_submission(submission_id)
    is_own = found is not None and visitor.student is not None and found.student == visitor.student.id
    if found is None or not (visitor.is_teacher or is_own):
        raise HTTPException(404, _("There is no such submission, or it is not yours."))
    return Submitted(**as_json(records, found))
