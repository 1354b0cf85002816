"""A heuristic that fails shows the position, the file, the line and the source line, compiled or not."""

import re

import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.errors import HeuristicError
from zermelo.games import load_file
from zermelo.searches import reporting

START = z.game("connect4").start()
FILE = """
import numpy as np
from zermelo import count, heuristic, njit
from zermelo.games.connect4 import Connect4
import hlp

TABLE = np.zeros(3)

@njit
def entry(number):
    doubled = 2 * number
    return TABLE[doubled]

@heuristic
def own(state: Connect4):
    if count(state.stones) == 3:
        raise ValueError("three stones")
    return 1

@heuristic
def bounds(state: Connect4):
    values = 5
    return values + entry(count(state.stones) - 1)

@heuristic(weights={"a": 1})
def elsewhere(state: Connect4, w):
    return w[0] * hlp.divided(count(state.stones))

@heuristic
def silent(state: Connect4):
    assert count(state.stones) != 3
    return 1

@heuristic
def infinite(state: Connect4):
    three = count(state.stones) == 3
    return -1e308 * 1e308 if three else 1.5

@heuristic(weights={"much": 1e30})
def undefined(state: Connect4, w):
    value = 0.0
    if count(state.stones) == 3:
        value = w.much ** 20 - w.much ** 20
    return value

@heuristic
def nothing(state: Connect4):
    if count(state.stones) != 3:
        return 0.5

@heuristic(python=True)
def interpreted(state: Connect4):
    names = {i: "one" for i in range(43) if i != 3}
    return len(names[int(count(state.stones))])

@heuristic(python=True)
def text(state: Connect4):
    names = {}
    return "much" if count(state.stones) == 3 else len(names)
"""
HELPER = "from zermelo import njit\n\n@njit\ndef divided(x):\n    rest = x - 3\n    return 1 / rest\n"
WHERE = {
    "own": ("mine.py:17", 'raise ValueError("three stones")', "ValueError: three stones"),
    "bounds": ("mine.py:12", "return TABLE[doubled]", "IndexError: index "),
    "elsewhere": ("hlp.py:6", "return 1 / rest", "ZeroDivisionError: "),
    "silent": ("mine.py:31", "assert count(state.stones) != 3", "AssertionError"),
    "infinite": ("mine.py:37", "return -1e308 * 1e308 if three else 1.5", "it returned an infinite number; "),
    "undefined": (
        "mine.py:43",
        "value = w.much ** 20 - w.much ** 20",
        "it returned nan, which stands for 'not a number'; ",
    ),
    "nothing": ("mine.py:48", "if count(state.stones) != 3:", "it returned None; "),
    "text": (
        "mine.py:59",
        'return "much" if count(state.stones) == 3 else len(names)',
        "it returned 'much'; a value must be a number",
    ),
    "interpreted": ("mine.py:54", "return len(names[int(count(state.stones))])", "KeyError: 3"),
}
SEARCHES = {
    "alphabeta": lambda h: z.alphabeta(h, depth=3).think(START),
    "ordering": lambda h: z.alphabeta("centre", order=h, order_plies=4, depth=4).think(START),
    "minimax": lambda h: z.minimax(h, depth=3).think(START),
    "engine": lambda h: z.engine(h, depth=4, solver=False, threads=2 if JIT else 1).think(START),
    "mcts": lambda h: z.mcts(h, simulations=60, rollouts=0, scale=1.0, seed=1).think(START),
    "analyse": lambda h: z.analyse(START, depth=4, heuristic=h),
}


@pytest.fixture(scope="module")
def heuristics(tmp_path_factory):
    folder = tmp_path_factory.mktemp("failing")
    (folder / "mine.py").write_text(FILE)
    (folder / "hlp.py").write_text(HELPER)
    return load_file(folder / "mine.py")


def failure(call, *arguments):
    with pytest.raises(HeuristicError) as caught:
        call(*arguments)
    return str(caught.value)


pytestmark = [
    pytest.mark.filterwarnings("ignore::zermelo.errors.PlainPythonWarning"),
    pytest.mark.filterwarnings("ignore:invalid value encountered"),  # NumPy says so in plain Python
]


@pytest.mark.parametrize("name", WHERE)
def test_one_call_tells_where_it_failed(heuristics, name):
    place, source, reason = WHERE[name]
    text = failure(heuristics[name], z.game("connect4").position("445"))
    first, second = text.split("\n")
    assert first.endswith(f"{place}: {source}")
    assert second.startswith(f"    {name} failed in the position 445: {reason}")
    assert "NUMBA_DISABLE_JIT" not in text


@pytest.mark.parametrize("name", WHERE)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_tells_where_it_failed(heuristics, search, name):
    if search != "alphabeta" and name not in ("own", "elsewhere"):
        search = "minimax"
    place, source, reason = WHERE[name]
    first, second = failure(SEARCHES[search], heuristics[name]).split("\n")
    assert first.endswith(f"{place}: {source}")
    found = re.fullmatch(rf"    {name} failed in the position (\d+): {re.escape(reason)}.*", second)
    assert found
    assert failure(heuristics[name], z.game("connect4").position(found[1])).startswith(first)


@pytest.mark.parametrize("name", ["own", "elsewhere", "interpreted"])
@pytest.mark.parametrize("search", SEARCHES)
def test_a_position_that_is_hard_to_find_is_found_by_the_same_search(heuristics, search, name, monkeypatch):
    """None of the positions round the root are tried: the search is run again, and each position written down."""
    monkeypatch.setattr(reporting, "_positions", lambda root: iter(()))
    place, source, reason = WHERE[name]
    text = failure(SEARCHES[search], heuristics[name])
    assert text.split("\n")[0].endswith(f"{place}: {source}")
    assert f"{name} failed: {reason}" in text
    picture = text.partition("The position:\n")[2]
    assert picture.count("X") == 2 and picture.count("O") == 1


def test_a_position_with_a_text_of_its_own_is_shown_as_that(tmp_path, monkeypatch):
    monkeypatch.setattr(reporting, "_positions", lambda root: iter(()))
    game = z.game("reversi")
    (tmp_path / "mine.py").write_text(
        "from zermelo import count, heuristic\nfrom zermelo.games.reversi import Reversi\n"
        "@heuristic\ndef h(s: Reversi):\n    return 1 // (count(s.mine | s.theirs) - 6)\n"
    )
    text = failure(z.minimax(load_file(tmp_path / "mine.py")["h"], depth=2).think, game.start())
    shown = re.search(r"failed in the position (.*): ZeroDivisionError", text)
    assert shown and str(game.position(shown[1])) == shown[1]


def test_a_search_that_does_not_fail_again_says_so(heuristics):
    error = ZeroDivisionError("once")
    with pytest.raises(HeuristicError, match="own failed: ZeroDivisionError: once"):  # noqa: SIM117
        with reporting.reporting(START, heuristics["own"], again=lambda h: None):
            raise error
