"""Heuristics are compiled once and get their weights at run time; if they cannot be compiled, two lines say why."""

import re
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from zermelo.core import JIT, count, heuristic, njit, numba_private
from zermelo.core import fallback as fallback_times
from zermelo.core.cache import CodeCache
from zermelo.core.numbers import MOST_POINTS
from zermelo.errors import HeuristicError, PlainPythonWarning
from zermelo.games import find_game, find_heuristic, load_file
from zermelo.games.connect4.rules import Connect4
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.players import AlphaBetaPlayer, EnginePlayer, MctsPlayer

POSITION = find_game("connect4").position("4434")

needs_compiler = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@heuristic(weights={"mine": 10, "always": 5})
def weighted(state: Connect4, w):
    """Counts my stones."""
    return w[0] * count(state.mine) + w[1]


def test_weights_are_given_at_run_time():
    other = weighted.with_weights(mine=1, always=-1)
    assert weighted(POSITION) == 25
    assert other(POSITION) == 1
    assert other.native(Connect4) is weighted.native(Connect4), "nothing is compiled again"
    assert weighted(POSITION, [2, 0]) == 4


def test_a_heuristic_prints_itself_and_compares():
    assert str(weighted) == "weighted"
    assert str(weighted.with_weights(mine=80)) == "weighted(mine=80)"
    assert weighted.with_weights(mine=10) == weighted
    assert weighted.with_weights(mine=11) != weighted
    with pytest.raises(HeuristicError, match=r"weighted has no weight 'his' \(its weights: mine, always\)"):
        weighted.with_weights(his=1)


def test_one_heuristic_may_call_another():
    @heuristic
    def small(state: Connect4):
        return count(state.mine)

    @heuristic
    def large(state: Connect4):
        return 100 * small(state) + count(state.stones)

    assert large(POSITION) == 204


def test_fractions_count_and_giants_are_cut():
    @heuristic
    def half(state: Connect4):
        return 0.625 + count(state.mine)

    @heuristic
    def giant(state: Connect4):
        return 10**12

    @heuristic
    def exact(state: Connect4):
        return 999_999.001

    assert half(POSITION) == 2.625
    assert exact(POSITION) == 999_999.001
    assert giant(POSITION) == MOST_POINTS


@heuristic(weights={"corner": 0.1, "size": 12345.678, "T": 3, "not a name": 1})
def by_name(state: Connect4, w):
    return w.corner * count(state.mine) + 3 * w.size + w.T + len(w) + w[0] + w[1:][2]


def test_weights_go_by_name_and_by_place():
    """A weight may be called like an attribute of arrays. Weights are 64-bit floats: three decimals up to a million."""
    assert by_name(POSITION) == round(0.2 + 3 * 12345.678 + 3 + 4 + 0.1 + 1, 3)
    assert by_name.with_weights(size=0)(POSITION) == 8.3
    assert by_name.unrounded(POSITION.state, np.array([1e-6, 0, 0, 0])) == pytest.approx(4 + 3e-6, abs=1e-12)


@njit
def share_of(w, state):
    return w.share * count(state.mine)


def test_functions_that_are_given_weights_know_their_names_too():
    """The same function serves heuristics whose weights have the same names at other places."""

    @heuristic(weights={"share": 2, "other": 1})
    def first(state: Connect4, w):
        return share_of(w, state) + w.size

    @heuristic(weights={"other": 1, "share": 0.5})
    def second(state: Connect4, w):
        return share_of(w, state)

    assert first(POSITION) == 2 * 2 + 2  # an array's own attribute, where no weight has that name
    assert second(POSITION) == 1


def test_a_weight_that_does_not_exist_is_an_error():
    @heuristic(weights={"corner": 1})
    def wrong(state: Connect4, w):
        return w.edge

    with pytest.raises(HeuristicError, match="edge"):
        wrong(POSITION)


def test_one_heuristic_may_serve_several_games():
    @heuristic
    def stones(state: Connect4 | TicTacToe):
        return count(state.mine)

    assert stones(POSITION) == 2
    assert stones(find_game("tictactoe").position("a1 b1")) == 1


def test_a_heuristic_of_another_game_is_refused():
    with pytest.raises(HeuristicError, match="weighted is for Connect4 states, not for TicTacToe"):
        weighted(find_game("tictactoe").start())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def h(state): return 1", "write for example def h(state: z.Connect4)"),
        ("def h(state: int): return 1", "write for example def h(state: z.Connect4)"),
        ("def h(state: Connect4, w): return w[0]", "a heuristic with weights needs @heuristic(weights={...})"),
        ("def h(state: Conect4): return 1", "its annotations cannot be read"),
    ],
)
def test_a_wrong_form_is_refused_when_it_is_written(tmp_path, source, message):
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\nfrom zermelo import heuristic\n"
        f"from zermelo.games.connect4 import Connect4\n@heuristic\n{source}\n"
    )
    with pytest.raises(HeuristicError) as caught:
        load_file(file)
    assert message in str(caught.value)


BAD = {
    "misspelt": ("return cuont(state.mine)", "cuont is not defined"),
    "field": ("return count(state.min)", "Connect4 has no 'min'; did you mean mine?"),
    "text": ("return 'much'", "it must return a number"),
    "mixed": ("x = 1\n    if state.mine:\n        x = 'much'\n    return x", "h failed: "),
}


@needs_compiler
@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_compiled_is_explained_in_two_lines(tmp_path, case):
    body, reason = BAD[case]
    file = tmp_path / f"{case}.py"
    file.write_text(
        textwrap.dedent("""\
        from zermelo import count, heuristic
        from zermelo.games.connect4 import Connect4
        @heuristic
        def h(state: Connect4):
        """)
        + f"    {body}\n"
    )
    with pytest.raises(HeuristicError) as caught:
        find_heuristic(f"{file}:h")(POSITION)
    first, second = str(caught.value).splitlines()
    assert first.startswith(f"{file}:")
    line = int(first.removeprefix(f"{file}:").split(":")[0])
    assert first.endswith(file.read_text().splitlines()[line - 1].strip()) or "in h" in first
    assert reason in second


FALLBACK = """
from zermelo import count, heuristic
from zermelo.games.connect4.rules import Connect4

def text_of(number):
    return f"{number:7.2f}"

@heuristic
def h(state: Connect4):
    return len(text_of(7)) + count(state.mine)

@heuristic(python=True)
def old(state: Connect4):
    return len(text_of(7)) + count(state.mine)

@heuristic(compiled=True)
def insists(state: Connect4):
    return len(text_of(7)) + count(state.mine)

@heuristic
def fails(state: Connect4):
    text = text_of(7)
    return 1 // (count(state.mine) - 2) + len(text)

@heuristic
def late(state: Connect4):
    text = text_of(7)
    return 1 // (int(state.mine) != 7) + len(text)
"""


@pytest.fixture
def fallback(tmp_path):
    (tmp_path / "mine.py").write_text(FALLBACK)
    return load_file(tmp_path / "mine.py")


@needs_compiler
@pytest.mark.parametrize("name", ["h", "old"])
def test_what_cannot_be_compiled_runs_as_plain_python_with_a_note(fallback, name):
    with pytest.warns(PlainPythonWarning) as warned:
        assert fallback[name](POSITION) == 9
    [note] = [one for one in warned if one.category is PlainPythonWarning]
    first, second, third = str(note.message).splitlines()
    assert first.endswith('mine.py:6: return f"{number:7.2f}"')
    assert second.strip() == f"{name} runs as plain Python: compiled code cannot write numbers into texts, as in f'...'"
    assert re.fullmatch(r" +measured: \d+ µs for each evaluation, \d+ times as long as \w+, which is compiled", third)
    assert note.lineno == 6
    assert fallback[name](POSITION) == 9, "it is told once"


@needs_compiler
def test_a_note_about_plain_python_that_is_no_slower_gives_both_times(monkeypatch):
    """The usual heuristic may be a large net."""
    times = iter([6e-6, 20e-6])
    monkeypatch.setattr(fallback_times, "seconds_each", lambda *_: next(times))
    trial = fallback_times.Trial((), "learned")
    assert str(fallback_times.slowness(None, None, trial)) == (
        "measured: 6 µs for each evaluation; learned, which is compiled, takes 20 µs"
    )


@needs_compiler
def test_it_is_a_heuristic_like_any_other(fallback):
    """Searches call it from several threads, and what fails in it is reported with its position and line."""
    with pytest.warns(PlainPythonWarning):
        fallback["h"].native(Connect4)
    for player in (AlphaBetaPlayer(fallback["h"], depth=2), EnginePlayer(fallback["h"], depth=2)):
        with ThreadPoolExecutor(2) as pool:
            first, second = (job.result() for job in [pool.submit(player.think, POSITION) for _ in range(2)])
        assert first.move == second.move
    MctsPlayer(fallback["h"], rollouts=20).choose(POSITION)


@needs_compiler
def test_a_search_reports_where_it_failed(fallback):
    with pytest.warns(PlainPythonWarning):
        fallback["late"].native(Connect4)
    with pytest.raises(HeuristicError, match=r"mine.py:28: return 1 // .*\n    late failed in .*: ZeroDivisionError"):
        AlphaBetaPlayer(fallback["late"], depth=1).think(find_game("connect4").position("17171"))


@needs_compiler
def test_compiled_true_insists(fallback):
    with pytest.raises(HeuristicError, match="insists cannot be compiled: compiled code cannot write numbers"):
        fallback["insists"](POSITION)


@needs_compiler
def test_what_fails_as_plain_python_is_an_error(fallback):
    with pytest.raises(HeuristicError, match=r"mine.py:23: return 1 .*\n    fails failed: ZeroDivisionError"):
        fallback["fails"](POSITION)


@needs_compiler
def test_users_code_is_checked_for_bounds_and_ours_is_not():
    @njit
    def theirs(values):
        return values[10]

    assert theirs.targetoptions["boundscheck"] is True
    from zermelo.games.connect4.rules import has_four

    assert has_four.targetoptions["boundscheck"] is False
    with pytest.raises(IndexError):
        theirs(np.zeros(3))


def test_heuristics_are_found_by_name():
    game = find_game("connect4")
    assert find_heuristic("lines2", game) is game.heuristics["lines2"]
    assert find_heuristic("connect4/lines2") is game.heuristics["lines2"]
    assert find_heuristic("lines2(two=5)", game).weights == {"one": 2, "two": 5, "three": 8}
    assert find_heuristic("lines2(7, three=9)", game).weights == {"one": 7, "two": 4, "three": 9}
    for text, message in [
        ("lines3", "Connect 4 has no heuristic 'lines3'; it has centre, "),
        ("lines2(four=1)", "lines2 has no weight 'four'"),
        ("lines2(two=many)", "weight two=many is not a number"),
        ("nothing.py:h", "there is no file"),
    ]:
        with pytest.raises(HeuristicError) as caught:
            find_heuristic(text, game)
        assert message in str(caught.value)
    with pytest.raises(HeuristicError, match="does not say which game"):
        find_heuristic("lines2")


def test_a_file_that_fails_is_named_with_its_line(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("x = 1\ny = 1 / 0\n")
    with pytest.raises(HeuristicError, match=r"broken.py:2: y = 1 / 0\n    ZeroDivisionError: division by zero"):
        load_file(file)
    file.write_text("def f(:\n")
    with pytest.raises(HeuristicError, match=r"broken.py:1: def f\(:\n    SyntaxError: invalid syntax"):
        load_file(file)


def test_an_edited_file_is_read_again(tmp_path):
    file = tmp_path / "edited.py"
    imports = "from zermelo import heuristic\nfrom zermelo.games.connect4 import Connect4\n"
    text = imports + "@heuristic\ndef h(state: Connect4):\n    return {}\n"
    file.write_text(text.format(1))
    assert find_heuristic(f"{file}:h")(POSITION) == 1
    file.write_text(text.format(22))
    assert find_heuristic(f"{file}:h")(POSITION) == 22
    assert str(find_heuristic(f"{file}:h")) == f"{file}:h"


@needs_compiler
def test_only_one_thread_at_a_time_compiles_or_restores_code(monkeypatch):
    """Numba's registries are read by generators: a second thread in them gets `generator already executing`."""
    seen, unlocked, original = [], [], CodeCache.load_overload

    def load(cache, signature, context):
        (seen if numba_private.compiling.is_locked() else unlocked).append(cache.function.__qualname__)
        return original(cache, signature, context)

    monkeypatch.setattr(CodeCache, "load_overload", load)

    @heuristic
    def fresh(state: TicTacToe):
        return 3 * count(state.mine)

    assert fresh.native(TicTacToe) is not None
    assert seen and not unlocked
