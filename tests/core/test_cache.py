"""The cache of compiled code, in separate processes, as users use it."""

import os
import subprocess
import sys
import time

import pytest

from zermelo.core import JIT
from zermelo.core.cache import UNUSED_DAYS, prune, read, write

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from zermelo.core import announcing, compiled
from zermelo.games import find_game
import mine
compiled_anew = []
with announcing(lambda: compiled_anew.append(1)):
    print(mine.value(find_game("connect4").position("44")), bool(compiled_anew))
"""

MINE = """
from zermelo import count, heuristic, njit
from zermelo.games.connect4 import Connect4
from helper import scale
import numpy as np
TABLE = np.loadtxt({table!r})
@heuristic
def h(state: Connect4):
    return scale(count(state.mine)) + TABLE[1]
def value(position):
    return h(position)
"""


@pytest.fixture
def program(tmp_path):
    """A user's heuristic over two files and a data file; run() gives its value and whether anything was compiled."""
    table = tmp_path / "table.txt"
    table.write_text("0 5")
    (tmp_path / "mine.py").write_text(MINE.format(table=str(table)))
    (tmp_path / "helper.py").write_text("from zermelo import njit\n@njit\ndef scale(x): return 10 * x\n")
    cache = tmp_path / "cache"

    def run(folder=cache):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path))],
            env=os.environ | {"ZERMELO_CACHE_DIR": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
        value, anew = done.stdout.split()
        return int(value), anew == "True"

    return run


def test_code_is_kept_and_never_stale(program, tmp_path):
    assert program() == (15, True)
    assert program() == (15, False), "the second time it is found"
    (tmp_path / "helper.py").write_text("from zermelo import njit\n@njit\ndef scale(x): return 20 * x\n")
    assert program() == (25, True), "an edit in another file is noticed"
    (tmp_path / "table.txt").write_text("0 7")
    assert program() == (27, True), "and so is other data in an array compiled in"
    assert program() == (27, False)


def test_a_class_that_cannot_be_imported_is_compiled_in_memory(tmp_path):
    code = """
import zermelo as z
exec(open({file!r}).read(), namespace := {{"__name__": "nowhere"}})
print(namespace["h"](namespace["Lone"](3)))
"""
    file = tmp_path / "lone.txt"
    file.write_text(
        "from typing import NamedTuple\nimport numpy as np\nimport zermelo as z\n"
        "@z.state\nclass Lone(NamedTuple):\n    heap: np.uint8\n"
        "@z.heuristic\ndef h(state: Lone):\n    return state.heap\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code.format(file=str(file))],
            env=os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "3\n"


def test_damaged_files_are_replaced(program, tmp_path):
    program()
    files = list((tmp_path / "cache").glob("*.nbc"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert program() == (15, True)
    assert program() == (15, False)


def test_a_folder_that_cannot_be_written_costs_only_time(program, tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    assert program(blocked) == (15, True)
    assert program(blocked / "below") == (15, True)


def test_writing_is_atomic_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "cache" / "x.nbc"
    write(path, "digest", (1, 2))
    assert read(path, "digest") == (1, 2)
    assert read(path, "another") is None
    assert [file.name for file in path.parent.iterdir()] == ["x.nbc"]


def test_what_nobody_uses_is_pruned(tmp_path):
    ages = {"old.nbc": UNUSED_DAYS + 1, "young.nbc": 1, "killed.part": 2, "writing.part": 0, "foreign.txt": 999}
    for name, days in ages.items():
        (tmp_path / name).write_text("")
        then = time.time() - days * 86400
        os.utime(tmp_path / name, (then, then))
    prune(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["foreign.txt", "writing.part", "young.nbc"]


def test_what_is_used_is_not_pruned(tmp_path):
    path = tmp_path / "x.nbc"
    write(path, "digest", 1)
    then = time.time() - (UNUSED_DAYS + 1) * 86400
    os.utime(path, (then, then))
    read(path, "digest")
    prune(tmp_path / ".")
    assert path.exists()


def test_code_that_waits_for_other_code_is_not_kept(tmp_path):
    """Called with literals, a recursive function becomes two functions that call each other; neither works alone."""
    (tmp_path / "recursive.py").write_text(
        "from zermelo import njit\n"
        "@njit\ndef swap(n, a, b):\n    if n <= 0:\n        return a + 2 * b\n    return -swap(n - 1, -b, -a)\n"
        "@njit\ndef caller(n):\n    return swap(n, -5, 7)\n"
    )
    for _ in range(2):  # the second time from the cache: it ended in a crash
        done = subprocess.run(
            [sys.executable, "-c", "import recursive; print(recursive.caller(3))"],
            cwd=tmp_path,
            env=os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stdout) == (0, "-3\n"), done.stderr


NETS = """
import sys
from pathlib import Path
import numpy as np
from zermelo.games import find_game, find_heuristic
from zermelo.evaluation.models import Model, load_inputs, write_model
from zermelo.evaluation.nets import net_layout, net_size
from zermelo.evaluation.tables import table_shape

game = find_game("connect4")
start = game.start_state()
load_inputs("zermelo.games.connect4")
for width in map(int, sys.argv[1:]):
    sizes = int(net_size(start)), width, 4
    arrays = {name: np.full(shape, 0.1, np.float32) for name, shape in net_layout(*sizes)}
    model = Model("net", "connect4", arrays, {"sizes": sizes, "gap": 0.0}, board=int(table_shape(start)))
    write_model(Path(f"net{width}.npz"), model)
    print(find_heuristic(f"net{width}.npz", game)(game.position("44")))
"""


def test_functions_of_one_name_that_other_processes_compiled_are_told_apart(tmp_path):
    """A net's function has one name for all widths, and Numba numbered it alike in every process: see cache.py."""

    def run(*widths):
        environment = os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-c", NETS, *widths]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split()

    run("16")  # compiles all else that is needed
    one, other = run("64"), run("96")
    assert one != other
    assert run("64", "96") == one + other
