"""Exercises in the browser: trees to search by hand. Answers are marked here, and the page never holds the solution
before the student asks for it.
"""

from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from zermelo.errors import ZermeloError
from zermelo.exercises import DIFFICULTIES, KINDS, Exercise, exercise
from zermelo.exercises.hints import why
from zermelo.exercises.marking import MISSING, RIGHT, WRONG
from zermelo.exercises.trees import MOST_NUMBER, NAMES
from zermelo.language import _
from zermelo.web.pages import page

router = APIRouter()

FIRST_KIND = "alphabeta"
USUAL_DIFFICULTY = "medium"  # as in the command, so that a number without a difficulty means the same exercise
MOST_ANSWERS = 500

Text = Annotated[str, Field(max_length=40)]
Name = Annotated[str, Field(max_length=40)]
Kind = Annotated[Name, Field(description="minimax, alphabeta, tolerance or ordering.", examples=["alphabeta"])]
Number = Annotated[int, Field(ge=1, le=MOST_NUMBER, description="Every number is another exercise.")]
Difficulty = Annotated[Name, Field(description="easy, medium or hard.", examples=["easy", "medium"])]
Answer = bool | int | Text


class Place(BaseModel):
    """Which exercise."""

    kind: Kind = FIRST_KIND
    number: Number = 1
    difficulty: Difficulty = USUAL_DIFFICULTY

    def address(self, **other: Any) -> str:
        """The address of the page, with a part exchanged."""
        named = self.model_dump() | other
        return f"/exercise/{quote(named['kind'])}/{named['number']}?" + urlencode({"difficulty": named["difficulty"]})


class Answers(Place):
    """What a student has answered."""

    answers: Annotated[
        dict[Text, Answer],
        Field(
            max_length=MOST_ANSWERS,
            description="The answers by the ids of the questions: a number as text, inf or -inf, the name of a node, "
            "or true for a branch that is cut.",
        ),
    ] = {}
    why: Annotated[bool, Field(description="Whether the hint also says why, which tells the answer.")] = False


class NodeOfExercise(BaseModel):
    """A node of the tree."""

    name: str
    parent: str | None
    is_max: bool
    value: int | None = Field(description="The score of a leaf; null for an inner node.")


class QuestionOfExercise(BaseModel):
    """One thing to find out."""

    id: str
    kind: str = Field(description="value, alpha, beta, cut, move, exact, first, nodes or best_nodes.")
    node: str | None = Field(description="The node that it is about; null for the whole search.")
    form: str = Field(description="number, bound (a number, inf or -inf), cut (true or nothing) or node.")
    text: str
    choices: list[str] = Field(default=[], description="The nodes that can be the answer.")


class ExerciseShown(BaseModel):
    """An exercise without its solution."""

    title: str
    task: str
    nodes: list[NodeOfExercise] = Field(description="Level by level; the first one is the root.")
    questions: list[QuestionOfExercise] = Field(description="In the order of the search.")


class HintShown(BaseModel):
    """A hint at the first mistake, or at the next answer to find."""

    question: str
    text: str
    why: str = Field(description="The search's own sentence, if it was asked for.")


class Marked(BaseModel):
    """What the answers are worth."""

    marks: dict[str, str] = Field(
        description="right or wrong, for every answer that was given. What is missing is only counted, "
        "because it would show which nodes the search visits."
    )
    right: int
    wrong: int
    missing: int
    points: int
    out_of: int
    hint: HintShown | None = Field(description="null if everything is right.")


class StepOfSolution(BaseModel):
    """One thing that the search finds out."""

    node: str | None
    says: str
    answers: dict[str, bool | int | str]


class Solution(BaseModel):
    """The solution in the order of the search."""

    steps: list[StepOfSolution]


def _exercise(place: Place) -> Exercise:
    return exercise(place.kind, place.number, difficulty=place.difficulty)


# ------------------------------------------------------------------------------------------ pages


@router.get("/exercise", include_in_schema=False)
def first_exercise(request: Request) -> Response:
    """The page for beginners: an easy one."""
    return exercise_page(request, FIRST_KIND, difficulty="easy")


@router.get("/exercise/{kind}", include_in_schema=False)
@router.get("/exercise/{kind}/{number}", include_in_schema=False)
def exercise_page(request: Request, kind: str, number: int = 1, difficulty: str = USUAL_DIFFICULTY) -> Response:
    """The page of one exercise. Its address names it, so that a class can share it."""
    place = Place.model_construct(kind=kind, number=number, difficulty=difficulty)  # any number: the error tells more
    try:
        found = _exercise(place)
    except ZermeloError as error:
        raise HTTPException(404, str(error)) from None
    return page(
        request,
        "exercise.html",
        **place.model_dump(),
        title=found.title,
        task=found.task,
        tree_text=_tree_text(found),
        kinds=[{"name": n, "title": _(k.title), "address": place.address(kind=n)} for n, k in KINDS.items()],
        difficulties=[{"name": n, "title": _(NAMES[n]), "address": place.address(difficulty=n)} for n in DIFFICULTIES],
        address=place.address(number="{number}"),
        next_address=place.address(number=min(number + 1, MOST_NUMBER)),
        why_address=_why_address(found),
        most_number=MOST_NUMBER,
    )


def _why_address(found: Exercise) -> str:
    """The page that walks through the search of the tree, which shows the solution."""
    query: dict[str, Any] = {}
    if found.kind == "minimax":
        query["search"] = "minimax"
    if found.tolerance is not None:
        query["tolerance"] = found.tolerance
    text = f"?{urlencode(query)}" if query else ""
    return f"/why/own{text}#{quote(found.tree.toml())}"


def _tree_text(found: Exercise) -> str:
    """The tree in words, for those who cannot see it."""
    parts = []
    for name, branch in found.branches.items():
        if branch.children:
            player = _("MAX") if branch.mover == 0 else _("MIN")
            below = [
                f"{child} = {found.branches[child].score}" if not found.branches[child].children else child
                for child in found.children(name)
            ]
            parts.append(_("{node} ({player}): {children}").format(node=name, player=player, children=", ".join(below)))
    return _("The tree. {nodes}.").format(nodes="; ".join(parts))


# ------------------------------------------------------------------------------------------ API


@router.get("/api/exercise", tags=["exercises"])
def shown_exercise(place: Annotated[Place, Query()]) -> ExerciseShown:
    """An exercise without its solution."""
    return ExerciseShown(**_exercise(place).as_json())


@router.post("/api/exercise/mark", tags=["exercises"])
def mark_answers(given: Answers) -> Marked:
    """Mark answers: what is right and wrong, and a hint at the first mistake in the order of the search."""
    found = _exercise(given).mark(given.answers)
    all_marks = list(found.marks.values())
    told = found.hint
    hint = HintShown(question=told.question, text=told.text, why=told.why if given.why else "") if told else None
    return Marked(
        marks={name: mark for name, mark in found.marks.items() if mark in (RIGHT, WRONG)},
        right=all_marks.count(RIGHT),
        wrong=all_marks.count(WRONG),
        missing=all_marks.count(MISSING),
        points=found.points,
        out_of=found.out_of,
        hint=hint,
    )


@router.post("/api/exercise/solution", tags=["exercises"])
def solution(place: Place) -> Solution:
    """The solution, step by step in the order of the search."""
    found = _exercise(place)
    steps: list[StepOfSolution] = []
    for question in found.questions:
        answer = found.solution[question.id]
        if answer is None:
            continue
        says = why(found, question)
        if not steps or says != steps[-1].says:  # a sentence tells both bounds of a window, or a row of cuts
            steps.append(StepOfSolution(node=question.node, says=says, answers={}))
        steps[-1].answers[question.id] = answer
    return Solution(steps=steps)
