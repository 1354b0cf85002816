"""The second half of the teacher's desk: similarity, rounds and the final, exports, and the audit log."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import HTTPException, Query, Request
from starlette.responses import Response, StreamingResponse

from zermelo.arena.exports import all_marks, games_jsonl, marks_csv, report_html, rubric_of
from zermelo.arena.privacy import end_of_keeping
from zermelo.arena.records import Records
from zermelo.arena.similarity import joined
from zermelo.language import _, marked
from zermelo.web.arena.desk_pages import TEACHER, arena_of, desk_page, desk_router
from zermelo.web.arena.signing import records_of

router = desk_router()

BY_PAGE = 100
WHO = {"teacher": marked("teacher"), "student": marked("student"), "arena": marked("arena")}
WHAT = {
    "set": marked("sets a value"),
    "student added": marked("adds a student"),
    "student renamed": marked("renames a student"),
    "student removed": marked("deletes a student's data"),
    "new link": marked("makes a new link"),
    "makes a new link": marked("makes a new link"),
    "adds a student": marked("adds a student"),
    "handed in": marked("hands in"),
    "valid": marked("accepts a submission"),
    "refused": marked("refuses a submission"),
    "withdrawn": marked("takes a submission out"),
    "waiting": marked("puts a submission into the queue"),
    "withdraws a submission": marked("withdraws a submission"),
    "restores a submission": marked("restores a submission"),
    "final ordered": marked("orders the final"),
    "exports": marked("exports"),
}
"""The words of the audit log, which is in English, for readers. What is not here is shown as it is."""
SUSPICIOUS, SURPRISING = 0.5, 3.0
"""From this share of equal tokens on, and from this many standard deviations on, a pair is marked."""


# ------------------------------------------------------------------------------------------ similarity


@router.get("/similarity")
def similarity(request: Request) -> Response:
    """Which submissions are alike, and which players choose the same moves."""
    records = records_of(request)
    texts, moves = records.published("similarity")[1], records.published("agreement")[1]
    students = {one.id: one for one in records.students()}
    by_number = {one.id: one for one in records.submissions()}
    by_contestant = {one.contestant: one for one in by_number.values() if one.contestant}

    def owned(submission: Any) -> dict[str, Any] | None:
        student = students.get(submission.student) if submission is not None else None
        return {"student": student, "submission": submission} if student is not None else None

    def filled(pairs: list[dict[str, Any]], known: dict[Any, Any]) -> Iterator[dict[str, Any]]:
        for pair in pairs:
            one, other = owned(known.get(pair["one"])), owned(known.get(pair["other"]))
            if one is not None and other is not None:  # otherwise somebody's data was deleted meanwhile
                yield pair | {"one": one, "other": other}

    return desk_page(
        request,
        "desk_similarity.html",
        texts=texts,
        pairs=list(filled(texts.get("pairs", []), by_number)),
        moves=moves,
        agreements=list(filled(moves.get("pairs", []), by_contestant))[:50],
        suspicious=SUSPICIOUS,
        surprising=SURPRISING,
    )


@router.get("/similarity/{one}/{other}")
def compared(request: Request, one: int, other: int) -> Response:
    """Two submissions side by side, with what they share."""
    records = records_of(request)
    pairs = records.published("similarity")[1].get("pairs", [])
    pair = next((pair for pair in pairs if (pair["one"], pair["other"]) == (one, other)), None)
    if pair is None:
        raise HTTPException(404, _("These two submissions are not among those that are alike."))
    sides = []
    for number, side in ((one, "one"), (other, "other")):
        submission = records.submission(number)
        sides.append(
            {
                "submission": submission,
                "student": records.student(submission.student),
                "lines": _marked_lines(joined(records.texts(number)), [region[side] for region in pair["regions"]]),
                "share": pair[f"share_of_{side}"],
            }
        )
    return desk_page(request, "desk_compare.html", pair=pair, sides=sides)


def _marked_lines(text: str, regions: list[list[int]]) -> list[tuple[str, int]]:
    """The lines of a text, each with the number of the region that it is in, or 0."""
    lines = text.splitlines()
    numbers = [0] * len(lines)
    for number, (first, last) in enumerate(regions, 1):
        for place in range(first - 1, min(last, len(lines))):
            numbers[place] = numbers[place] or number
    return list(zip(lines, numbers, strict=True))


# ------------------------------------------------------------------------------------------ exports


@router.get("/exports")
def exports(request: Request) -> Response:
    """What can be taken away, and the marks as they are now."""
    records, arena = records_of(request), arena_of(request)
    rubric = rubric_of(records, arena)
    return desk_page(
        request,
        "desk_exports.html",
        rubric=rubric,
        marks=all_marks(records, arena, rubric),
        tournaments=records.store.names(),
        deletion=end_of_keeping(records, arena),
    )


@router.get("/exports/marks.csv")
def export_marks(request: Request) -> Response:
    """The marks as CSV. The first bytes tell spreadsheets that it is UTF-8."""
    records, arena = records_of(request), arena_of(request)
    text = "\ufeff" + marks_csv(records, arena, rubric_of(records, arena))
    _log_export(records, "marks")
    return Response(text.encode(), media_type="text/csv; charset=utf-8", headers=_download("marks.csv"))


@router.get("/exports/games.jsonl")
def export_games(request: Request, tournament: Annotated[str | None, Query(max_length=100)] = None) -> Response:
    """The games of one tournament or of all, one a line."""
    store = records_of(request).store
    known = store.names()
    if tournament is not None and tournament not in known:
        raise HTTPException(404, _("There is no such tournament."))
    _log_export(records_of(request), "games")
    lines = games_jsonl(store, known if tournament is None else [tournament])
    return StreamingResponse(lines, media_type="application/jsonl", headers=_download("games.jsonl"))


@router.get("/exports/report.html")
def export_report(request: Request, tournament: Annotated[str | None, Query(max_length=100)] = None) -> Response:
    """The report as one file."""
    records = records_of(request)
    text = report_html(records, arena_of(request), tournament)
    _log_export(records, "report")
    return Response(text, media_type="text/html; charset=utf-8", headers=_download("report.html"))


def _download(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def _log_export(records: Records, what: str) -> None:
    records.audit(TEACHER, "exports", {"what": what})


# ------------------------------------------------------------------------------------------ the audit log


@router.get("/log")
def log(request: Request, before: Annotated[int | None, Query(ge=0, lt=1 << 62)] = None) -> Response:
    """Who did what, the newest first."""
    records = records_of(request)
    events = records.events(BY_PAGE + 1, before)
    students = {one.id: one for one in records.students()}
    more = events[BY_PAGE - 1].number if len(events) > BY_PAGE else None
    return desk_page(
        request, "desk_log.html", events=events[:BY_PAGE], students=students, more=more, who=WHO, what=WHAT
    )
