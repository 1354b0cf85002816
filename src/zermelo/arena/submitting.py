"""Handing in: what the server does with the files that a student sends. It reads them as text, and runs nothing."""

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from zermelo.arena.archives import checked_texts, main_file, texts_in
from zermelo.arena.records import Records, now
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Submission
from zermelo.errors import ZermeloError, marked

MOST_A_MINUTE = 6
"""How many submissions of one student are taken within a minute. Code that waits already is not counted."""

DEADLINE, EXTENSIONS, FROZEN = "deadline", "extensions", "frozen"
"""Flags: the time that replaces the deadline of arena.toml, {student: time}, and whether the final has begun."""

BAD_REQUEST = marked("the request should be JSON with a filename, and with text, files or base64")


class ClosedError(ZermeloError):
    """The deadline is over, or the arena is frozen."""

    http_status = 403


class TooOftenError(ZermeloError):
    """A student hands in faster than anybody can program."""

    http_status = 429


def texts_of_request(request: Any, settings: ArenaSettings) -> tuple[str, dict[str, str]]:
    """The main file and all texts of a request, which is JSON with a filename and one of these:

    text: the text of the file. files: {path: text}. base64: the bytes of a Python file or of a ZIP file.
    It may name the file that contains the player, as main.
    """
    most = settings.course.most_bytes
    name, wanted = (request.get("filename"), request.get("main")) if isinstance(request, Mapping) else (None, None)
    if not isinstance(name, str) or not (wanted is None or isinstance(wanted, str)):
        raise ZermeloError(BAD_REQUEST)
    text, files, packed = request.get("text"), request.get("files"), request.get("base64")
    if isinstance(text, str):
        texts = checked_texts({name: text}, most)
    elif isinstance(files, Mapping) and all(isinstance(one, str) for one in [*files, *files.values()]):
        texts = checked_texts(dict(files), most)
    elif isinstance(packed, str):
        try:
            data = base64.b64decode(packed, validate=True)
        except ValueError:
            raise ZermeloError(BAD_REQUEST) from None
        texts = texts_in(name, data, most)
    else:
        raise ZermeloError(BAD_REQUEST)
    return main_file(texts, wanted if wanted is not None else name), texts


def digest_of(texts: Mapping[str, str]) -> str:
    """By what code is recognised: the texts and, if there are several, their names. Line endings do not count."""
    known: Any = dict(sorted(texts.items())) if len(texts) > 1 else next(iter(texts.values()))
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


def take(
    records: Records, settings: ArenaSettings, student_id: str, filename: str, texts: Mapping[str, str]
) -> Submission:
    """Add a submission to the queue, with texts as texts_of_request returns them; when this returns, it is safe.

    The same code as last time is recognised, and nothing is added. ClosedError after the deadline, QuotaError and
    TooOftenError for too many.
    """
    digest = digest_of(texts)
    with records.changing(durable=True):
        again = records.repeated(student_id, digest)
        if again is not None:
            return again
        check_open(records, settings, student_id)
        latest = records.submissions(student_id)[-MOST_A_MINUTE:]
        if len(latest) == MOST_A_MINUTE and 0 <= now() - latest[0].time < 60:
            raise TooOftenError("you have handed in {most} times within a minute; wait a minute", most=MOST_A_MINUTE)
        day = day_around(now(), settings.course.zone)
        return records.add_submission(student_id, filename, texts, digest, quota=settings.course.quota, day=day)


def check_open(records: Records, settings: ArenaSettings, student_id: str) -> None:
    """Raise ClosedError if this student cannot hand in now."""
    if records.flag(FROZEN, False):
        raise ClosedError("the arena is frozen for the final, and nothing more can be handed in")
    end = deadline_of(records, settings, student_id)
    if end is not None and now() >= end:
        raise ClosedError("the deadline was {time}", time=shown_time(end, settings))


def deadline_of(records: Records, settings: ArenaSettings, student_id: str | None = None) -> float | None:
    """When handing in ends, in seconds since 1970: for the class, or for one student, who may have more time."""
    planned = settings.course.deadline
    end = records.flag(DEADLINE, planned.timestamp() if planned is not None else None)
    more = records.flag(EXTENSIONS, {}).get(student_id)
    return end if end is None or more is None else max(float(end), float(more))


def extend(records: Records, student_id: str, time: float | None, who: str) -> None:
    """Give one student time until then; None takes the extension back."""
    records.student(student_id)

    def change(known: dict[str, float]) -> dict[str, float]:
        others = {one: end for one, end in known.items() if one != student_id}
        return others if time is None else others | {student_id: time}

    records.change_flag(EXTENSIONS, {}, change, who)


def left_today(records: Records, settings: ArenaSettings, student_id: str) -> int:
    """How many different versions the student can still hand in today."""
    return max(settings.course.quota - records.counted(student_id, day_around(now(), settings.course.zone)), 0)


def day_around(time: float, zone: ZoneInfo) -> tuple[float, float]:
    """The beginning and the end of the day in a time zone, which may have 23 or 25 hours."""
    day = datetime.fromtimestamp(time, zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return day.timestamp(), (day + timedelta(days=1)).timestamp()


def shown_time(time: float, settings: ArenaSettings) -> str:
    """A time in the class's time zone, which is named: 2027-01-15 23:59 (Europe/Madrid)."""
    local = datetime.fromtimestamp(time, settings.course.zone)
    return f"{local:%Y-%m-%d %H:%M} ({settings.course.time_zone})"


def as_json(records: Records, submission: Submission) -> dict[str, Any]:
    """What a student's program is told about a submission: its state, its place in the queue, and the verdict."""
    queue = records.queue() if submission.state in ("waiting", "checking") else None
    return {
        "id": submission.id,
        "version": submission.version,
        "filename": submission.filename,
        "digest": submission.digest,
        "state": submission.state,
        "repeated": submission.is_repeat,
        "time": submission.time,
        "place": queue.place(submission.id) if queue else None,
        "wait": queue.wait(submission.id) if queue else None,
        "contestant": submission.contestant,
        "report": dict(submission.report),
    }
