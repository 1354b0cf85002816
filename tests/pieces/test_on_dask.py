"""Learning on a real Dask cluster, one of whose workers is killed in the middle: the result is that of one machine."""

import json
import sqlite3
import subprocess
import sys

import pytest

import waiting
import zermelo as z
from servers import dask_workers
from zermelo.core import JIT
from zermelo.games.onitama import endgames

pytest.importorskip("distributed", reason='Dask is not installed: pip install "zermelo[cluster]"')

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not JIT, reason="too slow"),
    pytest.mark.filterwarnings("ignore"),  # Dask's own
]

NOISY = """
import zermelo as z

@z.search(weights={"trust": 1.0, "noise": 1.0})
def noisy(node, depth, w):
    if node.is_over or depth == 0:
        return w.trust * node.value + w.noise * (node.key % 29)
    return max(-noisy(child, depth - 1, w) for child in node.children())
"""

LEARNING = "--games 6000 --every 3000 --together 10 --pairs 2 --against random"
TUNING = "--game connect4 --iterations 20 --pairs 4 --judge-pairs 20 --measure-pairs 10 --json"
COMMANDS = {  # what is written, what is kept meanwhile, and the command
    "dataset": ("out.npz", "out.npz.parts", "learn dataset connect4 --examples 5000 --plies 18 30 --out out.npz"),
    "book": ("out.bin", "out.bin.parts", "learn book connect4(columns=5,rows=4) --stones 5 --out out.bin"),
    "selfplay": ("out.npz", "c.parts", f"learn selfplay hex(size=5) {LEARNING} --checkpoint c --out out.npz"),
    "tune": ("state", "state.parts", f"learn tune noisy.py:noisy(heuristic=lines2) {TUNING} --state state"),
}


OPENINGS = [f"{column}{row}" for column in "abcdef" for row in range(1, 7)]
CARDS = ("crab", "tiger", "dragon", "frog", "goose", "mantis", "monkey", "rabbit")
ENDGAMES = [f"..B../b..../...../...../r.R.. boar,ox elephant,horse {card} r" for card in CARDS]
PRINTED = {  # commands whose result is what they print, and the positions
    "hex": ("solve hex(size=6) --all", OPENINGS),
    "onitama": ("solve onitama --tables 4", ENDGAMES),
}


def kept_in(path):
    """The number of pieces that a command has kept so far."""
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        found = connection.execute("SELECT count(*) FROM pieces").fetchone()[0]
        connection.close()
    except sqlite3.Error:
        return 0
    return found


def start(folder, command, *more):
    folder.mkdir(exist_ok=True)
    (folder / "noisy.py").write_text(NOISY)
    whole = [sys.executable, "-m", "zermelo", *command.split(), *more]
    return subprocess.Popen(whole, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_worker_and_the_command_are_killed_and_the_result_is_the_same(name, tmp_path):
    written, kept, command = COMMANDS[name]
    here = start(tmp_path / "here", command, "--threads", "1")
    out, errors = here.communicate()
    assert here.returncode == 0, errors
    (tmp_path / "dask").mkdir()
    folder = tmp_path / "there"
    with dask_workers(tmp_path / "dask", 2) as (address, workers):
        there = start(folder, command, "--scheduler", address)
        waiting.until(lambda: there.poll() is not None or kept_in(folder / kept) >= 10)
        assert there.poll() is None, "it was killed in the middle"
        workers[0].kill()
        workers[0].wait()
        before = kept_in(folder / kept)
        waiting.until(lambda: there.poll() is not None or kept_in(folder / kept) > before)
        assert there.poll() is None
        there.kill()
        there.communicate()
        resume = (
            ["--resume"] if name in ("selfplay", "tune") and (folder / kept.removesuffix(".parts")).exists() else []
        )
        again = start(folder, command, "--scheduler", address, *resume)
        out_there, errors = again.communicate()
        assert again.returncode == 0, errors
    if name == "tune":
        assert json.loads(out_there) == json.loads(out)
    assert (folder / written).read_bytes() == (tmp_path / "here" / written).read_bytes()
    assert not (folder / kept).exists()


def forget_tables():
    """Remove the endgame tables of these cards, so that they have to be made."""
    for text in ENDGAMES:
        cards = endgames.cards_of(z.game("onitama").position(text).state)
        endgames.table_file(cards, 4).unlink(missing_ok=True)


def tables_made():
    return sum(
        endgames.table_file(endgames.cards_of(z.game("onitama").position(t).state), 4).exists() for t in ENDGAMES
    )


@pytest.mark.parametrize("name", PRINTED)
def test_positions_are_solved_although_a_worker_and_the_command_are_killed(name, tmp_path):
    command, positions = PRINTED[name]
    forget_tables()
    out, errors = start(tmp_path / "here", command, *positions, "--threads", "1").communicate()
    assert out.count("\n") == len(positions), errors
    forget_tables()
    (tmp_path / "dask").mkdir()
    folder = tmp_path / "there"
    with dask_workers(tmp_path / "dask", 2) as (address, workers):
        whole = [command, *positions, "--state", "state", "--scheduler", address]
        there = start(folder, *whole)
        waiting.until(lambda: there.poll() is not None or kept_in(folder / "state") >= 2)
        assert there.poll() is None, "it was killed in the middle"
        workers[0].kill()
        workers[0].wait()
        before = kept_in(folder / "state")
        waiting.until(lambda: there.poll() is not None or kept_in(folder / "state") > before)
        assert there.poll() is None
        there.kill()
        there.communicate()
        out_there, errors = start(folder, *whole).communicate()
    assert out_there == out, errors
    assert not (folder / "state").exists()
    assert tables_made() == (len(positions) if name == "onitama" else 0)
    forget_tables()
