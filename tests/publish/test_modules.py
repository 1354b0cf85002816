"""Modules answer like the native players, and the solver in a module like the native one."""

from pathlib import Path

import numpy as np
import pytest

from _published import NODE, OWN, PUBLISHED, REVERSI_6, ask_node, compare, packed, random_positions
from zermelo.core import JIT
from zermelo.games import find_game
from zermelo.games.onitama import endgames
from zermelo.players import find_player
from zermelo.players.modules import CONTROL, manifest_of, state_bytes
from zermelo.publish.module import leaves_solver_out, published
from zermelo.rules import MOST_MOVES, moves_of
from zermelo.solving.compiled import NO_ANSWER
from zermelo.solving.registry import solver_of

in_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
FEW, SOME, MANY = 20, 150, 200
MOST_BYTES = 200_000
"""Of a module without its weights."""


def check(game, player, folder, positions):
    module = published(game, player)
    (folder / "player.wasm").write_bytes(module.data)
    assert module.size < MOST_BYTES
    compare(folder / "player.wasm", game, player, positions)


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


REVERSI = REVERSI_6, "engine(nodes=20000)"


@in_node
@pytest.mark.parametrize(("game", "player", "number"), [("hex(size=4)", "engine(nodes=1200)", FEW), (*REVERSI, SOME)])
def test_an_engine_asks_the_solver_as_the_native_one_does(game, player, number, tmp_path):
    """After a quarter of the nodes for the solver, the engine searches, also if the solver finds a loss."""
    check(game, player, tmp_path, number)
    native, positions = find_player(player, find_game(game)), random_positions(find_game(game), number)
    chosen = [(position, native.think(position)) for position in positions if not position.is_over]
    assert {choice.solved for _, choice in chosen} == {True, False}
    if game == REVERSI_6:  # whose solver may find the score, a win without the score, or a loss without a move
        asked = [solver_of(position.game).worth_solving(position.state, nodes=5000) for position, _ in chosen]
        found = {(what, choice.solved, choice.score.in_points) for what, (_, choice) in zip(asked, chosen, strict=True)}
        assert found >= {(None, False, False), ("exact", True, True), ("weak", True, False), ("weak", False, False)}


@in_node
def test_an_engine_looks_up_the_tables_of_the_native_one(tmp_path):
    """With four pieces or fewer, Onitama's table gives the move, and with up to six, the search looks positions up."""
    game, player = find_game("onitama"), "engine(nodes=1500)"
    few = [position for position in random_positions(game, 400) if endgames.men_of(position.state) <= 6]
    check("onitama", player, tmp_path, few)
    native, plain = (find_player(text, game) for text in (player, "engine(nodes=1500, solver=no)"))
    open_ = [position for position in few if not position.is_over]
    assert {native.think(position).solved for position in open_} == {True, False}
    assert any(native.think(position).score != plain.think(position).score for position in open_), (
        "tables change scores"
    )


@in_node
def test_a_worker_makes_tables_while_nobody_waits(tmp_path):
    """So the first answer against the clock needs no table, and a later one has it."""
    (tmp_path / "player.wasm").write_bytes(published("onitama", "engine(nodes=1500)").data)
    game = find_game("onitama")
    few = next(one for one in random_positions(game, 400) if endgames.men_of(one.state) <= 4 and not one.is_over)
    states = [packed(tmp_path / "player.wasm", one) for one in (game.start(), few)]
    script = str(Path(__file__).parent / "worker.mjs")
    assert ask_node(script, tmp_path / "player.wasm", states=states) == [False, True]


@in_node
@pytest.mark.slow
@pytest.mark.parametrize(("game", "player"), [(game, player.replace(str(OWN), OWN.name)) for game, player in PUBLISHED])
def test_two_hundred_positions_of_every_game(game, player, tmp_path):
    check(game, player.replace(OWN.name, str(OWN)), tmp_path, MANY)


@pytest.mark.parametrize(("game", "player"), [("connect4(columns=5, rows=4)", "engine(nodes=1000)"), REVERSI])
def test_the_solver_in_a_module_gives_the_exact_scores(game, player):
    wasmtime = pytest.importorskip("wasmtime")
    game = find_game(game)
    module, solver = published(game, player), solver_of(game)
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
        if not solver.is_quick(position.state):
            assert number == NO_ANSWER
            continue
        at = places["solved"]["address"]
        rows = np.frombuffer(bytes(memory.read(store, at, at + 12 * MOST_MOVES)), np.int32).reshape(3, MOST_MOVES)
        native = solver.solve(position.state, all_moves=True)
        assert rows[0, :number].tolist() == moves_of(position.state)
        assert dict(zip(*rows[:2, :number].tolist(), strict=True)) == native.scores
        plies = dict(zip(*rows[::2, :number].tolist(), strict=True))
        assert {move: plies[move] for move in native.distances} == native.distances


@pytest.mark.parametrize(
    ("game", "player", "is_left_out"),
    [
        ("onitama", "engine(nodes=1000)", True),
        ("onitama", "engine(nodes=1000, solver=no)", False),
        ("onitama", "alphabeta(depth=2)", False),
        ("parcheckers", "engine(nodes=1000)", False),
    ],
)
def test_a_solver_that_is_not_in_the_module_is_known(game, player, is_left_out, monkeypatch):
    """A package's solver need not offer itself for modules."""
    game = find_game(game)
    assert not leaves_solver_out(game, player), "no game of ours"
    if solver_of(game) is not None:
        monkeypatch.delattr(solver_of(game), "published")
    assert leaves_solver_out(game, player) == is_left_out
