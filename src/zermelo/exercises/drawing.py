"""The tree of an exercise: as a picture with boxes to fill in, empty or solved, and as text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo.check.search_trees import MAX
from zermelo.drawing.picture import Picture
from zermelo.drawing.trees import STEP, Box, Drawn, draw_tree
from zermelo.exercises.questions import ALPHA, BETA, CUTS, FIRST, VALUE

if TYPE_CHECKING:
    from zermelo.exercises.exercise import Exercise

SIGNS = {ALPHA: "α", BETA: "β", VALUE: "v", FIRST: "→"}
ROWS = ((ALPHA, BETA), (VALUE, FIRST))
SHEET_STEP = 52
"""From leaf to leaf on a sheet: two boxes fit above two leaves."""


def draw(exercise: "Exercise", boxes: bool, solved: bool) -> Picture:
    """The tree; with boxes to fill in, or filled in, with the branches that are cut marked."""

    def drawn(node: str, is_cut: bool) -> Drawn:
        branch = exercise.branches[node]
        crossed_out = solved and exercise.solution.get(f"{CUTS}:{node}") is True
        is_cut = is_cut or crossed_out
        below = [drawn(child, is_cut) for child in exercise.children(node)]
        return Drawn(
            node,
            [] if branch.children else [node],
            is_max=branch.mover == MAX,
            is_leaf=not below,
            faded=is_cut,
            inside="" if below else str(branch.score),
            boxes=_boxes(exercise, node, solved) if boxes and below else [],
            crossed_out=crossed_out,
            children=below,
        )

    return draw_tree(drawn("A", False), exercise.title, SHEET_STEP if boxes else STEP)


def _boxes(exercise: "Exercise", node: str, solved: bool) -> list[list[Box]]:
    asked = {question.kind for question in exercise.questions if question.node == node}
    rows = [[kind for kind in row if kind in asked] for row in ROWS]
    return [[Box(SIGNS[kind], _filled(exercise, kind, node) if solved else "") for kind in row] for row in rows if row]


def _filled(exercise: "Exercise", kind: str, node: str) -> str:
    answer = exercise.solution[f"{kind}:{node}"]
    return "" if answer is None else str(answer).replace("inf", "∞").replace("-", "−")


def text_tree(exercise: "Exercise") -> Iterator[str]:
    """The tree in lines of text, for a terminal."""

    def lines(node: str, before: str, below: str) -> Iterator[str]:
        branch = exercise.branches[node]
        what = ("MAX" if branch.mover == MAX else "MIN") if branch.children else f"= {branch.score}"
        yield f"{before}{node} {what}"
        children = exercise.children(node)
        for child in children:
            is_last = child == children[-1]
            yield from lines(child, below + ("└─ " if is_last else "├─ "), below + ("   " if is_last else "│  "))

    return lines("A", "", "")
