"""Modules answer like the native players, and the solver in a module like the native one."""

import numpy as np
import pytest

from _published import NODE, OWN, PUBLISHED, compare, random_positions
from zermelo.core import JIT
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.players.modules import CONTROL, manifest_of, state_bytes
from zermelo.publish.module import published
from zermelo.rules import MOST_MOVES, moves_of
from zermelo.solving.registry import solver_of

in_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
FEW, MANY = 20, 200
MOST_BYTES = 200_000
"""Of a module without its weights."""


def check(game, player, folder, number):
    module = published(game, player)
    (folder / "player.wasm").write_bytes(module.data)
    assert module.size < MOST_BYTES
    compare(folder / "player.wasm", game, player, number)


@in_node
@pytest.mark.parametrize(
    ("game", "player"),
    [("connect4", "engine(nodes=3000)"), ("tictactoe", "mcts(simulations=300, seed=3)")],
)
def test_a_module_answers_like_the_native_player(game, player, tmp_path):
    check(game, player, tmp_path, FEW)


@in_node
def test_a_search_of_ones_own_with_lists_and_exp(tmp_path):
    check("connect4", f"{OWN}:my_alphabeta(depth=3, heuristic={OWN}:connect4)", tmp_path, FEW)


@in_node
def test_an_engine_grows_its_tree_and_asks_the_solver_as_the_native_one_does(tmp_path):
    """Hex: Monte Carlo tree search, after a quarter of the nodes for the solver. A lost position is searched."""
    game, player = "hex(size=4)", "engine(nodes=1200)"
    check(game, player, tmp_path, FEW)
    native = find_player(player, find_game(game))
    chosen = [native.think(position) for position in random_positions(find_game(game), FEW) if not position.is_over]
    assert {choice.solved for choice in chosen} == {True, False}


@in_node
@pytest.mark.slow
@pytest.mark.parametrize(("game", "player"), [(game, player.replace(str(OWN), OWN.name)) for game, player in PUBLISHED])
def test_two_hundred_positions_of_every_game(game, player, tmp_path):
    check(game, player.replace(OWN.name, str(OWN)), tmp_path, MANY)


def test_the_solver_in_a_module_gives_the_exact_scores():
    wasmtime = pytest.importorskip("wasmtime")
    game = find_game("connect4(columns=5, rows=4)")
    module = published(game, "engine(nodes=1000)")
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, module.data), []).exports(store)
    places, memory = manifest_of(module.data)["memory"], exports["memory"]
    control = np.zeros(1, CONTROL)
    control["limit"] = 1 << 62
    memory.write(store, control.tobytes(), places["control"]["address"])
    for position in random_positions(game, FEW):
        if position.is_over:
            continue
        memory.write(store, state_bytes(position.state), places["room"]["address"])
        number = exports["solve"](store, places["room"]["address"], -1)
        at = places["solved"]["address"]
        rows = np.frombuffer(bytes(memory.read(store, at, at + 12 * MOST_MOVES)), np.int32).reshape(3, MOST_MOVES)
        native = solver_of(game).solve(position.state, all_moves=True)
        assert rows[0, :number].tolist() == moves_of(position.state)
        assert dict(zip(*rows[:2, :number].tolist(), strict=True)) == native.scores
        plies = dict(zip(*rows[::2, :number].tolist(), strict=True))
        assert {move: plies[move] for move in native.distances} == native.distances
