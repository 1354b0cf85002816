"""What the teacher decides about deadlines, written as times in the arena's time zone. submitting.py keeps to them."""

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings, moment
from zermelo.arena.submitting import DEADLINE, EXTENSIONS, deadline_of, extend
from zermelo.arena.tables import Submission
from zermelo.errors import ZermeloError


def extensions(records: Records) -> dict[str, float]:
    """Student -> until when this student may hand in."""
    found: dict[str, float] = records.flag(EXTENSIONS, {})
    return found


def is_late(records: Records, settings: ArenaSettings, submission: Submission) -> bool:
    """Was it handed in after the student's deadline?"""
    deadline = deadline_of(records, settings, submission.student)
    return deadline is not None and submission.time >= deadline


def set_deadline(records: Records, settings: ArenaSettings, text: str | None, who: str) -> None:
    """Set the deadline of the class: a time such as 2027-01-15 23:59 in the arena's time zone, or None for none."""
    records.set_flag(DEADLINE, None if text is None else _seconds(settings, text), who)


def set_extension(records: Records, settings: ArenaSettings, student_id: str, text: str | None, who: str) -> None:
    """Give a student time until then; None takes an extension back."""
    if text is not None or student_id in extensions(records):
        extend(records, student_id, None if text is None else _seconds(settings, text), who)


def _seconds(settings: ArenaSettings, text: str) -> float:
    try:
        return moment(text, settings.course.zone).timestamp()
    except (ValueError, OverflowError, OSError):
        raise ZermeloError("{text!r} is not a time; write one such as 2027-01-15 23:59", text=text[:50]) from None
