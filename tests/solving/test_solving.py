"""Exact values by search, for games without a solver of their own."""

import os
import subprocess
import sys

import pytest

import slow
import zermelo as z
from conftest import dose
from zermelo.core import JIT
from zermelo.errors import PositionError
from zermelo.position import random_playout
from zermelo.rules import moves_of, play
from zermelo.scores import RECORDED_WIN
from zermelo.searches.budget import Budget
from zermelo.solving.exact import solve_by_search

SMALL = z.game("connect4(columns=4, rows=4)")


def test_tictactoe_against_brute_force():
    for seed in range(dose(40, 4)):
        position = random_playout(z.game("tictactoe").start(), seed, dose(2, 5) + seed % 3)
        if position.is_over:
            continue
        found = z.solve(position, all_moves=True)
        exact = slow.minimax(position.state, 9, None)
        assert found.complete
        assert found.outcome == (exact > 0) - (exact < 0)
        scores = {move: -slow.minimax(play(position.state, move), 9, None, ply=1) for move in moves_of(position.state)}
        assert {m: (s > 0) - (s < 0) for m, s in scores.items()} == found.scores
        assert set(found.moves) == {m for m in scores if scores[m] == max(scores.values())}
        if exact:
            assert found.plies == RECORDED_WIN - abs(exact)


def test_who_wins_is_proven_alike():
    for seed in range(dose(20, 2)):
        position = random_playout(z.game("tictactoe").start(), seed, dose(2, 5) + seed % 3)
        if not position.is_over:
            assert z.solve(position, weak=True).word == z.solve(position).word


@pytest.mark.skipif(not JIT, reason="too many positions for plain Python")
def test_a_small_connect4_is_a_draw():
    found = solve_by_search(SMALL.start())
    assert (found.word, found.complete) == ("draw", True)  # known: the 4x4 board is drawn (Tromp)


def test_a_tree_has_its_score():
    found = z.solve(z.game("tree/course").start(), all_moves=True)
    assert (found.score, found.value) == (5, "5")
    assert found.scores == {0: 3, 1: 2, 2: 5}


def test_a_budget_may_end_it():
    found = solve_by_search(z.game("connect4").start(), Budget(seconds=0.05))
    assert not found.complete
    assert found.value == "?"


def test_nothing_is_left_of_a_finished_game():
    with pytest.raises(PositionError, match="the game is over"):
        z.solve(z.game("connect4").position("1212121"))


FIRST_CALL = """
import zermelo as z
found = z.solve(z.game({game!r}).position({text!r}), seconds=2)
print(found.complete, found.outcome)
"""


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("game", "text", "outcome"),
    [
        ("connect4", "121212212121343434434343565656656565", 0),  # from a drawn game, made by hand
        ("reversi", "X" * 40 + "O" * 12 + "X" * 6 + "OO----" + " X", 1),
        ("hex(size=5)", "c3", -1),  # the middle wins (tests/golden/hex-openings.json)
        ("onitama", "b...b/..R../.r.../..B../r...r boar,ox elephant,horse crab r", 1),  # c5 is one step away
    ],
)
def test_compiling_is_no_part_of_the_budget(game, text, outcome, tmp_path):
    """In a process that finds nothing in its cache."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL.format(game=game, text=text)],
        env=os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", str(outcome)]
