"""With a limit of nodes the engine plays the same games every time, whatever was played before and beside them."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

import zermelo as z
from conftest import dose
from zermelo.core import JIT
from zermelo.match import play_match
from zermelo.players import EnginePlayer
from zermelo.position import random_playout

SOLVERS_OVERSHOOT = 500
"""Positions of the last squares of Reversi, or the moves of an Onitama position in a table."""


def game_of(name, player, seed):
    start = random_playout(z.game(name).start(), seed, 6)
    return [] if start.is_over else [(m.move, m.score, m.nodes) for m in play_match(player, player, start).moves]


def all_games(name, player, seeds, threads=1):
    with ThreadPoolExecutor(threads) as pool:
        running = {seed: pool.submit(copy_context().run, game_of, name, player, seed) for seed in seeds}
        return {seed: one.result() for seed, one in running.items()}


@pytest.mark.parametrize(
    ("name", "nodes", "games"),
    [("connect4", 1000, 24), ("connect4", 40_000, 4), ("reversi(6, 6)", 2000, 3), ("hex(size=5)", 400, 3)],
)
def test_the_same_games_in_another_order_and_on_two_threads(name, nodes, games):
    player = EnginePlayer(nodes=dose(nodes, 40))
    seeds = range(dose((games + 2) // 3, 1, games))
    first = all_games(name, player, seeds)
    assert all_games(name, player, reversed(seeds), threads=2) == first
    assert {seed: game_of(name, player, seed) for seed in seeds} == first
    visited = max(nodes for moves in first.values() for _, _, nodes in moves)
    assert visited <= player.nodes + SOLVERS_OVERSHOOT


def test_threads_do_not_change_the_moves_of_a_limit_of_nodes():
    one, two = (EnginePlayer(nodes=dose(1000, 40), threads=threads) for threads in (1, 2))
    assert two.is_deterministic and not EnginePlayer(depth=3, threads=2).is_deterministic
    for seed in range(dose(4, 1)):
        assert game_of("connect4", one, seed) == game_of("connect4", two, seed)


@pytest.mark.skipif(not JIT, reason="takes minutes as plain Python")
@pytest.mark.parametrize("name", ["connect4", "reversi", "hex(size=7)"])
def test_a_limit_of_nodes_bounds_the_solver(name):
    """One move of Connect 4 with nodes=1000 used to take 1,025,494 of them."""
    for nodes in (1, 10, 1000, 30_000):
        for seed in range(dose(2, 1, 6)):
            path = random_playout(z.game(name).start(), seed).path
            for position in path[6:-1:5]:
                assert EnginePlayer(nodes=nodes).think(position).nodes <= nodes + SOLVERS_OVERSHOOT


@pytest.mark.skipif(not JIT, reason="takes minutes as plain Python")
def test_a_best_move_of_connect4_does_not_depend_on_what_was_asked_before():
    positions = [random_playout(z.game("connect4").start(), seed, 14) for seed in range(dose(5, 1, 12))]
    positions = [position for position in positions if not position.is_over]
    first = {position: z.solve(position).moves for position in positions}
    for position in reversed(positions):
        z.solve(position, all_moves=True)
        assert z.solve(position).moves == first[position]


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="takes minutes as plain Python")
@pytest.mark.parametrize("threads", [1, 2])
def test_96_games_of_connect4(threads):
    player = EnginePlayer(nodes=1000)
    assert all_games("connect4", player, range(96)) == all_games("connect4", player, reversed(range(96)), threads)
