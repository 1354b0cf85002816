"""The tables of an arena, in the same database as the ledger of its tournaments, and what their rows mean."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import FileError
from zermelo.files.checked import checked
from zermelo.tournaments.store import Store

SCHEMA = 1

STATES = ("waiting", "checking", "valid", "refused", "withdrawn")
"""The states of a submission: in the queue, with a worker, able to play, not able to play, taken back."""

TABLES = (
    "CREATE TABLE arena_numbers (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    """CREATE TABLE arena_students (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        pseudonym TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        removed DOUBLE PRECISION)""",
    """CREATE TABLE arena_keys (
        hash TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        student TEXT REFERENCES arena_students (id),
        made DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE arena_submissions (
        id BIGINT PRIMARY KEY,
        student TEXT NOT NULL REFERENCES arena_students (id),
        version INTEGER NOT NULL,
        filename TEXT NOT NULL,
        digest TEXT NOT NULL,
        size INTEGER NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        counts INTEGER NOT NULL,
        state TEXT NOT NULL,
        started DOUBLE PRECISION,
        decided DOUBLE PRECISION,
        seconds DOUBLE PRECISION,
        contestant TEXT,
        report TEXT NOT NULL,
        UNIQUE (student, version))""",
    "CREATE INDEX arena_submissions_by_state ON arena_submissions (state, id)",
    """CREATE TABLE arena_texts (
        student TEXT NOT NULL,
        digest TEXT NOT NULL,
        path TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (student, digest, path))""",
    """CREATE TABLE arena_contestants (
        name TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        player TEXT NOT NULL,
        sources TEXT NOT NULL,
        student TEXT,
        submission BIGINT,
        made DOUBLE PRECISION NOT NULL,
        retired DOUBLE PRECISION)""",
    "CREATE TABLE arena_flags (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE arena_events (
        number BIGINT PRIMARY KEY,
        time DOUBLE PRECISION NOT NULL,
        who TEXT NOT NULL,
        what TEXT NOT NULL,
        about TEXT NOT NULL)""",
    "CREATE TABLE arena_published (name TEXT PRIMARY KEY, revision BIGINT NOT NULL, content TEXT NOT NULL)",
    """CREATE TABLE arena_ratings (
        contestant TEXT NOT NULL,
        games INTEGER NOT NULL,
        time DOUBLE PRECISION NOT NULL,
        elo DOUBLE PRECISION,
        error DOUBLE PRECISION,
        PRIMARY KEY (contestant, games))""",
)

NUMBERS = ("turn", "submission", "contestant", "event", "revision")
"""What is counted. A number is never given twice, even if its row was deleted."""

MIGRATIONS: Mapping[int, Sequence[str]] = {}
"""Schema number -> the statements that turn it into the next schema."""


@dataclass(frozen=True)
class Student:
    """A member of the class. The id is random and says nothing about the person."""

    id: str
    name: str
    pseudonym: str
    made: float

    def shown(self, names: str) -> str:
        """What others see: the name if the arena shows "names", the pseudonym otherwise."""
        return self.name if names == "names" else self.pseudonym


@dataclass(frozen=True)
class Submission:
    """What a student handed in at a time. The text of its files is in Records.texts(id)."""

    id: int
    student: str
    version: int  # of this student, from 1
    filename: str
    digest: str
    size: int  # in bytes, of all its files
    time: float
    state: str
    decided: float | None = None
    seconds: float | None = None  # how long the validation took
    contestant: str | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    is_repeat: bool = False  # the student handed in the same code just before, so nothing was added


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant as the arena keeps it: a distinct code of a student, or a rung. Its code is in Records.sources."""

    name: str
    number: int
    kind: str  # "student" or "rung"
    title: str  # what the pages call a rung; empty for a student's code
    player: str
    student: str | None
    submission: int | None
    made: float
    retired: float | None


@dataclass(frozen=True)
class Event:
    """A line of the audit log."""

    number: int
    time: float
    who: str
    what: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Rating:
    """A contestant's rating at a time. The error is half of the 95% interval."""

    time: float
    games: int
    elo: float | None
    error: float | None


@dataclass(frozen=True)
class Queue:
    """The submissions that wait or are being checked, in order, and how long a validation takes on average."""

    waiting: Sequence[Submission]
    seconds: float

    def place(self, submission_id: int) -> int | None:
        """The place in the queue, from 1; None if the submission is not in the queue."""
        ids = [one.id for one in self.waiting]
        return ids.index(submission_id) + 1 if submission_id in ids else None

    def wait(self, submission_id: int) -> float | None:
        """The expected number of seconds until the verdict; None if the submission is not in the queue."""
        place = self.place(submission_id)
        return None if place is None else place * self.seconds


SUBMISSION = "id, student, version, filename, digest, size, made, state, decided, seconds, contestant, report"
WITHOUT_CODE = "name, number, kind, title, player, student, submission, made, retired"


def submission_of(row: Sequence[Any]) -> Submission:
    """The submission in a row with the columns SUBMISSION."""
    values = dict(zip(SUBMISSION.replace("made", "time").split(", "), row, strict=True))
    return checked(Submission(**values | {"report": json.loads(values["report"])}))


def entrant_of(row: Sequence[Any]) -> Entrant:
    """The contestant in a row with the columns WITHOUT_CODE."""
    return checked(Entrant(**dict(zip(WITHOUT_CODE.split(", "), row, strict=True))))


def make_tables(store: Store) -> None:
    """Make the tables of a new arena, or bring older ones up to date; FileError if a newer version made them."""
    if _schema(store) == SCHEMA:
        return
    with store.transaction():
        store.execute("UPDATE zermelo SET value = value WHERE name = 'schema'")  # others wait until we have finished
        version = _schema(store)
        if version is None:
            for table in TABLES:
                store.execute(table)
            store.execute_many("INSERT INTO arena_numbers VALUES (?, 0)", [(name,) for name in NUMBERS])
            store.execute("INSERT INTO zermelo VALUES ('arena', ?)", [str(SCHEMA)])
            return
        if version > SCHEMA:
            raise FileError(
                "{where} was made by a newer version of zermelo: its schema is {version}, and this version reads "
                "schemas up to {known}",
                where=store.where,
                version=version,
                known=SCHEMA,
            )
        for old in range(version, SCHEMA):
            for statement in MIGRATIONS[old]:
                store.execute(statement)
        store.execute("UPDATE zermelo SET value = ? WHERE name = 'arena'", [str(SCHEMA)])


def _schema(store: Store) -> int | None:
    rows = store.execute("SELECT value FROM zermelo WHERE name = 'arena'")
    return int(rows[0][0]) if rows else None
