"""Who may see what of a contestant, and what a contestant is called.

A student sees everything about the own submissions, and of others no more than the ladder says. The teacher sees all.
"""

from fastapi import HTTPException, Request

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Entrant, Submission
from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.arena.signing import Visitor, records_of, visitor_of


def own_submission(request: Request, submission_id: int) -> Submission:
    """A submission that the reader may see. For everybody else it does not exist."""
    visitor = visitor_of(request)
    try:
        found = records_of(request).submission(submission_id)
    except ZermeloError:
        raise HTTPException(404) from None
    if not is_own(visitor, found.student):
        raise HTTPException(404)
    return found


def is_own(visitor: Visitor, student_id: str | None) -> bool:
    """May the reader see everything about this student's submissions?"""
    return visitor.is_teacher or (visitor.student is not None and visitor.student.id == student_id)


class Titles:
    """What contestants are called in the pages of one reader. Each is looked up once."""

    def __init__(self, records: Records, arena: ArenaSettings, visitor: Visitor):
        self.records, self.arena, self.visitor = records, arena, visitor
        self._entrants: dict[str, Entrant | None] = {}
        self._titles: dict[str, str] = {}

    def entrant(self, contestant: str) -> Entrant | None:
        """What the arena knows about a contestant, without its code; None if there is none of this name."""
        if contestant not in self._entrants:
            self._entrants[contestant] = self.records.contestant(contestant)
        return self._entrants[contestant]

    def title(self, contestant: str) -> str:
        """The name of a rung, or the name or pseudonym of a student with the number of the version."""
        if contestant not in self._titles:
            self._titles[contestant] = self._title(self.entrant(contestant))
        return self._titles[contestant]

    def _title(self, entrant: Entrant | None) -> str:
        if entrant is not None and entrant.kind == "rung":
            return entrant.title or entrant.player
        if entrant is None or entrant.student is None or entrant.submission is None:
            return _("a former player")
        student, submission = self.records.student(entrant.student), self.records.submission(entrant.submission)
        names = "names" if self.visitor.is_teacher else self.arena.course.names
        return _("{name}, version {version}").format(name=student.shown(names), version=submission.version)

    def is_own(self, contestant: str) -> bool:
        """May the reader see everything about this contestant?"""
        if self.visitor.is_teacher:
            return True
        entrant = self.entrant(contestant)
        return entrant is not None and entrant.student is not None and is_own(self.visitor, entrant.student)
