"""Deadlines: of the class, and of single students who have more time. All times are shown in the arena's time zone."""

from datetime import UTC, datetime
from typing import Any

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings, moment
from zermelo.arena.tables import Submission
from zermelo.errors import ZermeloError


def deadline_for(records: Records, settings: ArenaSettings, student_id: str | None) -> datetime | None:
    """The deadline of a student, or that of the class; None if there is none. An extension never shortens the time."""
    usual = settings.course.deadline.timestamp() if settings.course.deadline is not None else None
    seconds = records.flag("deadline", usual)
    if seconds is None:
        return None
    if student_id is not None:
        seconds = max(seconds, extensions(records).get(student_id, seconds))
    return datetime.fromtimestamp(seconds, UTC).astimezone(settings.course.zone)


def extensions(records: Records) -> dict[str, float]:
    """Student -> until when this student may hand in."""
    found: dict[str, float] = records.flag("extensions", {})
    return found


def is_late(records: Records, settings: ArenaSettings, submission: Submission) -> bool:
    """Was it handed in after the student's deadline?"""
    deadline = deadline_for(records, settings, submission.student)
    return deadline is not None and submission.time > deadline.timestamp()


def set_deadline(records: Records, settings: ArenaSettings, text: str | None, who: str) -> None:
    """Set the deadline of the class: a time such as 2027-01-15 23:59 in the arena's time zone, or None for none."""
    records.set_flag("deadline", None if text is None else _seconds(settings, text), who)


def set_extension(records: Records, settings: ArenaSettings, student_id: str, text: str | None, who: str) -> None:
    """Give a student time until then; None takes an extension back."""
    seconds = None if text is None else _seconds(settings, text)
    if seconds is None and student_id not in extensions(records):
        return

    def changed(known: dict[str, Any]) -> dict[str, Any]:
        rest = {student: time for student, time in known.items() if student != student_id}
        return rest if seconds is None else rest | {student_id: seconds}

    records.change_flag("extensions", {}, changed, who)


def _seconds(settings: ArenaSettings, text: str) -> float:
    try:
        return moment(text, settings.course.zone).timestamp()
    except (ValueError, OverflowError):
        raise ZermeloError("{text!r} is not a time; write one such as 2027-01-15 23:59", text=text[:50]) from None
