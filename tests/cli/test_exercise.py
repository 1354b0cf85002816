"""zermelo exercise: what it prints, writes and marks."""

import json
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from zermelo.cli.main import cli
from zermelo.errors import ZermeloError
from zermelo.exercises import exercise


def run(*arguments, status=0, stdin=""):
    """Run the command in this process. (main() turns what it returns into the exit status.)"""
    done = CliRunner().invoke(cli, ["exercise", *arguments], input=stdin, standalone_mode=False)
    if isinstance(done.exception, ZermeloError):
        raise done.exception
    if status == 2:
        return str(done.exception.format_message())
    assert done.exception is None
    assert (done.return_value or 0) == status
    return done.stdout


def test_the_exercise_and_its_solution_at_the_terminal():
    text = run("alphabeta", "--number", "7")
    assert text.startswith("Alpha-beta, medium, number 7\n\nA MAX\n├─ B MIN\n│  ├─ D MAX\n│  │  ├─ I = 7\n")
    assert "zermelo exercise alphabeta --number 7 --solution\n" in text
    assert max(map(len, text.splitlines())) <= 100
    text = run("alphabeta", "--number", "7", "--solution")
    assert "H: V, W cut: MAX gets 8 here, and MIN has 7 elsewhere (8 >= 7)\n" in text
    assert text.endswith("MAX's move at the root: C\n")
    assert "--difficulty easy --answer" in run("minimax", "--difficulty", "easy")
    assert "--depth 2 --children 2 --answer" in run("minimax", "--depth", "2", "--children", "2")


def test_json_has_the_solution_only_if_it_is_wanted():
    told = json.loads(run("minimax", "--difficulty", "easy", "--json"))
    assert told == exercise("minimax", 1, difficulty="easy").as_json()
    told = json.loads(run("minimax", "--difficulty", "easy", "--json", "--sheets", "2", "--solution"))
    assert [one["number"] for one in told] == [1, 2]
    assert told[1]["solution"]["answers"] == exercise("minimax", 2, difficulty="easy").solution


def test_sheets_in_files_and_folders(tmp_path):
    run("minimax", "--difficulty", "easy", "--number", "9", "--sheets", "2", "--output", str(tmp_path / "sheets"))
    written = sorted(file.name for file in (tmp_path / "sheets").iterdir())
    assert written == ["sheet-09.html", "sheet-10.html", "solutions.html"]
    assert "Minimax, easy, number 10" in (tmp_path / "sheets" / "sheet-10.html").read_text(encoding="utf-8")
    assert (tmp_path / "sheets" / "solutions.html").read_text(encoding="utf-8").count("<section") == 2
    run("minimax", "--difficulty", "easy", "--sheets", "3", "--output", str(tmp_path / "all.html"))
    assert (tmp_path / "all.html").read_text(encoding="utf-8").count('<section class="sheet"') == 3
    run("minimax", "--difficulty", "easy", "--solution", "--output", str(tmp_path / "one.html"))
    assert "Solution: Minimax" in (tmp_path / "one.html").read_text(encoding="utf-8")
    run("minimax", "--difficulty", "easy", "--output", str(tmp_path / "one.svg"))
    assert ElementTree.fromstring((tmp_path / "one.svg").read_text(encoding="utf-8")).tag.endswith("svg")


def test_answers_in_a_file_are_marked(tmp_path):
    made, file = exercise("minimax", 1, difficulty="easy"), tmp_path / "answers.json"
    file.write_text(json.dumps(made.solution))
    assert run("minimax", "--difficulty", "easy", "--answers", str(file)) == (
        "5 of 5 points (100%)\nEverything is right.\n"
    )
    file.write_text(json.dumps(made.solution | {"value:C": 77}))
    text = run("minimax", "--difficulty", "easy", "--answers", str(file), status=1)
    assert text.splitlines()[:3] == ["4 of 5 points (80%)", "wrong: value:C", "The first mistake: value of C"]
    told = json.loads(run("minimax", "--difficulty", "easy", "--answers", str(file), "--json", status=1))
    assert told["hint"]["question"] == "value:C"
    for text, words in (("[1]", "answers are written as"), ("{", "answers.json: ")):
        file.write_text(text)
        with pytest.raises(ZermeloError, match=words):
            run("minimax", "--answers", str(file))


def test_answers_at_the_terminal_are_marked():
    """Nodes below a cut are not asked about; a branch that does not exist is asked for again."""
    made = exercise("alphabeta", 7)
    cuts = [question.node for question in made.questions if made.solution[question.id] is True]
    others = [made.solution[question.id] for question in made.questions if question.kind != "cut"]
    typed = ["Z", " ".join(cuts).lower(), *(str(answer) for answer in others if answer is not None)]
    text = run("alphabeta", "--number", "7", "--answer", stdin="\n".join(typed) + "\n")
    assert "there is no branch to Z" in text
    assert text.endswith("28 of 28 points (100%)\nEverything is right.\n")
    text = run("alphabeta", "--number", "7", "--answer", stdin="\n-inf\n", status=1)  # then Ctrl-D
    assert "The next answer to find: beta on arrival at A" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--answer", "--solution"], "--answer and --answers mark one exercise"),
        (["--answer", "--json"], "--answer asks here"),
        (["--output", "sheet.pdf"], "to make a PDF, print the HTML file"),
        (["--output", "sheet.svg", "--sheets", "2"], "an SVG file holds one exercise"),
        (["--sheets", "0"], "0 is not in the range"),
    ],
)
def test_misuse_is_told(arguments, words):
    assert words in run("minimax", "--difficulty", "easy", *arguments, status=2)


def test_a_kind_that_does_not_exist():
    with pytest.raises(ZermeloError, match="'chess' is not a kind of exercise"):
        run("chess")
