"""Exercises on paper: pages of HTML to print on A4, with boxes to write in, and their solutions apart."""

from collections.abc import Iterable
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from zermelo.exercises.drawing import SIGNS
from zermelo.exercises.hints import visited_text
from zermelo.exercises.questions import ALPHA, BEST_NODES, BETA, FIRST, NODES, VALUE
from zermelo.language import _, language

if TYPE_CHECKING:
    from zermelo.exercises.exercise import Exercise

MILLIMETRES = 0.3
"""The size of one unit of the picture on paper, if the page is large enough."""

WIDEST, HIGHEST = 186, 155
"""The room for the picture on A4, in millimetres: above it stands the task, below it are the last questions."""


def page(exercises: "Iterable[Exercise]", solved: bool = False) -> str:
    """A file of HTML with one sheet, or one solution, on every page."""
    sheets = [sheet(exercise, solved) for exercise in exercises]
    style = resources.files("zermelo.exercises").joinpath("sheet.css").read_text(encoding="utf-8")
    title = _("Solutions") if solved else _("Exercises")
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n{''.join(sheets)}</body>\n</html>\n"
    )


def sheet(exercise: "Exercise", solved: bool = False) -> str:
    """One sheet: the task, the tree with its boxes, and the questions about the whole search."""
    title = _("Solution: {title}").format(title=exercise.title) if solved else exercise.title
    blanks = "".join(f"<span>{escape(blank)}</span>" for blank in (_("Name"), _("Date")))
    who = "" if solved else f'<div class="who">{blanks}</div>\n'
    picture = exercise.picture(boxes=True, solved=solved)
    size = min(MILLIMETRES, WIDEST / picture.width, HIGHEST / picture.height)
    tree = picture.svg().replace("<svg ", f'<svg width="{picture.width * size:.0f}mm" ', 1)
    answers = "".join(
        f"<dt>{escape(question.text)}</dt><dd>{escape(str(exercise.solution[question.id])) if solved else ''}</dd>\n"
        for question in exercise.questions
        if question.node is None
    )
    task = "" if solved else f"<p>{escape(exercise.task)}</p>\n"
    reasons = "".join(f"<li>{escape(reason)}</li>\n" for reason in _reasons(exercise)) if solved else ""
    return (
        f'<section class="{"solved" if solved else "sheet"}">\n<h1>{escape(title)}</h1>\n{who}{task}'
        f'<p class="signs">{escape(_signs(exercise))}</p>\n{tree}\n<dl>\n{answers}</dl>\n'
        + (f"<ul>\n{reasons}</ul>\n" if reasons else "")
        + "</section>\n"
    )


def _signs(exercise: "Exercise") -> str:
    """What the shapes and the signs in the boxes mean."""
    meanings = {
        ALPHA: _("alpha on arrival"),
        BETA: _("beta on arrival"),
        VALUE: _("value"),
        FIRST: _("child to search first"),
    }
    asked = [f"{SIGNS[kind]}: {meanings[kind]}" for kind in meanings if kind in exercise.about.at_inner]
    return ", ".join([_("△: MAX moves"), _("▽: MIN moves"), *asked])


def _reasons(exercise: "Exercise") -> list[str]:
    """Why branches are cut, or which nodes are visited, in the search's own sentences."""
    kinds = {question.kind for question in exercise.questions}
    if NODES in kinds and BEST_NODES in kinds:
        return [visited_text(exercise.work.alphabeta), visited_text(exercise.work.ordered)]
    return [reason for step in exercise.steps.values() for reason in exercise.trace.left_out(step)]
