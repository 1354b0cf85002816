"""Exercises: always the same for the same number, good to solve, solved by our own search, and marked with a hint."""

import json
import math

import pytest

import zermelo.exercises
from conftest import golden_lines
from zermelo.errors import ZermeloError
from zermelo.exercises import DIFFICULTIES, KINDS, exercise
from zermelo.language import speaking


def by_hand(made, node="A", alpha=-math.inf, beta=math.inf, prunes=True, tolerance=0):
    """A second implementation, to compare with: the value of a node, and of all nodes visited below it by name."""
    branch, below = made.branches[node], made.children(node)
    if not below:
        return branch.score, {node: (branch.score, alpha, beta)}
    found, best, window = {}, None, (alpha, beta)
    for child in below:
        value, more = by_hand(made, child, alpha, beta, prunes, tolerance)
        found |= more
        better = max if branch.mover == 0 else min
        best = value if best is None else better(best, value)
        if prunes:
            alpha, beta = (max(alpha, best), beta) if branch.mover == 0 else (alpha, min(beta, best))
            if alpha >= beta or beta - alpha < tolerance:
                break
    return best, found | {node: (best, *window)}


def expected(made):
    """All answers, by the second implementation."""
    prunes = made.kind in ("alphabeta", "tolerance")
    _, found = by_hand(made, prunes=prunes, tolerance=made.tolerance or 0)
    answers = {}
    for question in made.questions:
        value, alpha, beta = found.get(question.node, (None, None, None))
        parent = made.parents.get(question.node)
        match question.kind:
            case "value":
                answer = value
            case "alpha" | "beta":
                bound = alpha if question.kind == "alpha" else beta
                answer = bound if bound is None or math.isfinite(bound) else str(bound)
            case "cut":
                answer = True if parent in found and question.node not in found else None
            case "move":
                answer = next(child for child in made.children("A") if found[child][0] == found["A"][0])
            case "first":
                answer = next(child for child in made.children(question.node) if found[child][0] == value)
            case "exact":
                answer = by_hand(made, prunes=False)[0]
            case "nodes":
                answer = len(by_hand(made)[1])
            case _:
                answer = nodes_with_the_best_first(made)
        answers[question.id] = answer
    return answers


def nodes_with_the_best_first(made):
    values = {name: value for name, (value, *_) in by_hand(made, prunes=False)[1].items()}

    def visit(node, alpha, beta):
        is_max = made.branches[node].mover == 0
        below = sorted(made.children(node), key=lambda child: -values[child] if is_max else values[child])
        visited = 1
        for child in below:
            visited += visit(child, alpha, beta)
            alpha, beta = (max(alpha, values[child]), beta) if is_max else (alpha, min(beta, values[child]))
            if alpha >= beta:
                break
        return visited

    return visit("A", -math.inf, math.inf)


def check_one(kind, difficulty, number):
    """The solution agrees with the second implementation and is worth 100%; every changed answer is found."""
    made = exercise(kind, number, difficulty=difficulty)
    assert made.solution == expected(made)
    full = made.mark(made.solution)
    assert (full.percent, full.hint) == (100, None)
    assert set(full.marks.values()) <= {"right", "empty"}
    for question in made.questions:
        right = made.solution[question.id]
        if question.kind == "cut":
            changed = None if right else True
            if changed and question.node not in made.steps:
                continue  # a branch below a cut may be crossed out too
        elif question.form == "node":
            changed = next(name for name in question.choices if name != right)
        else:
            changed = 77
        marking = made.mark(made.solution | {question.id: changed})
        assert marking.marks[question.id] == ("missing" if changed is None else "wrong")
        assert marking.points == full.points - 1
        assert marking.hint is not None
        assert marking.hint.question == question.id
        assert marking.hint.node == question.node
        assert marking.hint.why
    return made


@pytest.mark.parametrize(("kind", "difficulty"), [(kind, difficulty) for kind in KINDS for difficulty in DIFFICULTIES])
def test_solutions_are_right_and_every_changed_answer_is_found(kind, difficulty):
    for number in (1, 2, 3):
        check_one(kind, difficulty, number)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "difficulty"), [(kind, difficulty) for kind in KINDS for difficulty in DIFFICULTIES])
def test_hundreds_of_solutions_are_right(kind, difficulty):
    for number in range(4, 104):
        check_one(kind, difficulty, number)


@pytest.mark.parametrize("kind", KINDS)
def test_exercises_are_good(kind):
    for difficulty, shape in DIFFICULTIES.items():
        for number in (1, 2, 3):
            made = exercise(kind, number, difficulty=difficulty)
            scores = [branch.score for branch in made.branches.values() if not branch.children]
            assert len(made.branches) <= 26  # so that every name is one letter
            assert all(-9 <= score <= 9 for score in scores)
            values = [by_hand(made, child, prunes=False)[0] for child in made.children("A")]
            assert values.count(max(values)) == 1
            if KINDS[kind].has_cuts:
                assert made.trace.found.cutoffs >= shape.cut_offs
                assert sum(answer is True for answer in made.solution.values()) >= shape.cuts >= 2
            if kind == "tolerance":
                assert len(by_hand(made)[1]) > made.trace.found.nodes  # the tolerance cuts more


def test_the_best_move_is_not_always_the_first():
    """Much is cut where the first move is the best, so that nobody would have to search."""
    moves = [exercise("alphabeta", number, difficulty="easy").solution["move"] for number in range(1, 10)]
    assert {"B", "C", "D"} == set(moves)


def test_exercises_of_other_processes_and_versions_are_the_same():
    """If this fails, sheets that teachers have printed no longer fit their solutions: do not change the file."""
    for kind, shape, number, *scores in golden_lines("exercises.txt"):
        depth, _x, children = shape.partition("x")
        size = {"depth": int(depth), "children": int(children)} if children else {"difficulty": shape}
        made = exercise(kind, int(number), **size)
        assert [f"{name}={branch.score}" for name, branch, _ in made.tree.named() if not branch.children] == scores


def test_a_missing_cut_is_the_first_mistake_if_the_search_went_on():
    made = exercise("alphabeta", 7)
    answers = {name: answer for name, answer in made.solution.items() if name != "cut:N"}
    hint = made.mark(answers).hint
    assert hint.question == "cut:N"
    assert hint.text == "The first mistake: is the branch to N cut?"
    assert hint.why == "E: N cut: MAX gets 9 here, and MIN has 7 elsewhere (9 >= 7)"
    begun = {name: made.solution[name] for name in ("alpha:A", "beta:A", "alpha:B")}
    assert made.mark(begun).hint.text == "The next answer to find: beta on arrival at B"
    assert made.mark({}).points == 0


def test_an_answer_where_none_belongs_takes_a_point_off():
    made = exercise("alphabeta", 7)
    marking = made.mark({"cut:B": True, "alpha:A": "-∞", "beta:A": " inf "})
    assert (marking.marks["cut:B"], marking.points) == ("wrong", 1)
    assert marking.hint.why == "B is searched: the window is still open, since -inf < inf"
    assert made.mark({"cut:B": True}).points == 0  # never less than nothing


@pytest.mark.parametrize(
    ("given", "mark"),
    [
        *((text, "right") for text in (7, "7", " 7.0 ", 7.0)),
        *((text, "wrong") for text in ("seven", 7.5, "7,5", True, "inf", "nan", "1e999", math.inf, math.nan)),
        *((text, "missing") for text in ("", "-", False, None)),
    ],
)
def test_answers_are_read_as_they_are_meant(given, mark):
    made = exercise("alphabeta", 7)
    assert made.mark({"value:A": given}).marks["value:A"] == mark


def test_moves_may_be_written_in_small_letters_and_infinity_in_many_ways():
    made = exercise("alphabeta", 7)
    marks = made.mark({"move": "c", "alpha:A": "−inf", "beta:A": math.inf, "alpha:B": -math.inf}).marks
    assert [marks[name] for name in ("move", "alpha:A", "beta:A", "alpha:B")] == ["right"] * 4


def test_windows_and_values_are_explained():
    made = exercise("alphabeta", 7)
    hints = {}
    for name in ("alpha:A", "alpha:D", "beta:E", "alpha:C", "value:E", "beta:H", "move"):
        hints[name] = made.mark(made.solution | {name: "B" if name == "move" else 77}).hint.why
    assert hints == {
        "alpha:A": "the search begins at A with the window [-inf, inf]",
        "alpha:D": "D is the first child of B and gets its window, [-inf, inf]",
        "beta:E": "MIN has 7 at B so far, and that is beta: E is searched with [-inf, 7]",
        "alpha:C": "MAX has 5 at A so far, and that is alpha: C is searched with [5, inf]",
        "value:E": "E = 9: MAX takes the largest of L = 0, M = 9",
        "beta:H": "MIN has 7 at C so far, and that is beta: H is searched with [5, 7]",
        "move": "A = 7: MAX takes the largest of B = 5, C = 7",
    }


def test_everything_is_json_and_does_not_tell_the_solution():
    for kind in KINDS:
        made = exercise(kind, 2)
        told = json.loads(json.dumps(made.as_json()))
        assert [question["id"] for question in told["questions"]] == list(made.solution)
        assert not any("answer" in question for question in told["questions"])
        assert {node["name"] for node in told["nodes"]} == set(made.branches)
        assert all(0 < node["x"] < told["width"] and 0 < node["y"] < told["height"] for node in told["nodes"])
        assert json.loads(json.dumps(made.solution_json()))["answers"] == made.solution
        json.dumps(made.mark({}).as_json())


def test_the_order_of_the_questions_tells_nothing_about_the_solution():
    made, other = exercise("alphabeta", 1, depth=3, children=2), exercise("alphabeta", 2, depth=3, children=2)
    assert made.questions == other.questions
    assert made.solution != other.solution


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "chess"}, "'chess' is not a kind of exercise; choose minimax, alphabeta, tolerance, ordering"),
        ({"number": 0}, "must be a whole number from 1 to 1000000000, not 0"),
        ({"number": True}, "not True"),
        ({"difficulty": "impossible"}, "'impossible' is not a difficulty; choose easy, medium, hard"),
        ({"difficulty": "easy", "depth": 2}, "choose a difficulty, or depth and children, not both"),
        ({"depth": 1}, "depth must be a whole number from 2 to 4, not 1"),
        ({"depth": 4, "children": 3}, "depth 4 with 3 children makes 81 leaves; an exercise has at most 16"),
    ],
)
def test_errors_say_what_would_be_right(options, words):
    with speaking("en"), pytest.raises(ZermeloError, match=words):
        exercise(**options)


def test_unknown_questions_and_strange_answers_are_errors():
    made = exercise("minimax", 1, depth=2, children=2)
    with pytest.raises(ZermeloError, match="'value:Z' is not a question of this exercise; its questions are value:B"):
        made.mark({"value:Z": 3})
    with pytest.raises(ZermeloError, match="the answer to value:A must be a number or a text"):
        made.mark({"value:A": [3]})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 2), (4, 2)])
def test_sizes_of_one_s_own(kind, shape):
    made = exercise(kind, 5, depth=shape[0], children=shape[1])
    assert made.solution == expected(made)
    assert made.shape_text == f"{shape[0]}x{shape[1]}"


def test_the_room_offers_its_names():
    assert set(zermelo.exercises.__all__) <= set(dir(zermelo.exercises))
