"""Everything that an arena remembers, besides the ledger of its tournaments: students, keys, submissions, contestants.

Several threads and several processes use it at once. Every change is one short transaction, so a process may be killed
at any moment. What was answered with "accepted" is on the disk.
"""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.arena.noted import now as now
from zermelo.arena.people import People
from zermelo.arena.tables import (
    STATES,
    SUBMISSION,
    WITHOUT_CODE,
    Entrant,
    Queue,
    Submission,
    entrant_of,
    submission_of,
)
from zermelo.arena.tables import Event as Event
from zermelo.errors import ZermeloError

FIRST_SECONDS = 15.0
"""How long a validation is expected to take before any has been measured."""


class Records(People):
    """The records of an arena in a store."""

    # -------------------------------------------------------------------------------- submissions

    def add_submission(
        self,
        student_id: str,
        filename: str,
        texts: Mapping[str, str],
        digest: str,
        *,
        quota: int | None = None,
        day: tuple[float, float] | None = None,
    ) -> Submission:
        """Add a submission to the queue; when this returns, it is on the disk.

        If the student's latest submission is the same code and was not refused or withdrawn, that one is returned with
        is_repeat, so a request may be sent twice. Code that the student has handed in before does not count for the
        quota, which is the number of submissions between two times, `day`. ZermeloError if it is used up.
        """
        with self.changing(durable=True):
            self.student(student_id)
            again = self.repeated(student_id, digest)
            if again is not None:
                return again
            known = bool(self._submissions("WHERE student = ? AND digest = ? LIMIT 1", [student_id, digest]))
            if quota is not None and day is not None and not known and self.counted(student_id, day) >= quota:
                raise QuotaError(
                    "you have handed in {quota} different versions today, which is the most this arena allows in a day",
                    quota=quota,
                )
            number, size = self._next("submission"), sum(len(text.encode()) for text in texts.values())
            if not known:
                self.store.execute_many(
                    "INSERT INTO arena_texts VALUES (?, ?, ?, ?)",
                    [(student_id, digest, path, text) for path, text in texts.items()],
                )
            [(version,)] = self.store.execute(
                "SELECT COALESCE(MAX(version), 0) + 1 FROM arena_submissions WHERE student = ?", [student_id]
            )
            row = [number, student_id, version, filename, digest, size, now(), int(not known)]
            self.store.execute(
                "INSERT INTO arena_submissions (id, student, version, filename, digest, size, made, counts, state, "
                "report) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '{}')",
                row,
            )
            self.audit("student", "handed in", {"student": student_id, "submission": number})
            return self.submission(number)

    def repeated(self, student_id: str, digest: str) -> Submission | None:
        """The student's latest submission, if it is this code and was not refused or withdrawn."""
        latest = self._submissions("WHERE student = ? ORDER BY id DESC LIMIT 1", [student_id])
        if not latest or latest[0].digest != digest or latest[0].state in ("refused", "withdrawn"):
            return None
        return dataclasses.replace(latest[0], is_repeat=True)

    def counted(self, student_id: str, day: tuple[float, float]) -> int:
        """How many submissions of a student between two times count for the quota."""
        [(number,)] = self.store.execute(
            "SELECT COUNT(*) FROM arena_submissions WHERE student = ? AND counts = 1 AND made >= ? AND made < ?",
            [student_id, *day],
        )
        return int(number)

    def submissions(self, student_id: str | None = None, states: Sequence[str] | None = None) -> list[Submission]:
        """The submissions of a student or of all, in these states or in all, in the order of their arrival."""
        which, values = ["1 = 1"], []
        if student_id is not None:
            which.append("student = ?")
            values.append(student_id)
        if states is not None:
            which.append(f"state IN ({', '.join('?' * len(states)) or 'NULL'})")
            values += states
        return self._submissions(f"WHERE {' AND '.join(which)} ORDER BY id", values)

    def submission(self, submission_id: int) -> Submission:
        """One submission. Raises ZermeloError if there is none with this number."""
        found = self.find_submission(submission_id)
        if found is None:
            raise ZermeloError("there is no submission {id} in this arena", id=submission_id)
        return found

    def find_submission(self, submission_id: int) -> Submission | None:
        """One submission, or None if there is none with this number."""
        return next(iter(self._submissions("WHERE id = ?", [submission_id])), None)

    def _submissions(self, which: str, values: Sequence[Any]) -> list[Submission]:
        return [
            submission_of(row)
            for row in self.store.execute(f"SELECT {SUBMISSION} FROM arena_submissions {which}", values)
        ]

    def texts(self, submission_id: int) -> dict[str, str]:
        """The files of a submission: path -> text. It is empty if the student's data was deleted.

        A single file has the name under which it was handed in this time.
        """
        one = self.submission(submission_id)
        rows = self.store.execute(
            "SELECT path, text FROM arena_texts WHERE student = ? AND digest = ? ORDER BY path",
            [one.student, one.digest],
        )
        return {one.filename if len(rows) == 1 else str(path): str(text) for path, text in rows}

    def next_waiting(self) -> Submission | None:
        """Reserve the first submission of the queue for this process, or return None.

        The reservation ends with decide or give_back, or when the process ends in any way: then the submission is
        given to the next who asks.
        """
        rows = self.store.execute("SELECT id FROM arena_submissions WHERE state IN ('waiting', 'checking') ORDER BY id")
        for (number,) in rows:
            if not self.store.hold(_claim(number)):
                continue
            taken: list[Any] = []
            try:
                taken = self.store.execute(
                    "UPDATE arena_submissions SET state = 'checking', started = ? "
                    "WHERE id = ? AND state IN ('waiting', 'checking') RETURNING id",
                    [now(), number],
                )
            finally:
                if not taken:
                    self.store.let_go(_claim(number))
            if taken:
                return self.submission(number)
        return None

    def begin_attempt(self, submission_id: int) -> int:
        """Note that a reserved submission is tried, and return how often it has been. Most are tried once."""
        with self.changing():
            number = int(self.submission(submission_id).report.get("attempts", 0)) + 1
            self.store.execute(
                "UPDATE arena_submissions SET report = ? WHERE id = ? AND state = 'checking'",
                [json.dumps({"attempts": number}), submission_id],
            )
        return number

    def give_back(self, submission_id: int) -> None:
        """Return a reserved submission to the queue, at its old place."""
        self.store.execute(
            "UPDATE arena_submissions SET state = 'waiting' WHERE id = ? AND state = 'checking'", [submission_id]
        )
        self.store.let_go(_claim(submission_id))

    def decide(
        self, submission_id: int, state: str, report: Mapping[str, Any] | None = None, contestant: str | None = None
    ) -> bool:
        """Give a verdict, and return whether it was taken.

        valid and refused are taken once, while the submission waits or is checked. withdrawn is always taken.
        waiting puts a submission that was decided back into the queue.
        """
        if state not in (*STATES[2:], "waiting"):
            raise ValueError(state)
        before = {"valid": STATES[:2], "refused": STATES[:2], "waiting": STATES[2:]}.get(state, STATES)
        with self.changing(durable=True):
            [(started,)] = self.store.execute("SELECT started FROM arena_submissions WHERE id = ?", [submission_id])
            took = max(now() - started, 0) if started is not None and state in ("valid", "refused") else None
            rows = self.store.execute(
                "UPDATE arena_submissions SET state = ?, decided = ?, seconds = COALESCE(?, seconds), "
                "report = COALESCE(?, report), contestant = COALESCE(?, contestant) "
                f"WHERE id = ? AND state IN ({', '.join('?' * len(before))}) RETURNING id",
                [
                    *(state, None if state == "waiting" else now(), took),
                    *(None if report is None else json.dumps(dict(report)), contestant, submission_id, *before),
                ],
            )
            if rows:
                self.audit("arena", state, {"submission": submission_id})
        self.store.let_go(_claim(submission_id))
        return bool(rows)

    def current(self) -> dict[str, Submission]:
        """Student -> the latest valid submission, which plays."""
        rows = self._submissions(
            "WHERE id IN (SELECT MAX(id) FROM arena_submissions WHERE state = 'valid' GROUP BY student) ORDER BY id", []
        )
        return {one.student: one for one in rows}

    def queue(self) -> Queue:
        """The submissions that wait or are checked, and the mean time of the last validations."""
        rows = self.store.execute(
            "SELECT seconds FROM arena_submissions WHERE seconds IS NOT NULL ORDER BY decided DESC LIMIT 20"
        )
        mean = sum(seconds for (seconds,) in rows) / len(rows) if rows else FIRST_SECONDS
        return Queue(self.submissions(states=STATES[:2]), mean)

    # -------------------------------------------------------------------------------- contestants

    def contestant_name(self, submission: Submission) -> str:
        """The name of this code in the ledger: v and the number of the student's first submission with this content."""
        [(first,)] = self.store.execute(
            "SELECT MIN(id) FROM arena_submissions WHERE student = ? AND digest = ?",
            [submission.student, submission.digest],
        )
        return f"v{first}"

    def add_contestant(
        self,
        name: str,
        player_text: str,
        sources: Mapping[str, Mapping[str, str]],
        kind: str,
        submission_id: int | None = None,
        title: str = "",
    ) -> None:
        """Add a contestant, or bring a retired one back; its player and its sources never change.

        Nothing is added for a student whose data was deleted.
        """
        if kind not in ("student", "rung") or (kind == "student") != (submission_id is not None):
            raise ValueError(kind)
        with self.changing(durable=True):
            student = None if submission_id is None else self.submission(submission_id).student
            if student is not None and not self._students("AND id = ?", [student]):
                return  # the student's data was deleted while the code was checked
            row = [name, self._next("contestant"), kind, title, player_text, json.dumps(sources), student]
            self.store.execute(
                "INSERT INTO arena_contestants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL) "
                "ON CONFLICT (name) DO UPDATE SET retired = NULL",
                [*row, submission_id, now()],
            )

    def contestants(self, kind: str | None = None) -> list[Entrant]:
        """The contestants without their code, also those that no longer play, in the order in which they were added."""
        which, values = ("", []) if kind is None else ("WHERE kind = ?", [kind])
        rows = self.store.execute(f"SELECT {WITHOUT_CODE} FROM arena_contestants {which} ORDER BY number", values)
        return [entrant_of(row) for row in rows]

    def contestant(self, name: str) -> Entrant | None:
        """One contestant without its code, or None."""
        rows = self.store.execute(f"SELECT {WITHOUT_CODE} FROM arena_contestants WHERE name = ?", [name])
        return entrant_of(rows[0]) if rows else None

    def sources(self, name: str) -> dict[str, dict[str, str]]:
        """The code of a contestant; empty if there is no such contestant.

        Nobody reads the code of all: a class hands in thousands of versions, and the standings are made every second.
        """
        rows = self.store.execute("SELECT sources FROM arena_contestants WHERE name = ?", [name])
        return dict(json.loads(rows[0][0])) if rows else {}

    def versions(self, names: Sequence[str]) -> dict[str, int]:
        """Contestant -> the latest version of its student that is this code, for these contestants."""
        rows = self.store.execute(
            "SELECT contestant, MAX(version) FROM arena_submissions WHERE state = 'valid' "
            f"AND contestant IN ({', '.join('?' * len(names)) or 'NULL'}) GROUP BY contestant",
            list(names),
        )
        return {str(name): int(version) for name, version in rows}

    def valid_contents(self) -> list[tuple[str, str, int]]:
        """Every different code that is valid: its student, its digest and the latest submission, in this order."""
        rows = self.store.execute(
            "SELECT student, digest, MAX(id) FROM arena_submissions WHERE state = 'valid' "
            "GROUP BY student, digest ORDER BY MAX(id)"
        )
        return [(str(student), str(digest), int(number)) for student, digest, number in rows]

    def retire(self, name: str) -> None:
        """From now on, this contestant plays no new games."""
        self.store.execute("UPDATE arena_contestants SET retired = ? WHERE name = ? AND retired IS NULL", [now(), name])


class QuotaError(ZermeloError):
    """A student has handed in as many submissions as the arena allows in a day."""

    http_status = 429


def _claim(submission_id: int) -> str:
    return f"arena submission {submission_id}"
