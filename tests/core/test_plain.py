"""Rules as plain Python: the same answers as compiled code, and code that is loaded but never compiled."""

import sys
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo.core import (
    JIT,
    NotCompiled,
    class_of,
    compiled_at_once,
    generic,
    njit,
    only_cached,
    plain_first,
    state,
    take_compiled,
)
from zermelo.core.plain import PLAIN_CALLS, PLAIN_FIRST, as_python
from zermelo.games.hex.rules import no_cells
from zermelo.position import random_playout
from zermelo.rules import RULES, is_over, key, legal_moves, margin, moves_of, outcome, play, to_move

needs_compiler = pytest.mark.skipif(not JIT, reason="nothing is compiled")

GAMES = ["connect4", "reversi", "hex(size=5)", "onitama", "parcheckers", "tictactoe"]


def plain_question(question, state):
    return as_python(question.implementation(class_of(state)))


@pytest.mark.parametrize("name", GAMES)
def test_plain_rules_answer_as_compiled_ones_do(name):
    for position in random_playout(z.game(name).start(), seed=5, plies=14).path:
        state = position.state
        for question in (is_over, to_move, key):
            assert int(plain_question(question, state)(state)) == int(question(state))
        if position.is_over:
            for question in (outcome, margin):
                assert int(plain_question(question, state)(state)) == int(question(state))
            continue
        out = np.empty(1024, np.int32)
        end = plain_question(legal_moves, state)(state, out, 0)
        assert list(out[:end]) == moves_of(state)
        after = plain_question(play, state)(state, int(out[0]))
        assert [int(part) for part in after if not isinstance(part, np.ndarray)] == [
            int(part) for part in play(state, int(out[0])) if not isinstance(part, np.ndarray)
        ]


@pytest.mark.parametrize("name", ["connect4", "reversi", "onitama", "parcheckers"])
def test_a_heuristic_as_plain_python_has_the_compiled_value(name):
    game = z.game(name)
    position = random_playout(game.start(), seed=2, plies=8)
    heuristic = game.heuristics[game.first_glance]
    assert heuristic.as_python(position.state) == pytest.approx(heuristic(position), abs=0.001)


@njit
def inner(number):
    return number + 1


@njit
def outer(number):
    return inner(number) * 2


@needs_compiler
def test_a_plain_function_calls_plain_functions_and_compiles_nothing():
    assert as_python(outer)(20) == 42
    assert not outer.signatures and not inner.signatures


@needs_compiler
def test_only_cached_code_is_loaded(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))

    @njit
    def never_seen(number):
        return number - 7

    with pytest.raises(NotCompiled), only_cached():
        never_seen(3)
    assert not list(tmp_path.iterdir())
    assert never_seen(3) == -4


def test_a_missing_question_is_answered_plainly_until_its_code_is_there(monkeypatch, tmp_path):
    state = z.game("tictactoe").start_state()
    cls, told = type(state), []
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    entries: dict = {}

    def compile_it():
        raise NotCompiled

    plain_first(told.append)
    try:
        function = is_over.implementation(cls)
        entries[cls] = PLAIN_FIRST.entry(entries, cls, function, compile_it)
        assert not entries[cls](state) and told == [cls]
        take_compiled(cls)
        assert not entries
    finally:
        plain_first(None)
    assert is_over in RULES


@needs_compiler
def test_a_question_is_compiled_when_it_has_been_asked_a_few_times(tmp_path, monkeypatch):
    """Whoever asks once does not wait for the compiler; the answers are the same."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))

    @generic
    def twice(state):
        """Two times the number."""

    @state
    class Number(NamedTuple):
        """A number."""

        number: np.int64

    def double(asked):
        return asked.number * np.int64(2)

    monkeypatch.setattr(sys.modules["zermelo.core.generic"], "is_ours", lambda function: True)
    compiled = twice.of(Number)(double)
    for asked in range(PLAIN_CALLS):
        assert twice(Number(asked)) == 2 * asked
    assert not compiled.signatures
    assert twice(Number(21)) == 42 and compiled.signatures
    with compiled_at_once():
        other = twice.of(Number)
        with pytest.warns(UserWarning, match="already in use"):
            compiled = other(double)
        assert twice(Number(3)) == 6 and compiled.signatures


@njit
def empty_of(state):
    return no_cells(state)


def test_plain_functions_call_plain_ones():
    """Compiled code returns Python's numbers in a tuple, and ~ of them is negative."""
    position = z.game("hex", size=5).start_state()
    with compiled_at_once():
        assert no_cells(position) == as_python(empty_of)(position)
    assert {type(word) for word in as_python(empty_of)(position)} == {np.uint64}
