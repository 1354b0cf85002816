"""Published players as contestants, under wasmtime with limits."""

import subprocess
import sys

import pytest

from _published import NODE, REVERSI_6, compare, random_positions
from zermelo.core import JIT
from zermelo.errors import FileError, PlayerError, PublishError
from zermelo.games import find_game
from zermelo.games.onitama.endgames import men_of
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.players.modules import manifest_of
from zermelo.publish.module import published
from zermelo.solving.registry import solver_of

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
GAME, PLAYER = "tictactoe", "alphabeta(nodes=2000)"


@pytest.fixture(scope="module")
def wasm(tmp_path_factory):
    file = tmp_path_factory.mktemp("published") / "player.wasm"
    file.write_bytes(published(GAME, PLAYER).data)
    return file


def test_it_plays_the_moves_of_the_native_player(wasm):
    game = find_game(GAME)
    native, module = find_player(PLAYER, game), find_player(f"wasm(file={wasm})", game)
    for position in random_positions(game, 20):
        if not position.is_over:
            one, other = native.think(position), module.think(position)
            assert (one.line, one.score, one.depth, one.nodes) == (other.line, other.score, other.depth, other.nodes)


def test_fuel_is_a_budget_and_the_best_move_so_far_is_played(wasm):
    start = find_game(GAME).start()
    plenty = find_player(f"wasm(file={wasm})").think(start)
    for fuel in (1, 1000, 30_000, 100_000):  # the least is not enough to begin
        player = find_player(f"wasm(file={wasm}, fuel={fuel})")
        few = player.think(start)
        assert few.move in start.moves and few.nodes <= plenty.nodes
        assert (few.line, few.nodes) == (player.think(start).line, player.think(start).nodes)
    assert few.depth < plenty.depth


def test_fuel_alone_limits_a_player_that_was_published_with_seconds(tmp_path):
    """The engine of Hex asks a solver and grows a tree: the same answer every time, and a better one with more."""
    file = tmp_path / "hex.wasm"
    file.write_bytes(published("hex(size=7)", "engine(seconds=0.5)").data)
    start = find_game("hex(size=7)").start()
    assert not find_player(f"wasm(file={file})").is_deterministic
    found = []
    for fuel in (1000, 200_000_000, 400_000_000):
        player = find_player(f"wasm(file={file}, fuel={fuel})")
        found.append(player.think(start))
        assert player.is_deterministic and player.think(start).line == found[-1].line
    none, some, more = found
    assert none.nodes < some.nodes < more.nodes and none.depth < some.depth


def test_a_solver_that_is_not_worth_an_attempt_costs_nothing(tmp_path):
    """Reversi, with fuel alone: the end is solved; with 32 empty squares, the search has all that there is."""
    file = tmp_path / "reversi.wasm"
    file.write_bytes(published(REVERSI_6, "engine(nodes=20000)").data)
    player, native = find_player(f"wasm(file={file}, fuel=100000000)"), find_player("engine(nodes=20000)")
    positions = random_positions(find_game(REVERSI_6), 20)
    worth = solver_of(positions[0].game).worth_solving
    late = next(one for one in positions if not one.is_over and worth(one.state, nodes=5000) == "exact")
    found, right = player.think(late), native.think(late)
    assert found.solved and found.score.points == right.score.points
    start = player.think(find_game(REVERSI_6).start())
    assert not start.solved and start.depth > 3


def test_tables_are_made_before_the_first_move(tmp_path):
    """They cost no fuel of a move, and are still there after a search has used up its fuel."""
    file = tmp_path / "onitama.wasm"
    file.write_bytes(published("onitama", "engine(seconds=0.5)").data)
    game = find_game("onitama")
    few = next(one for one in random_positions(game, 400) if men_of(one.state) <= 4 and not one.is_over)
    native, player = find_player("engine(nodes=1000)", game), find_player(f"wasm(file={file}, fuel=20_000_000)", game)
    for _ in range(2):
        found, wanted = player.think(few), native.think(few)
        assert found.solved and (found.line, found.score, found.nodes) == (wanted.line, wanted.score, wanted.nodes)
        assert player.think(game.start()).nodes > 0, "which uses up the fuel, and so needs another instance"


def test_it_is_a_contestant(wasm):
    record = play_match(f"wasm(file={wasm})", "random(seed=1)", GAME)
    assert record.winner in (1, None) and record.reason == "played out"


def test_everything_is_freed_before_python_ends(wasm):
    """Also the instance of a thread that is still there: a destructor that runs later prints an error."""
    code = (
        "import sys, threading\n"
        "from zermelo.games import find_game\n"
        "from zermelo.players import find_player\n"
        "player, ready = find_player(f'wasm(file={sys.argv[1]})'), threading.Event()\n"
        "def hold():\n"
        "    player.prepare(find_game('tictactoe'))\n"
        "    ready.set()\n"
        "    threading.Event().wait()\n"
        "threading.Thread(target=hold, daemon=True).start()\n"
        "ready.wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(wasm)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_module_that_fails_loses_the_game(wasm, tmp_path):
    data = wasm.read_bytes()
    address = manifest_of(data)["memory"]["room"]["address"]
    broken = tmp_path / "broken.wasm"  # whose manifest names a place that is not in its memory
    broken.write_bytes(data.replace(f'"room": {{"address": {address}'.encode(), b'"room": {"address": 9999999'))
    assert broken.read_bytes() != data
    record = play_match(f"wasm(file={broken})", "random(seed=1)", GAME)
    assert record.winner == 2 and record.reason.startswith("crash: its module failed")


def test_memory_is_limited(wasm, tmp_path):
    with pytest.raises(PlayerError, match=r"cannot be started: .*memory"):
        find_player(f"wasm(file={wasm}, memory=1)").think(find_game(GAME).start())


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("wasm", "the file is missing"),
        ("wasm(file={folder}/nothing.wasm)", "nothing.wasm"),
        ("wasm(file={folder}/text.wasm)", "not a player that zermelo has published"),
        ("wasm(file={wasm}, fuel=0)", "fuel=0"),
    ],
)
def test_errors_say_what_is_wrong(wasm, tmp_path, text, error):
    (tmp_path / "text.wasm").write_text("nothing of the kind")
    with pytest.raises((FileError, PlayerError), match=error):
        find_player(text.format(wasm=wasm, folder=tmp_path)).prepare(find_game(GAME))


def test_a_module_plays_only_its_own_game(wasm):
    with pytest.raises(PlayerError, match="published for tictactoe, not for connect4"):
        find_player(f"wasm(file={wasm})").prepare(find_game("connect4"))


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_node_answers_like_the_native_player(wasm):
    compare(wasm, GAME, PLAYER, 20)


def test_the_same_player_gives_the_same_bytes(wasm):
    assert published(GAME, PLAYER, fresh=True).data == wasm.read_bytes()


@pytest.mark.parametrize("player", ["random", "human", "engine(book=0)", 'process(command="python3 engine.py")'])
def test_what_cannot_be_published_says_so(player):
    with pytest.raises(PublishError, match="cannot be published"):
        published(GAME, player)


def test_a_heuristic_in_plain_python_says_so(tmp_path):
    file = tmp_path / "plain.py"
    file.write_text(
        "import decimal\nimport zermelo as z\n\n\n@z.heuristic\ndef plain(board: z.TicTacToe):\n"
        "    return float(decimal.Decimal(1))\n"
    )
    with pytest.raises(PublishError, match="plain cannot be published, because it cannot be compiled"):
        published(GAME, f"alphabeta(depth=2, heuristic={file}:plain)")
