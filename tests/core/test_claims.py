"""Two processes never compile the same function at once."""

import contextlib
import os
import subprocess
import sys

import pytest

import waiting
from zermelo.core.claims import Claims, fcntl

pytestmark = pytest.mark.skipif(fcntl is None, reason="this system cannot lock parts of files")

HOLDS = """
import sys; from pathlib import Path; from zermelo.core.claims import claims
claims.take(Path(sys.argv[1]), "f"); print("has it", flush=True); sys.stdin.readline()
claims.{end}; print("gave it back", flush=True); sys.stdin.readline()
"""

COMPILES = """
import numpy as np
import zermelo as z
from zermelo.core.cache import counting_compiled

numbers = []
with counting_compiled(numbers.append):
    z.alphabeta("tictactoe/lines", depth=2).choose(z.game("tictactoe").start())
print(max(numbers, default=0))
"""


@pytest.fixture
def claims():
    made = Claims()
    yield made
    made.close()


def other_process(code, *arguments, **options):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], **pipes, **options)


@contextlib.contextmanager
def holder(folder, end="release()"):
    """A process that has claimed the name f. It ends this claim when it gets a line, and is killed at the end."""
    with other_process(HOLDS.format(end=end), folder) as other:
        assert other.stdout.readline() == "has it\n"
        yield other
        other.kill()


def test_a_claim_is_had_at_once_if_nobody_has_it(tmp_path, claims):
    assert not claims.take(tmp_path, "f")
    assert not claims.take(tmp_path, "f")  # ours already


@pytest.mark.parametrize("end", ["give_back(Path(sys.argv[1]), 'f')", "release()"])
def test_a_claim_of_another_process_is_waited_for(tmp_path, end, claims):
    with holder(tmp_path, end) as other:
        assert not claims.take(tmp_path, "g")
        other.stdin.write("\n")
        other.stdin.flush()  # it gives its claim back soon, but may not have done so yet
        claims.take(tmp_path, "f")
        assert other.stdout.readline() == "gave it back\n"


def test_the_claims_of_a_killed_process_end(tmp_path, claims):
    with holder(tmp_path):
        pass
    assert not claims.take(tmp_path, "f")


def test_nobody_waits_for_ever_for_a_suspended_process(tmp_path, claims, monkeypatch):
    monkeypatch.setattr("zermelo.core.claims.PATIENCE", 0.05)
    with holder(tmp_path):
        assert claims.take(tmp_path, "f")
        assert not claims.take(tmp_path, "f")  # and no second time


def test_a_folder_that_cannot_be_written_needs_no_claims(tmp_path, claims):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert not claims.take(blocked, "f")


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_two_processes_share_the_work(tmp_path):
    environment = os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path)}
    both = [other_process(COMPILES, env=environment) for _ in range(2)]
    counts = [int(one.communicate()[0]) for one in both]
    assert all(one.returncode == 0 for one in both)
    files = len(list(tmp_path.glob("*.nbc")))
    alone = other_process(COMPILES, env=environment)
    assert int(alone.communicate()[0]) == sum(counts) - files  # only what cannot be kept is compiled by each of them


def test_the_cache_is_claimed_only_while_it_is_filled(tmp_path, monkeypatch):
    """Whatever was compiled, or could not be, no claim is left."""
    numba = pytest.importorskip("numba")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    from zermelo.core import njit
    from zermelo.core.claims import claims

    @njit
    def fails(number):
        return number.no_such_thing

    if hasattr(fails, "py_func"):
        with pytest.raises(numba.TypingError):
            fails(1)
    waiting.until(lambda: not claims._held)
