"""Modules answer like the native players, and the solver in a module like the native one."""

import numpy as np
import pytest

from _published import NODE, compare, random_positions
from zermelo.core import JIT
from zermelo.errors import PublishError
from zermelo.games import find_game
from zermelo.players.modules import CONTROL, manifest_of, state_bytes
from zermelo.publish.module import published
from zermelo.rules import MOST_MOVES, moves_of
from zermelo.solving.registry import solver_of

in_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
FEW, MANY = 20, 200
PLAYERS = ("engine(nodes=2000, solver=no, search=alphabeta)", "alphabeta(depth=2)", "mcts(simulations=200, seed=1)")
SIZES = {"reversi": 240_000}
"""Bytes of a module without its weights, where they may be more than 200,000: Reversi's has a table of 197 kB that says
which entry of the learned table each row of discs stands for."""

MINE = """
import math

import zermelo as z


@z.heuristic(weights={"middle": 3.5})
def mine(board: z.Connect4, w):
    score = 0.0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                score += w.middle - math.exp(abs(column - 3) / 3)
            elif board[row, column] == z.THEIRS:
                score -= w.middle - math.exp(abs(column - 3) / 3)
    return score


@z.search
def my_alphabeta(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    for child in backwards(node):
        alpha = max(alpha, -my_alphabeta(child, depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def backwards(node):
    found = [child for child in node.children()]
    found.reverse()
    return found
"""


def check(game, player, folder, number):
    module = published(game, player)
    (folder / "player.wasm").write_bytes(module.data)
    assert module.size < SIZES.get(game, 200_000)
    compare(folder / "player.wasm", game, player, number)


@in_node
@pytest.mark.parametrize(
    ("game", "player"),
    [("connect4", "engine(nodes=3000, solver=no)"), ("tictactoe", "mcts(simulations=300, seed=3)")],
)
def test_a_module_answers_like_the_native_player(game, player, tmp_path):
    check(game, player, tmp_path, FEW)


@in_node
def test_a_search_of_ones_own_with_lists_and_exp(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    file = tmp_path / "mine.py"
    check("connect4", f"{file}:my_alphabeta(depth=3, heuristic={file}:mine)", tmp_path, FEW)


@in_node
@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", ["connect4", "hex(size=5)", "onitama", "parcheckers", "reversi", "tictactoe"])
def test_two_hundred_positions_of_every_game(game, player, tmp_path):
    check(game, player, tmp_path, MANY)


def test_the_engine_is_published_with_alpha_beta_only():
    with pytest.raises(PublishError, match=r"mcts\(\.\.\.\) can"):
        published("hex(size=3)", "engine(search=mcts)")
    with pytest.raises(PublishError, match="leave out book"):
        published("reversi", "engine(book=0.5)")


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
