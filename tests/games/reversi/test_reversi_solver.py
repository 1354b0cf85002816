"""Exact endgames: known scores, brute force on small boards, every move."""

import functools

import pytest

import zermelo as z
from conftest import GOLDEN, dose
from zermelo.core import JIT
from zermelo.games.reversi.solver import is_quick, solve
from zermelo.position import Position, random_playout

GAME = z.game("reversi")
KNOWN = [line.split() for line in (GOLDEN / "reversi-endgames.txt").read_text().splitlines() if line and line[0] != "#"]


@functools.cache
def brute_force(position: Position) -> int:
    """The final margin for the player to move, by plain minimax over positions."""
    if position.is_over:
        margin = position.margin or 0
        return margin if position.to_move == 1 else -margin
    return max(-brute_force(position.play(move)) for move in position.moves)


@pytest.mark.parametrize(
    "entry", [e for e in KNOWN if JIT or e[0].count("-") <= 10][:: dose(1, 8)], ids=lambda e: e[0][:16]
)
def test_known_endgames(entry):
    board, side, score = entry[0], entry[1], int(entry[2])
    position = GAME.position(f"{board} {side}")
    found = solve(position.state)
    assert found.complete
    assert found.score == score
    assert solve(position.state, weak=True).score == (score > 0) - (score < 0)
    assert solve(position.state, threads=2).score == score


@pytest.mark.parametrize("size", ["columns=4, rows=4", "columns=6, rows=6", "columns=7, rows=5", "columns=8, rows=8"])
def test_against_brute_force(size):
    game = z.game(f"reversi({size})")
    for seed in range(dose(10, 2)):
        end = random_playout(game.start(), seed)
        position = end.path[max(0, len(end.path) - dose(8, 5))]
        if position.is_over:
            continue
        found = solve(position.state, all_moves=True)
        assert found.score == brute_force(position), str(position)
        for move, score in found.scores.items():
            child = position.play_code(move)
            assert score == -brute_force(child), (str(position), move)
        assert set(found.moves) == {m for m, s in found.scores.items() if s == found.score}


def test_the_engine_and_the_analysis_use_it():
    board, side, score = KNOWN[0][:3]
    position = GAME.position(f"{board} {side}")
    assert is_quick(position.state)
    assert z.analyse(position, seconds=60).best.score == int(score)
    assert z.engine(nodes=100).think(position).score == int(score)
    assert not is_quick(GAME.start().state)


@pytest.mark.skipif(not JIT, reason="made for compiled speed")
def test_a_budget_may_end_it():
    found = solve(GAME.start().state, seconds=0.2)
    assert not found.complete
    assert found.moves
