"""Tournaments on many machines: a real Dask cluster of several processes, one of which is killed."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import waiting
from servers import dask_cluster, dask_workers
from zermelo.core import JIT
from zermelo.errors import FileError, ZermeloError
from zermelo.tournaments.plan import make_plan, read_plan
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

pytest.importorskip("distributed", reason='Dask is not installed: pip install "zermelo[cluster]"')

pytestmark = [
    pytest.mark.skipif(not JIT, reason="too slow"),
    pytest.mark.filterwarnings("ignore"),  # Dask's own
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler and its three worker processes."""
    with dask_workers(tmp_path_factory.mktemp("dask"), 3) as found:
        yield found


def games_of(store):
    return [
        (game.pair, game.swapped, game.score, [move.move for move in game.record.moves]) for game in store.games("cup")
    ]


def played_in(path):
    """The number of games that a tournament has stored."""
    if not path.exists():
        return 0
    store = open_store(path)
    played = sum(len(store.scores(name)) for name in store.names())
    store.close()
    return played


MINE = """
import zermelo as z
from weights import HEIGHT
from zermelo.games.connect4 import Connect4

@z.heuristic
def low(state: Connect4):
    "Stones on the ground."
    theirs = state.mine ^ state.stones
    return HEIGHT * (z.count(state.mine & GROUND) - z.count(theirs & GROUND))

GROUND = z.bit(0) | z.bit(8) | z.bit(16) | z.bit(24) | z.bit(32) | z.bit(40) | z.bit(48)
"""


def test_files_travel_and_a_killed_worker_costs_only_its_games(cluster, tmp_path, record_property):
    address, workers = cluster
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "weights.py").write_text("HEIGHT = 3\n")
    text = 'game = "connect4"\ncontestants = ["mine.py:low", "lines2", "random"]\npairs = 12\ndepth = 5\n'
    (tmp_path / "cup.toml").write_text(text)
    command = [sys.executable, "-m", "zermelo", "tournament", "run", "cup.toml", "--scheduler", address, "--json"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waiting.until(lambda: process.poll() is not None or played_in(tmp_path / "cup.db") >= 6)
    played = played_in(tmp_path / "cup.db")
    workers[0].send_signal(signal.SIGKILL)
    workers[0].wait()
    out, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert played < 72, "it was killed in the middle"
    there = open_store(tmp_path / "cup.db")
    here = open_store(None)
    begin(here, read_plan(tmp_path / "cup.toml"))
    run(here, "cup", threads=1)
    lost = len(set(map(str, games_of(here))) ^ set(map(str, games_of(there))))
    what = "on a cluster of three, one of them killed: games lost, repeated or other than here"
    record_property("figure", [8, what, "0", str(lost)])
    assert len(games_of(there)) == 72
    assert games_of(there) == games_of(here)
    assert json.loads(out) == make_report(here).to_dict()
    there.close()


def test_work_in_pieces_gives_the_same_there_and_users_files_travel(cluster, tmp_path, monkeypatch):
    """tests/pieces/test_on_dask.py does the same with all commands, and kills workers."""
    from zermelo.games import find_game
    from zermelo.learn.dataset import Plan, make_dataset
    from zermelo.learn.labels import Labeller
    from zermelo.learn.sampling import Sampler
    from zermelo.pieces.cluster import Cluster

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "weights.py").write_text("HEIGHT = 3\n")
    plan = Plan(find_game("connect4"), 1500, Sampler("random", 5, 20), Labeller("search", 1, "mine.py:low"))
    here = make_dataset(plan, tmp_path / "here.npz", threads=1)
    with Cluster(cluster[0]) as crew:
        make_dataset(plan, tmp_path / "there.npz", crew=crew)
        (tmp_path / "weights.py").write_text("HEIGHT = 1 / 0\n")
        with pytest.raises(ZermeloError, match="ZeroDivisionError"):
            make_dataset(plan, tmp_path / "never.npz", crew=crew)
    assert len(here) >= 1500 and (tmp_path / "here.npz").read_bytes() == (tmp_path / "there.npz").read_bytes()


def test_stopping_leaves_the_games_under_way(cluster):
    from zermelo.tournaments.distribute import Cluster
    from zermelo.tournaments.referee import Abandoned
    from zermelo.tournaments.schedule import Pair
    from zermelo.tournaments.task import tasks_of

    plan = make_plan(["lines2", "centre"], "connect4", depth=9)[0]
    tasks = [tasks_of(plan, Pair(f"1/0-1/{i}", 1, "lines2", "centre", i, "-", 0, i))[0] for i in range(6)]
    workers = Cluster(cluster[0])
    futures = [workers.submit(task) for task in tasks]
    workers.stop()
    assert any(isinstance(future.exception(timeout=240), Abandoned) for future in futures)
    workers.close()


def test_a_game_that_kills_every_worker_is_lost_by_who_was_to_move(cluster, tmp_path, monkeypatch):
    address, _ = cluster
    (tmp_path / "deadly.py").write_text(
        "import zermelo as z\nfrom zermelo.games.tictactoe import TicTacToe\n\n\n"
        "def deeper(n):\n    if n < 0:\n        return 0\n    return deeper(n + 1) + n % 3\n\n\n"
        "@z.heuristic\ndef deadly(state: TicTacToe):\n    'Kills its process by endless recursion.'\n"
        "    return deeper(z.count(state.mine)) if z.count(state.mine) > 0 else 0\n"
    )
    monkeypatch.chdir(tmp_path)
    from zermelo.tournaments.distribute import Cluster

    options = ["--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    # With a nanny, which starts it again.
    nanny = subprocess.Popen([sys.executable, "-m", "dask", "worker", address, *options], **quiet)
    try:
        store = open_store(None)
        settings = {"pairs": 1, "depth": 1, "openings": {"plies": 2}}
        begin(store, make_plan(["random", "deadly.py:deadly"], "tictactoe", **settings, name="cup")[0])
        run(store, "cup", workers=Cluster(address))
    finally:
        nanny.terminate()
        nanny.wait()
    games = list(store.games("cup"))
    assert [game.score for game in games] == [1.0, 1.0]
    assert all(game.reason.startswith("crash") for game in games)


def test_a_scheduler_that_is_not_there():
    from zermelo.tournaments.distribute import Cluster

    with pytest.raises(FileError, match=r"tcp://127.0.0.1:9: no Dask scheduler answers at this address"):
        Cluster("tcp://127.0.0.1:9", patience=1)


@pytest.fixture
def copied(tmp_path):
    """The package with another version number."""
    import zermelo

    shutil.copytree(Path(zermelo.__file__).parent, tmp_path / "other" / "zermelo")
    init = tmp_path / "other" / "zermelo" / "__init__.py"
    init.write_text(init.read_text().replace(zermelo.__version__, "9.9.9"))
    return tmp_path / "other"


def test_a_worker_with_another_version_is_refused_in_words(tmp_path, copied):
    address, scheduler, worker = dask_cluster(tmp_path, {"PYTHONPATH": str(copied)})
    try:
        command = [sys.executable, "-m", "zermelo", "tournament", "run", "connect4", "lines2", "centre"]
        done = subprocess.run([*command, "--depth", "2", "--scheduler", address], capture_output=True, text=True)
        assert done.returncode != 0
        assert "has zermelo 9.9.9 (" in done.stderr
        assert "Traceback" not in done.stderr
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()


def test_endless_heuristics_are_ended_on_a_cluster_and_a_killed_scheduler_gives_a_message(tmp_path):
    (tmp_path / "endless.py").write_text(
        "import zermelo as z\nfrom zermelo.games.connect4 import Connect4\n\n@z.heuristic\n"
        "def endless(state: Connect4):\n    n = 1\n    while n:\n        n = n * 3 + 1 | 1\n    return n\n"
    )
    address, scheduler, worker = dask_cluster(tmp_path)
    try:
        command = [sys.executable, "-m", "zermelo", "tournament", "run", "connect4", "--scheduler", address]
        endless = ["endless.py:endless", "centre", "--depth", "2", "--pairs", "2", "--move-limit", "2", "--json"]
        done = subprocess.run([*command, *endless], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["endings"] == {"timeout": 4}
        longer = [*command, "lines2", "centre", "--depth", "8", "--pairs", "500", "--store", "long.db"]
        process = subprocess.Popen(longer, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        waiting.until(lambda: process.poll() is not None or played_in(tmp_path / "long.db"))
        scheduler.kill()
        _, errors = process.communicate(timeout=200)
        assert process.returncode != 0
        assert "the connection to the Dask scheduler was lost" in errors
        assert "Traceback (most recent call last)" not in errors
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
