"""Rules that fail deep in a search are told as failures of the rules: file, line, source line, reason, position."""

import re

import pytest

import zermelo as z
from game_files.test_class_rules import EXAMPLES, TICTACTOE
from zermelo.errors import GameError, SearchError

AT_THREE = "if board[0, 0] != 0 and board[2, 2] == board[0, 0] and board[1, 1] == -board[0, 0] and board.count(0) == 6:"
FAILS = f"{AT_THREE}\n            return [1, 2, 3][board.count(0)]\n        "
UNCOMPILED = "seen = {str(one) for one in board.cells()}\n        "
CLASS = {
    "moves": ("return [(row, column) for", f"{FAILS}return [(row, column) for"),
    "play": ("board[move] = z.MINE", f"{FAILS}board[move] = z.MINE"),
    "winner": ("for line in LINES:", f"{FAILS}for line in LINES:"),
}
CHOMP = {
    "play": ("    gone = state.gone\n", "    {fails}    gone = state.gone\n"),
    "is_over": ("    return state.gone == ALL", "    {fails}    return state.gone == ALL"),
}
SEARCH = """
import zermelo as z

@z.search
def mine(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -1000.0
    for child in node.children():
        best = max(best, -mine(child, depth - 1))
    return best

@z.search
def broken(node, depth):
    if node.is_over or depth == 0:
        return node.value
    number = 0
    for child in node.children():
        number += 1
    table = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    best = -1000.0 + table[number + 2]
    for child in node.children():
        best = max(best, -broken(child, depth - 1))
    return best
"""


@pytest.fixture
def search(tmp_path):
    path = tmp_path / "searching.py"
    path.write_text(SEARCH)
    return path


def told(game, player):
    with pytest.raises(GameError) as caught:
        z.player(player).choose(game.start())
    text = str(caught.value)
    assert len(text.splitlines()) <= 3, text
    return text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "uncompiled"), [("moves", False), ("play", False), ("winner", True)])
def test_a_class_of_rules(tmp_path, search, name, uncompiled):
    path = tmp_path / "mine.py"
    old, new = CLASS[name]
    path.write_text(TICTACTOE.replace(old, (UNCOMPILED if uncompiled else "") + new))
    game = z.game(str(path))
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "[1, 2, 3][" in text)
    for player in ("minimax(depth=4)", f"{search}:mine(depth=4)")[: 1 if name == "play" else 2]:
        text = told(game, player)
        assert f"mine.py:{line}: return [1, 2, 3][board.count(0)]" in text
        assert f"{name}() failed" in text and "IndexError" in text and "men" not in text
        assert re.search(r"in the position (x../.o./..x o|...)", text), text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CHOMP)
def test_generic_functions(tmp_path, search, name):
    fails = "if z.count(state.gone) == 4 and state.player == 1:\n        return TABLE[z.count(state.gone)]\n"
    if name == "play":
        fails = "if z.count(state.gone) == 4 and state.player == 1:\n        move = TABLE[z.count(state.gone)]\n"
    path = tmp_path / "chomp.py"
    old, new = CHOMP[name]
    text = (EXAMPLES / "chomp.py").read_text()
    assert old in text
    text = text.replace(old, new.replace("{fails}", fails)).replace("ALL = ", "TABLE = np.arange(3)\nALL = ")
    path.write_text(text)
    game = z.game(str(path))
    for player in ("minimax(depth=4)", f"{search}:mine(depth=4)")[: 1 if name == "play" else 2]:
        text = told(game, player)
        assert "TABLE[z.count(state.gone)]" in text and f"{name}() failed" in text and "IndexError" in text
        assert "in the position" in text and "parity" not in text


@pytest.mark.filterwarnings("ignore")
def test_a_search_that_fails_is_told_with_its_line(tmp_path, search):
    """Not as a failure of the heuristic, which is right."""
    told = r"searching.py:\d+: best = -1000.0 \+ table.number \+ 2.\n.*broken failed: IndexError"
    with pytest.raises(SearchError, match=told):
        z.player(f"{search}:broken(depth=3)").choose(z.game("tictactoe").start())


def test_rules_that_fail_are_told_without_a_search_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TICTACTOE.replace(*CLASS["moves"]))
    game = z.game(str(path))
    told = r"mine.py:\d+: return .1, 2, 3..*\n.*moves.. failed: IndexError.*in the position"
    with pytest.raises(GameError, match=told):
        _moves = game.position("a1 b2 c3").moves
