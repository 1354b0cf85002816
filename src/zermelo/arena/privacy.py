"""How long personal data is kept. What is deleted then, and what stays, is said at Records.remove_student."""

from zermelo.arena.records import Records, now
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.submitting import deadline_of
from zermelo.tournaments.store import Store

DAY = 86_400


def end_of_keeping(records: Records, settings: ArenaSettings) -> float | None:
    """When personal data is deleted, in seconds since 1970; None if the teacher does it, or there is no deadline."""
    deadline = deadline_of(records, settings)
    days = settings.course.keep_days
    return None if deadline is None or days is None else deadline + days * DAY


def forget_chore(records: Records, store: Store, settings: ArenaSettings) -> bool:
    """Delete the personal data of the whole class when its time is over. Returns whether there was any."""
    end = end_of_keeping(records, settings)
    if end is None or now() < end:
        return False
    students = records.students()
    for student in students:
        records.remove_student(student.id, "arena")
    return bool(students)
