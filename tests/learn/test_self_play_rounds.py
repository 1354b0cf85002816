"""Self-play in rounds: the table is the same whoever plays the games, and it learns."""

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.learn import rounds
from zermelo.learn.opponents import Opponents
from zermelo.learn.rounds import kept_settings, merge, play_rounds
from zermelo.learn.self_play import ARRAYS, SelfPlay, Settings
from zermelo.pieces.crews import Processes, Threads
from zermelo.pieces.kept import Kept

pytestmark = pytest.mark.skipif(not JIT, reason="thousands of games, too many for the interpreter")


def learned(together, chunks, crew, kept=None):
    learning = SelfPlay(Settings("tictactoe", seed=5, together=together))
    play_rounds(learning, chunks, crew, kept or Kept())
    return learning


def same(one, other):
    return all((one.arrays[name] == other.arrays[name]).all() for name in ARRAYS)


def test_rounds_of_one_piece_are_what_a_single_thread_learns():
    alone = SelfPlay(Settings("tictactoe", seed=5))
    alone.run(4)
    with Threads(1) as crew:
        assert same(learned(1, 4, crew), alone)


def test_threads_and_processes_learn_the_same():
    chunks = 8
    with Threads(1) as one, Threads(3) as three, Processes(2) as processes:
        found = [learned(4, chunks, crew) for crew in (one, three, processes)]
    assert found[0].chunks == chunks and np.count_nonzero(found[0].arrays["table"]) > 50
    assert same(found[0], found[1]) and same(found[0], found[2])


def test_pieces_of_an_unfinished_round_are_kept(tmp_path, monkeypatch):
    done, do = [], rounds.do_chunk

    def failing(settings, data, piece, stopped):
        if len(done) == 6:
            raise KeyboardInterrupt
        done.append(piece)
        return do(settings, data, piece, stopped)

    learning = SelfPlay(Settings("tictactoe", seed=5, together=4))
    path = tmp_path / "kept"
    monkeypatch.setattr("zermelo.pieces.job._function", lambda name: failing)
    with Threads(1) as crew:
        with Kept(path, kept_settings(learning)) as kept, pytest.raises(KeyboardInterrupt):
            play_rounds(learning, 8, crew, kept)
        assert learning.chunks == 4 and done == [0, 1, 2, 3, 4, 5]
        done.append("continued")
        with Kept(path, kept_settings(learning)) as kept:
            resumed = learned(4, 8, crew, kept)
        assert done[7:] == [6, 7]
        monkeypatch.undo()
        assert same(resumed, learned(4, 8, crew))


def test_what_several_pieces_have_changed_is_averaged_by_how_far_they_moved_it():
    arrays = {name: np.array([0.0, 5.0, 5.0], np.float32) for name in ARRAYS}

    def chunk(places, table, distances):
        place = np.array(places, np.int32)
        return {
            "places": place,
            "table": np.array(table, np.float32),
            "changes": np.array(distances, np.float32),
            "distances": np.array(distances, np.float32),
        }

    merge(arrays, [chunk([0, 1], [3.0, 9.0], [1.0, 8.0]), chunk([1], [6.0], [6.0])])
    assert arrays["table"].tolist() == [3.0, 5.0 + (3 * 4.0 + 1 * 1.0) / 4, 5.0]
    assert arrays["distances"].tolist() == [1.0, 5.0 + 3.0 + 1.0, 5.0]


def test_it_learns_in_rounds_about_as_much_as_without():
    alone, together = SelfPlay(Settings("tictactoe", seed=1)), SelfPlay(Settings("tictactoe", seed=1, together=8))
    opponents = Opponents(alone.game, ("random",), depth=1, pairs=100)
    empty = opponents.scores(alone.heuristic)["random"].value
    alone.run(320)
    with Threads(2) as crew:
        play_rounds(together, 320, crew, Kept())
    serial, rounded = (opponents.scores(one.heuristic)["random"].value for one in (alone, together))
    assert together.games == alone.games == 16_000
    assert serial > empty + 0.05 and rounded > (serial + empty) / 2


def test_the_command_gives_the_same_table_with_processes(tmp_path):
    given = "learn selfplay tictactoe --games 400 --every 200 --together 4 --pairs 2 --against random --out"

    def table(name, *more):
        made = CliRunner().invoke(cli, [*given.split(), str(tmp_path / name), *more])
        assert made.exit_code == 0, made.output
        return (tmp_path / name).read_bytes()

    checkpoint = ["--checkpoint", str(tmp_path / "learning.ckpt")]
    assert table("a.npz", "--threads", "1") == table("b.npz", "--workers", "2", *checkpoint)
    assert not (tmp_path / "learning.ckpt.parts").exists()
    resumed = CliRunner().invoke(cli, [*given.split(), str(tmp_path / "c.npz"), *checkpoint, "--resume"])
    assert resumed.exit_code == 0, resumed.output
    old = tmp_path / "old.ckpt"
    SelfPlay(Settings("tictactoe")).save(old)
    refused = CliRunner().invoke(
        cli, ["learn", "selfplay", "tictactoe", "--checkpoint", str(old), "--resume", "--workers", "2"]
    )
    assert refused.exit_code == 2 and "was begun without --together" in refused.output
    both = CliRunner().invoke(cli, ["learn", "selfplay", "tictactoe", "--threads", "1", "--workers", "2"])
    assert both.exit_code == 2 and "choose only one of" in both.output
