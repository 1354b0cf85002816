"""An exercise: a tree, questions about a search of it, and their answers, which our own search gives."""

import functools
import itertools
import textwrap
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from threading import Lock
from typing import Any

from zermelo.check.search_trees import MAX, Branch
from zermelo.drawing.picture import Picture, Place
from zermelo.errors import ZermeloError
from zermelo.exercises import questions as asking
from zermelo.exercises.drawing import draw, text_tree
from zermelo.exercises.kinds import KINDS, Kind, Work, all_steps, best_children, best_move_is
from zermelo.exercises.marking import Marking, mark
from zermelo.exercises.questions import Answer, Question
from zermelo.exercises.sheets import page
from zermelo.exercises.trees import DIFFICULTIES, MOST_NUMBER, NAMES, Shape, custom_shape, random_trees, share_of
from zermelo.language import _
from zermelo.tracing import Step, Trace, bound_number, bound_text

WIDTH = 100
"""Characters in a line of text."""

MOST_TRIES, TRIES_FOR_MOVE = 5000, 300
"""Trees that are made before a shape is given up, and before any move may be the best: with two children and two plies,
something is cut only if it is the first. Of other shapes, one tree in ten or so is good."""


class Exercise:
    """An exercise. The same kind, number and difficulty (or depth and children) always give the same one."""

    def __init__(self, kind: str, number: int, difficulty: str | None, shape: Shape, work: Work):
        self.kind, self.number, self.difficulty, self.shape, self.work = kind, number, difficulty, shape, work

    def __repr__(self) -> str:
        return f"<exercise {self.kind} {self.shape_text} {self.number}>"

    @property
    def tree(self) -> Branch:
        return self.work.tree

    @property
    def about(self) -> Kind:
        return KINDS[self.kind]

    @property
    def tolerance(self) -> int | None:
        return self.shape.tolerance if self.kind == "tolerance" else None

    @property
    def shape_text(self) -> str:
        """`medium`, or `3x2` for a depth of 3 with 2 children at every node."""
        return self.difficulty or f"{self.shape.depth}x{self.shape.children[0]}"

    @property
    def title(self) -> str:
        shape = (
            _(NAMES[self.difficulty])
            if self.difficulty
            else _("depth {depth}, {children} children").format(depth=self.shape.depth, children=self.shape.children[0])
        )
        return _("{kind}, {shape}, number {number}").format(kind=_(self.about.title), shape=shape, number=self.number)

    @property
    def task(self) -> str:
        """What the student has to do."""
        return _(self.about.task).format(tolerance=self.tolerance)

    @property
    def trace(self) -> Trace:
        """The search that the student runs by hand."""
        return self.about.trace(self.work)

    @cached_property
    def steps(self) -> dict[str, Step]:
        """The nodes that the trace knows, by name; those below a cut are missing."""
        return {step.name: step for step in all_steps(self.trace.root)}

    @cached_property
    def parents(self) -> dict[str, str | None]:
        """The name of every node's parent, level by level; None for the root."""
        return {name: parent for name, _branch, parent in self.tree.named()}

    @cached_property
    def branches(self) -> dict[str, Branch]:
        return {name: branch for name, branch, _parent in self.tree.named()}

    def children(self, node: str) -> tuple[str, ...]:
        """The names of a node's children, from left to right."""
        return tuple(name for name, parent in self.parents.items() if parent == node)

    def is_visited(self, node: str) -> bool:
        """Does the search visit the node?"""
        return node in self.steps and self.steps[node].position is not None

    # -------------------------------------------------------------------------------- questions and answers

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What is asked, in the order in which a search meets it."""
        return (*self._questions("A"), *(self._last(kind) for kind in self.about.at_end))

    def _questions(self, node: str) -> Iterator[Question]:
        """The branch to a node, its window, then all that is below it, then its value."""
        asked = self.about.at_inner if self.branches[node].children else ()
        if self.about.has_cuts and node != "A":
            yield Question(asking.CUTS, node)
        for kind in asked:
            if kind in (asking.ALPHA, asking.BETA):
                yield Question(kind, node)
        for child in self.children(node):
            yield from self._questions(child)
        for kind in asked:
            if kind not in (asking.ALPHA, asking.BETA):
                yield Question(kind, node, self.children(node) if kind == asking.FIRST else ())

    def _last(self, kind: str) -> Question:
        return Question(kind, None, self.children("A") if kind == asking.MOVE else ())

    @cached_property
    def solution(self) -> dict[str, Answer]:
        """The right answers by the ids of the questions. None: nothing is to be written there."""
        return {question.id: self._answer(question) for question in self.questions}

    def _answer(self, question: Question) -> Answer:
        match question.kind:
            case asking.MOVE:
                found = self.trace.found
                return next(child.name for child in self.trace.root.children if child.node.move == found.move)
            case asking.EXACT:
                return _number(self.work.minimax.root.value)
            case asking.NODES:
                return self.work.alphabeta.found.nodes
            case asking.BEST_NODES:
                return self.work.ordered.found.nodes
        assert question.node is not None
        if question.kind == asking.CUTS:
            is_cut = question.node in self.steps and not self.is_visited(question.node)
            return True if is_cut else None
        if not self.is_visited(question.node):
            return None
        step = self.steps[question.node]
        match question.kind:
            case asking.FIRST:
                return best_children(step)[0].name
            case asking.VALUE:
                return _number(step.value)
            case asking.ALPHA:
                return _number(step.window[0])
            case _:
                return _number(step.window[1])

    def mark(self, answers: Mapping[str, Any]) -> Marking:
        """Mark answers, given by the ids of the questions: points, and a hint at the first mistake."""
        return mark(self, answers)

    # -------------------------------------------------------------------------------- for programs and pages

    def as_json(self) -> dict[str, Any]:
        """The exercise without its solution."""
        picture = self.picture()
        places = dict(zip(self._from_above("A"), picture.places.values(), strict=True))
        return {
            "kind": self.kind,
            "number": self.number,
            "difficulty": self.difficulty,
            "depth": self.shape.depth,
            "children": None if self.difficulty else self.shape.children[0],
            "tolerance": self.tolerance,
            "title": self.title,
            "task": self.task,
            "tree": self.tree.toml(),
            "nodes": [self._node_json(name, places[name]) for name in self.parents],
            "width": picture.width,
            "height": picture.height,
            "questions": [question.as_json() for question in self.questions],
        }

    def _node_json(self, name: str, place: Place) -> dict[str, Any]:
        branch = self.branches[name]
        return {
            "name": name,
            "parent": self.parents[name],
            "children": list(self.children(name)),
            "is_max": branch.mover == MAX,
            "value": None if branch.children else branch.score,
            "x": place.x,
            "y": place.y,
        }

    def solution_json(self) -> dict[str, Any]:
        """The solution: the answers, and what the search did, in its own sentences."""
        return {"answers": self.solution, "trace": list(self.trace.lines())}

    def _from_above(self, node: str) -> Iterator[str]:
        """The nodes in the order in which they are drawn."""
        yield node
        for child in self.children(node):
            yield from self._from_above(child)

    # -------------------------------------------------------------------------------- to look at

    def picture(self, boxes: bool = False, solved: bool = False) -> Picture:
        """The tree with the scores of its leaves, drawn; with boxes to fill in; or solved."""
        return draw(self, boxes, solved)

    def svg(self, solved: bool = False) -> str:
        """The tree with boxes to fill in, or with the solution in them, as SVG."""
        return self.picture(boxes=True, solved=solved).svg()

    def html(self, solved: bool = False) -> str:
        """A sheet to print, or its solution."""
        return page([self], solved)

    def __str__(self) -> str:
        return "\n".join([self.title, "", *text_tree(self), "", *textwrap.wrap(self.task, WIDTH)])

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.title)}</b></p><p>{escape(self.task)}</p>{self.svg()}"


def _number(bound: int | None) -> Answer:
    """A value or bound of a trace: a whole number, inf or -inf."""
    number = bound_number(bound)
    return int(number) if number is not None else bound_text(bound) if bound is not None else None


def exercise(
    kind: str = "alphabeta",
    number: int = 1,
    *,
    difficulty: str | None = None,
    depth: int | None = None,
    children: int | None = None,
) -> Exercise:
    """Make an exercise: a small random tree, and questions about a search of it.

    kind: minimax, alphabeta, tolerance or ordering.
    number: every number is another exercise. The same number always gives the same one, on every machine.
    difficulty: easy, medium (the default) or hard.
    depth, children: instead of a difficulty, the depth of the tree and the number of children of every inner node.
    """
    if kind not in KINDS:
        raise ZermeloError("{kind!r} is not a kind of exercise; choose {kinds}", kind=kind, kinds=", ".join(KINDS))
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_NUMBER:
        raise ZermeloError(
            "the number of an exercise must be a whole number from 1 to {most}, not {number!r}",
            most=MOST_NUMBER,
            number=number,
        )
    if depth is not None or children is not None:
        if difficulty is not None:
            raise ZermeloError("choose a difficulty, or depth and children, not both")
        shape = custom_shape(3 if depth is None else depth, 2 if children is None else children)
    else:
        difficulty = difficulty or "medium"
        if difficulty not in DIFFICULTIES:
            raise ZermeloError(
                "{difficulty!r} is not a difficulty; choose {names}",
                difficulty=difficulty,
                names=", ".join(DIFFICULTIES),
            )
        shape = DIFFICULTIES[difficulty]
    with _making:
        return _made(kind, number, difficulty, shape)


_making = Lock()
"""A class opens the same exercise at once: the first one makes it, and the others wait for that."""


@functools.lru_cache(maxsize=256)
def _made(kind: str, number: int, difficulty: str | None, shape: Shape) -> Exercise:
    """The first good tree. A page that marks answers asks for the same exercise again and again."""
    seed = f"{kind} {difficulty or f'{shape.depth}x{shape.children[0]}'} {number}"
    about, share = KINDS[kind], share_of(seed)
    for number_of_tree, tree in enumerate(itertools.islice(random_trees(shape, seed), MOST_TRIES)):
        work = Work(tree, shape.tolerance)
        any_move = about.any_move or number_of_tree >= TRIES_FOR_MOVE
        if (any_move or best_move_is(work, share)) and about.is_good(work, shape):
            return Exercise(kind, number, difficulty, shape, work)
    raise ZermeloError("there is no such exercise; choose another number or another size")
