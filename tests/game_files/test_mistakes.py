"""Wrong rules: each mistake is told in at most three lines, with the file, the line and what to write."""

import pytest

import zermelo as z
from game_files.test_class_rules import TICTACTOE
from zermelo.check import games
from zermelo.check.reports import Settings
from zermelo.errors import GameError

MISTAKES = [
    ("a typo in a name", ("z.EMPTY]", "z.EMPTYY]"), "EMPTYY"),
    ("an undefined name", ("is_line(board, line, z.THEIRS)", "is_lin(board, line, z.THEIRS)"), "is_lin"),
    ("a method with another name", ("def moves", "def move"), "move should be called moves"),
    ("a missing method", ("def play", "def other"), r"has no method play: write def play\(self, board, move\)"),
    ("no winner", ("def winner", "def unrelated"), "has no method winner"),
    (
        "a parameter too few",
        ("def play(self, board, move)", "def play(self, board)"),
        r"write def play\(self, board, move\)",
    ),
    ("no size", ("    rows = 3\n", ""), "write rows = 8"),
    ("a size that is no number", ("rows = 3", "rows = 'three'"), "rows = 'three'"),
    ("an attribute that boards lack", ("board.cells()", "board.cels()"), "did you mean 'cells'"),
    (
        "a move of no form",
        ("return [(row, column) for", "return [(row, column, 1) for"),
        "a move is a whole number, a cell",
    ),
    ("a cell outside the board", ("board[move] = z.MINE", "board[3, 3] = z.MINE"), "rows 0 to 2 and columns 0 to 2"),
    ("nothing returned", ("return [(row, column) for", "found = [(row, column) for"), "moves.. gave None"),
    ("a winner that is none", ("return z.THEIRS", "return 7"), "z.MINE, z.THEIRS, z.DRAW or None"),
    ("something kept in self", ("board[move] = z.MINE", "board[move] = z.MINE\n        self.last = move"), "self"),
    (
        "an array as a field",
        ("    rows = 3\n", "    rows = 3\n    seen: list = [0]\n"),
        "one whole number",
    ),
    ("a wrong word", ("    rows = 3\n", "    rows = 3\n    when_stuck = 'resigns'\n"), "draws, loses, wins, passes"),
    ("a syntax error", ("def moves(self, board):", "def moves(self, board)"), "SyntaxError"),
]


@pytest.mark.parametrize(("change", "told"), [one[1:] for one in MISTAKES], ids=[one[0] for one in MISTAKES])
def test_a_mistake_is_told_in_three_lines(tmp_path, change, told):
    path = tmp_path / "mine.py"
    assert change[0] in TICTACTOE
    path.write_text(TICTACTOE.replace(*change))
    if told == "self":  # plain Python lets it pass; it is refused where rules are compiled
        from zermelo.core import JIT

        if not JIT:
            return
    with pytest.raises(GameError, match=told) as caught:
        z.game(str(path))
    lines = str(caught.value).splitlines()
    assert len(lines) <= 3 and "mine.py:" in lines[0], lines


def report(path):
    steps = games.examine(path, games.names(path)[0], Settings())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_check_finds_nothing_wrong_with_a_right_game(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TICTACTOE)
    found = report(path)
    assert found.is_right and found.facts["compiled"], found.findings


def test_check_finds_endless_games_and_moves_that_are_written_alike(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TICTACTOE + "\n    def move_text(self, board, move):\n        return 'A'\n")
    assert any("written alike" in one.text for one in report(path).findings)
    path.write_text(TICTACTOE.replace("board[move] = z.MINE", "pass"))
    assert any("not over after" in one.text for one in report(path).findings)
