"""How long personal data is kept. What is deleted then, and what stays, is said at Records.remove_student."""

from zermelo.arena.deadlines import extensions
from zermelo.arena.records import Records, now
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.submitting import deadline_of
from zermelo.tournaments.store import Store

DAY = 86_400
DUE = "data is due"
"""A flag: since when the time of keeping is over."""


def end_of_keeping(records: Records, settings: ArenaSettings) -> float | None:
    """When personal data is deleted, in seconds since 1970; None if the teacher does it, or there is no deadline.

    The days count from the last deadline, with the extensions of single students.
    """
    deadline = deadline_of(records, settings)
    days = settings.course.keep_days
    if deadline is None or days is None:
        return None
    return max([deadline, *extensions(records).values()]) + days * DAY


def forget_chore(records: Records, store: Store, settings: ArenaSettings) -> bool:
    """Delete the personal data of the whole class when its time is over. Returns whether there was any.

    Nothing is deleted before the time has been over for a day, because a clock may jump and come back.
    """
    end, since = end_of_keeping(records, settings), records.flag(DUE)
    if end is None or now() < end:
        if since is not None:
            records.set_flag(DUE, None, "arena")
        return False
    students = records.students()
    if since is None and students:
        records.set_flag(DUE, now(), "arena")
        return True
    if since is None or now() - since < DAY:
        return False
    for student in students:
        records.remove_student(student.id, "arena")
    return bool(students)
