"""Self-play: a table learns from the rules alone, and the same seed gives the same table, interrupted or not."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import dose
from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.drawing.charts import curves
from zermelo.errors import FileError, GameError, HeuristicError
from zermelo.games import find_game, find_heuristic
from zermelo.learn import td, td_quiet
from zermelo.learn.opponents import FREE_MOVES, Opponents, against_perfect, free_moves
from zermelo.learn.self_play import CHUNK, SelfPlay, Settings, Worker
from zermelo.match import play_match
from zermelo.players import AlphaBetaPlayer, RandomPlayer, find_player

needs_compiler = pytest.mark.skipif(not JIT, reason="thousands of games, too many for the interpreter")

TICTACTOE = find_game("tictactoe")


@pytest.fixture(scope="module")
def taught():
    """A table of tic-tac-toe after 30 000 games. (With seeds 1 to 6, five of the six tables lose nothing by then.)"""
    learning = SelfPlay(Settings("tictactoe", opening_plies=4, seed=2))
    learning.run(600)
    return learning


@needs_compiler
def test_tictactoe_is_learned_so_well_that_nobody_beats_it(taught):
    """Searching two plies, it never loses, neither against perfect play nor against 200 random players."""
    player = AlphaBetaPlayer(taught.heuristic, depth=2)
    perfect = find_player("alphabeta(depth=9)")
    start = TICTACTOE.start()
    for opponent in (perfect, *(RandomPlayer(seed) for seed in range(200))):
        assert play_match(player, opponent, start).winner != 2
        assert play_match(opponent, player, start).winner != 1


@needs_compiler
def test_an_empty_table_does_lose():
    """The test above can fail."""
    player = AlphaBetaPlayer(SelfPlay(Settings("tictactoe")).heuristic, depth=2)
    lost = [play_match(player, RandomPlayer(seed), TICTACTOE.start()).winner == 2 for seed in range(200)]
    assert any(lost)


@needs_compiler
def test_a_small_connect4_is_learned():
    """On 4x4, 15 000 games make a table that beats the report's heuristic, both looking one ply ahead."""
    learning = SelfPlay(Settings("connect4(columns=4, rows=4)", seed=1))
    opponents = Opponents(learning.game, ("lines2",), depth=1, pairs=100)
    before = opponents.scores(learning.heuristic)["lines2"]
    learning.run(300)
    after = opponents.scores(learning.heuristic)["lines2"]
    assert after.low > before.value and after.value > 0.5


def test_the_same_seed_gives_the_same_table_stopped_or_not(tmp_path):
    chunks = dose(6, 2)
    whole = SelfPlay(Settings("tictactoe", seed=5))
    whole.run(chunks)
    assert np.count_nonzero(whole.arrays["table"]) > 50
    first = SelfPlay(Settings("tictactoe", seed=5))
    first.run(chunks // 2)
    first.save(tmp_path / "half.ckpt")
    second = SelfPlay.load(tmp_path / "half.ckpt")
    assert second.games == chunks // 2 * CHUNK
    second.run(chunks - chunks // 2)
    for name in whole.arrays:
        assert (second.arrays[name] == whole.arrays[name]).all()
    other = SelfPlay(Settings("tictactoe", seed=6))
    other.run(chunks)
    assert (other.arrays["table"] != whole.arrays["table"]).any()


def test_a_table_learns_from_games_of_the_engine():
    learning = SelfPlay(Settings("tictactoe", seed=5, quiet=True))
    learning.run(dose(20, 1))
    assert np.count_nonzero(learning.arrays["table"]) > 50


@pytest.mark.skipif(JIT, reason="compiling it takes longer than a game without the compiler")
def test_only_quiet_positions_are_learned():
    """With a table that counts nothing but students, these are the positions without a capture or a win."""
    learning = SelfPlay(Settings("onitama", quiet=True))
    heuristic, game = find_heuristic("material", learning.game), td.new_game()
    memory, work = Worker(learning)._quiet_work()
    work.weights = heuristic.address
    evaluate, chance = heuristic.native(type(learning.start)), np.array([3], np.uint64)
    settings = td.new_settings(depth=1, opening_plies=20, exploration=0.5)
    plies, _ = td_quiet.play_quiet_game(learning.start, settings, evaluate, chance, memory, work, game)
    learned = game.number[:plies] > 0
    assert learned.any() and not learned.all()


@needs_compiler
def test_two_threads_play_all_games():
    learning = SelfPlay(Settings("tictactoe"))
    seen = []
    error = learning.run(20, threads=2, progress=lambda: seen.append(1))
    assert learning.chunks == len(seen) == 20 and 0 < error < 1


def test_targets_follow_the_result_and_the_search():
    """Three plies, the last one won by player 0, who made it: with lambda 1 all targets are the result."""
    game = td.new_game()
    for ply in range(3):
        game.number[ply], game.entries[ply * td.MOST_ENTRIES] = 1, ply
        game.to_move[ply], game.found[ply] = ply % 2, 0.5
    table, changes, distances = (np.zeros(3, np.float32) for _ in range(3))
    settings = td.new_settings(depth=1, trace_decay=1.0, rate=0.1)
    error = td.learn_from(game, 3, 1.0, settings, table, changes, distances)
    assert error == pytest.approx(1.0)
    assert np.sign(table).tolist() == [1, -1, 1] and np.abs(table) == pytest.approx(0.1 * td.SCALE)
    # A random move at ply 1: before it, only the search counts, and not what followed.
    game.explored[1] = 1
    table[:] = changes[:] = distances[:] = 0
    td.learn_from(game, 3, 1.0, settings, table, changes, distances)
    assert table == pytest.approx([-0.05 * td.SCALE, 0.05 * td.SCALE, 0.1 * td.SCALE])


def test_an_entry_pulled_to_and_fro_slows_down():
    game = td.new_game()
    game.number[0] = 1
    table, changes, distances = (np.zeros(1, np.float32) for _ in range(3))
    settings = td.new_settings(depth=1, trace_decay=1.0, rate=0.1)
    steps = []
    for result in (1.0, -1.0) * 10:
        before = float(table[0])
        td.learn_from(game, 1, result, settings, table, changes, distances)
        steps.append(abs(float(table[0]) - before))
    assert max(steps[-4:]) < 0.2 * steps[0]


# ------------------------------------------------------------------------------------------ opponents


@needs_compiler
def test_perfect_play_does_not_lose_to_itself():
    """In tic-tac-toe nobody beats perfect play, however deep: every win comes from the opponent's free moves."""
    results = against_perfect(TICTACTOE, find_heuristic("tictactoe/lines"), 9, 20)
    assert len(results) == 20 and min(results) >= 0
    assert len(set(free_moves(200, 7, 1))) == 200 and len(free_moves(5, 7, 1)[0]) == FREE_MOVES


def test_an_opponent_that_does_not_exist_is_named():
    with pytest.raises(HeuristicError, match="Reversi has no perfect player"):
        Opponents(find_game("reversi"), ("perfect",), 1)
    with pytest.raises(HeuristicError, match="Reversi has no heuristic 'best'"):
        Opponents(find_game("reversi"), ("best",), 1)


# ------------------------------------------------------------------------------------------ files and the command


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    SelfPlay(Settings("tictactoe")).save(path)
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], b"nothing", b""):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=r"run.ckpt is not a checkpoint of self-play, or it is damaged"):
            SelfPlay.load(path)
    with pytest.raises(FileError, match="cannot be read"):
        SelfPlay.load(tmp_path / "none.ckpt")


def test_settings_are_checked():
    with pytest.raises(GameError, match="trace_decay=2 is not a number from 0 to 1"):
        Settings("tictactoe", trace_decay=2)
    with pytest.raises(GameError, match="no table can be learned"):
        SelfPlay(Settings("tree/course"))


def run(*arguments):
    return CliRunner().invoke(cli, ["learn", "selfplay", *arguments])


@needs_compiler
def test_the_command_learns_resumes_and_writes_a_table_that_plays(tmp_path):
    out, state, picture = tmp_path / "t.npz", tmp_path / "t.ckpt", tmp_path / "t.svg"
    usual = ["tictactoe", "--threads", "1", "--pairs", "5", "--checkpoint", str(state)]
    result = run(*usual, "--games", "500", "--every", "250")
    assert result.exit_code == 0, result.output
    assert "500 games of Tic-tac-toe" in result.output and "against random:" in result.output
    assert run(*usual).exit_code == 2, "a checkpoint is not overwritten"
    files = ["--out", str(out), "--svg", str(picture)]
    result = CliRunner().invoke(
        cli, ["learn", "selfplay", *usual, "--games", "1000", "--every", "250", "--resume", "--json", *files]
    )
    data = json.loads(result.stdout)
    assert [point["games"] for point in data["curve"]] == [250, 500, 750, 1000]
    assert find_player(f"alphabeta(depth=1, heuristic={out})").think(TICTACTOE.start()).move in TICTACTOE.start().moves
    assert picture.read_text().startswith("<svg")
    assert run("tictactoe", "--resume").exit_code == 2
    assert run("tictactoe", "--out", "table.bin").exit_code == 2


def test_curves_are_drawn_within_their_frame():
    picture = curves("Learning", [("a", [(0, 0.0), (50, 0.5), (100, 1.0)]), ("b", [])], "games", "score")
    assert picture.startswith("<svg") and picture.count("<circle") == 3 and "Learning" in picture
