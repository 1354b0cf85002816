"""The people of an arena: students, the keys of all links, and the deletion of personal data."""

import json
import secrets
from collections.abc import Collection, Sequence
from typing import Any

from zermelo.arena.keys import KINDS, hash_of, looks_like_key, new_key
from zermelo.arena.names import clean_name, free_pseudonym
from zermelo.arena.noted import Noted, now
from zermelo.arena.tables import Student
from zermelo.errors import ZermeloError
from zermelo.files.checked import checked

DELETIONS = (
    "DELETE FROM arena_keys WHERE student = ?",
    "DELETE FROM arena_texts WHERE student = ?",
    "UPDATE arena_submissions SET filename = '', digest = '', report = '{}', state = 'withdrawn' WHERE student = ?",
    "UPDATE arena_contestants SET player = '', sources = '{}', student = NULL WHERE student = ?",
    "UPDATE arena_students SET name = '', pseudonym = '' WHERE id = ?",
)
"""What removes a student's personal data. Each statement takes the student's id."""


def blanked(content: Any, words: Collection[str]) -> Any:
    """The same JSON without these words: texts become empty, and entries with such a key are left out."""
    if isinstance(content, dict):
        return {key: blanked(value, words) for key, value in content.items() if key not in words}
    if isinstance(content, list):
        return [blanked(value, words) for value in content]
    return "" if isinstance(content, str) and content in words else content


class People(Noted):
    """The part of the records that knows who belongs to the class."""

    # -------------------------------------------------------------------------------- students

    def add_student(self, name: str, pseudonym: str | None = None) -> tuple[Student, str]:
        """Add a member of the class, and return the key of the personal link, which cannot be had again later."""
        name = clean_name(name)
        with self.changing(durable=True):
            taken = {one.pseudonym.casefold() for one in self.students()}
            pseudonym = clean_name(pseudonym) if pseudonym else free_pseudonym(taken)
            if pseudonym.casefold() in taken:
                raise ZermeloError("the pseudonym {pseudonym} is already taken", pseudonym=pseudonym)
            student = Student(secrets.token_hex(8), name, pseudonym, now())
            self.store.execute(
                "INSERT INTO arena_students VALUES (?, ?, ?, ?, NULL)",
                [student.id, student.name, student.pseudonym, student.made],
            )
            key = self._add_key("student", student.id)
            self.audit("arena", "student added", {"student": student.id})
        return student, key

    def students(self) -> list[Student]:
        """The members of the class, in the order in which they joined."""
        return self._students("ORDER BY made, id")

    def student(self, student_id: str) -> Student:
        """One member of the class. Raises ZermeloError if there is none with this id."""
        found = self._students("AND id = ?", [student_id])
        if not found:
            raise ZermeloError("there is no student {id!r} in this arena", id=student_id)
        return found[0]

    def student_by_key(self, key: str) -> Student | None:
        """The student whose personal link has this key, or None."""
        if not looks_like_key(key):
            return None
        rows = self.store.execute("SELECT student FROM arena_keys WHERE hash = ? AND kind = 'student'", [hash_of(key)])
        found = self._students("AND id = ?", rows[0]) if rows else []
        return found[0] if found else None

    def _students(self, which: str, values: Sequence[Any] = ()) -> list[Student]:
        rows = self.store.execute(
            f"SELECT id, name, pseudonym, made FROM arena_students WHERE removed IS NULL {which}", values
        )
        return [checked(Student(*row)) for row in rows]

    def rename_student(self, student_id: str, name: str, who: str) -> None:
        """Correct a student's name."""
        with self.changing():
            self.student(student_id)
            self.store.execute("UPDATE arena_students SET name = ? WHERE id = ?", [clean_name(name), student_id])
            self.audit(who, "student renamed", {"student": student_id})

    def new_key(self, student_id: str) -> str:
        """Make a new key for a student's link. The old link stops working."""
        with self.changing(durable=True):
            self.student(student_id)
            self.store.execute("DELETE FROM arena_keys WHERE student = ?", [student_id])
            self.audit("arena", "new link", {"student": student_id})
            return self._add_key("student", student_id)

    def remove_student(self, student_id: str, who: str = "teacher") -> None:
        """Delete a student's personal data: name, pseudonym, link, code, reports, file names, feedback, ratings.

        Finished games stay, because the ratings of others rest on them. They name the code by a number that now leads
        to nobody. So do the lines of the audit log.
        """
        with self.changing(durable=True):
            student = self.student(student_id)
            rows = self.store.execute("SELECT name FROM arena_contestants WHERE student = ?", [student_id])
            names = {str(name) for (name,) in rows}
            for statement in DELETIONS:
                self.store.execute(statement, [student_id])
            for name in names:
                self.store.execute("DELETE FROM arena_ratings WHERE contestant = ?", [name])
                self.store.execute("UPDATE arena_contestants SET retired = ? WHERE name = ?", [now(), name])
            self.store.execute("UPDATE arena_students SET removed = ? WHERE id = ?", [now(), student_id])
            self.store.forget(names)
            self._blank({student.id, student.name, student.pseudonym}, names)
            self.audit(who, "student removed", {"student": student_id})
        self.store.erase()

    def _blank(self, words: Collection[str], contestants: Collection[str]) -> None:
        """Delete these words from all flags and snapshots, and the snapshots about these contestants."""
        for title, _revision in self.published_since(0):
            if title.partition("/")[2] in contestants:  # such as feedback/v17
                self.unpublish(title)
            else:
                self.publish(title, blanked(self.published(title)[1], words))
        for name, text in self.store.execute("SELECT name, value FROM arena_flags"):
            value = json.dumps(blanked(json.loads(text), words))
            if value != text:
                self.store.execute("UPDATE arena_flags SET value = ? WHERE name = ?", [value, name])

    # -------------------------------------------------------------------------------- keys of the arena

    def make_key(self, kind: str, key: str | None = None) -> str:
        """Make the key of the teacher's, join or watch link, or use this one. The older key stops working."""
        with self.changing():
            self.store.execute("DELETE FROM arena_keys WHERE kind = ? AND student IS NULL", [kind])
            return self._add_key(kind, None, key)

    def is_key(self, kind: str, key: str) -> bool:
        """Is this the key of a link of the arena?"""
        return looks_like_key(key) and bool(
            self.store.execute(
                "SELECT 1 FROM arena_keys WHERE hash = ? AND kind = ? AND student IS NULL", [hash_of(key), kind]
            )
        )

    def _add_key(self, kind: str, student_id: str | None, key: str | None = None) -> str:
        if kind not in KINDS or (kind == "student") != (student_id is not None):
            raise ValueError(kind)
        key = key or new_key()
        self.store.execute("INSERT INTO arena_keys VALUES (?, ?, ?, ?)", [hash_of(key), kind, student_id, now()])
        return key
