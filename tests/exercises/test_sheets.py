"""Exercises on paper: boxes to write in, cuts marked in the solution, and the reader's language."""

import itertools
from xml.etree import ElementTree

import pytest

from zermelo.exercises import KINDS, exercise
from zermelo.exercises.sheets import page
from zermelo.language import speaking

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def lines(svg):
    return list(ElementTree.fromstring(svg).iter(f"{SVG}line"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_about_a_node_has_a_box_and_the_solution_fills_them(kind):
    made = exercise(kind, 1)
    signs = {"alpha": "α", "beta": "β", "value": "v", "first": "→"}
    empty, solved = texts(made.svg()), texts(made.svg(solved=True))
    for word, sign in signs.items():
        asked = [question for question in made.questions if question.kind == word]
        assert empty.count(sign) == solved.count(sign) == len(asked)
    filled = [
        answer
        for question in made.questions
        if question.kind in signs and (answer := made.solution[question.id]) is not None
    ]
    assert len(solved) - len(empty) == len(filled)
    cuts = sum(made.solution[question.id] is True for question in made.questions)
    assert len(lines(made.svg(solved=True))) - len(lines(made.svg())) == 2 * cuts


def test_boxes_stand_apart():
    """On a sheet, no box of one node reaches into a box of another."""
    for number in range(1, 6):
        picture = exercise("alphabeta", number, difficulty="hard").picture(boxes=True)
        boxes = [
            (place.x, place.y)
            for place, glyph in zip(picture.places.values(), picture.glyphs, strict=True)
            if "leaf" not in glyph.kind
        ]
        rows = {y: sorted(x for x, at in boxes if at == y) for _x, y in boxes}
        assert all(right - left >= 96 for row in rows.values() for left, right in itertools.pairwise(row))


def test_a_page_holds_the_sheets_and_not_the_solutions():
    made = [exercise("alphabeta", number, difficulty="easy") for number in (1, 2, 3)]
    text = page(made)
    assert text.count("<section") == text.count("<svg ") == 3
    assert "Alpha-beta, easy, number 3" in text
    assert "Name" in text
    assert " cut: " not in text
    solutions = page(made, solved=True)
    assert solutions.count("Solution: Alpha-beta") == 3
    assert " cut: MIN gets" in solutions
    assert "Cross out" not in solutions


def test_a_sheet_speaks_the_reader_s_language():
    made = exercise("minimax", 1, difficulty="easy")
    with speaking("es"):
        assert '<html lang="es">' in page([made])
    with speaking("en"):
        assert '<html lang="en">' in page([made])


def test_a_notebook_shows_the_picture_and_the_task():
    made = exercise("minimax", 1, difficulty="easy")
    assert made.task in made._repr_html_()
    assert "<svg" in made._repr_html_()
    assert made._repr_svg_() == made.svg()
    assert repr(made) == "<exercise minimax easy 1>"
    assert str(made).splitlines()[:4] == ["Minimax, easy, number 1", "", "A MAX", "├─ B MIN"]
