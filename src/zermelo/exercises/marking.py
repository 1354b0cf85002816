"""Marking: which answers are right, and a hint at the first mistake in the order in which the search works."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.exercises.hints import why
from zermelo.exercises.questions import CUTS, Answer, Question
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.exercises.exercise import Exercise

RIGHT, WRONG, MISSING, EMPTY = "right", "wrong", "missing", "empty"
"""What becomes of a question. Empty: nothing was to be written there, and nothing was."""

NOTHING = {"", "-", "–", "—"}
"""Texts that say that nothing is to be written."""


@dataclass(frozen=True)
class Hint:
    """Where the first mistake is, and why the right answer is what it is."""

    question: str  #: the id of the question
    node: str | None
    text: str  #: where to look, without the answer
    why: str  #: the search's own sentence, which tells the answer


@dataclass(frozen=True)
class Marking:
    """What answers are worth.

    Every answer that is to be written gives one point. An answer where nothing is to be written, such as a value for a
    node that is never visited or a branch crossed out that is not cut, takes one point off.
    """

    marks: dict[str, str]  #: by the id of the question: right, wrong, missing or empty
    points: int
    out_of: int
    hint: Hint | None  #: None if everything is right

    @property
    def is_right(self) -> bool:
        return self.hint is None

    @property
    def percent(self) -> int:
        return round(100 * self.points / self.out_of)

    def __str__(self) -> str:
        """The points and the hint, in lines of text."""
        wrong = [name for name, mark in self.marks.items() if mark == WRONG]
        missing = [name for name, mark in self.marks.items() if mark == MISSING]
        lines = [
            _("{points} of {out_of} points ({percent}%)").format(
                points=self.points, out_of=self.out_of, percent=self.percent
            )
        ]
        if wrong:
            lines.append(_("wrong: {names}").format(names=", ".join(wrong)))
        if missing:
            lines.append(_("missing: {names}").format(names=", ".join(missing)))
        if self.hint is None:
            lines.append(_("Everything is right."))
        else:
            lines += [self.hint.text, self.hint.why]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """The marking for programs and pages."""
        return {
            "right": self.is_right,
            "points": self.points,
            "out_of": self.out_of,
            "percent": self.percent,
            "marks": self.marks,
            "hint": dataclasses.asdict(self.hint) if self.hint else None,
        }


def mark(exercise: "Exercise", answers: Mapping[str, Any]) -> Marking:
    """Mark answers by the ids of their questions. An unknown id is an error; what cannot be an answer is wrong."""
    asked = {question.id: question for question in exercise.questions}
    for name in answers:
        if name not in asked:
            raise ZermeloError(
                "{name!r} is not a question of this exercise; its questions are {names}",
                name=name,
                names=", ".join(asked),
            )
    given = {name: read_answer(question, answers.get(name)) for name, question in asked.items()}
    marks = {name: _mark(exercise, question, given[name]) for name, question in asked.items()}
    out_of = sum(answer is not None for answer in exercise.solution.values())
    lost = sum(marks[name] == WRONG and answer is None for name, answer in exercise.solution.items())
    points = max(0, sum(found == RIGHT for found in marks.values()) - lost)
    return Marking(marks, points, out_of, _hint(exercise, marks, given))


def read_answer(question: Question, given: Any) -> Answer:
    """What a student means: `3`, ` -inf`, `∞`, `b`. A text that cannot be an answer comes back as it is."""
    if given is None or isinstance(given, bool):
        return given or None
    if isinstance(given, (int, float)):
        return _whole(given)
    if not isinstance(given, str):
        raise ZermeloError(
            "the answer to {question} must be a number or a text, not {given!r}", question=question.id, given=given
        )
    text = given.strip().replace("−", "-").replace("∞", "inf")  # as copied from a formula
    if text in NOTHING:
        return None
    if question.form == "node":
        return text.upper()
    try:
        return _whole(float(text.replace(",", ".")))
    except ValueError:
        return text


def _whole(number: float) -> Answer:
    """A whole number as int; inf, -inf and all other numbers as texts."""
    return int(number) if math.isfinite(number) and number == int(number) else str(number)


def _mark(exercise: "Exercise", question: Question, given: Answer) -> str:
    right = exercise.solution[question.id]
    if question.kind == CUTS and given and question.node not in exercise.steps:
        return EMPTY  # below a cut, it does no harm to cross out the rest as well
    if given is None:
        return EMPTY if right is None else MISSING
    return RIGHT if given == right and isinstance(given, bool) == isinstance(right, bool) else WRONG


def _hint(exercise: "Exercise", marks: Mapping[str, str], given: Mapping[str, Answer]) -> Hint | None:
    """A hint at the first wrong answer. A cut is overlooked if something after it has an answer.

    Without mistakes, the first missing answer is the next thing to find.
    """
    order = [question.id for question in exercise.questions]
    last = max((at for at, name in enumerate(order) if given[name] is not None), default=-1)
    mistakes = [
        question
        for at, question in enumerate(exercise.questions)
        if marks[question.id] == WRONG or (marks[question.id] == MISSING and question.kind == CUTS and at < last)
    ]
    missing = [question for question in exercise.questions if marks[question.id] == MISSING]
    if mistakes:
        text = _("The first mistake: {question}").format(question=mistakes[0].text)
    elif missing:
        text = _("The next answer to find: {question}").format(question=missing[0].text)
    else:
        return None
    first = (mistakes or missing)[0]
    return Hint(first.id, first.node, text, why(exercise, first))
