"""A worker that runs for weeks must not grow: many thousand short games, and a new version every few seconds.

`pytest -m slow -s tests/arena/test_arena_memory.py` prints the memory over time. The medians of 24 versions are
compared, because a chore may use some megabytes more for a moment. Measured: 185.5 MiB at versions 24 to 48, 190.2 at
168 to 192, and 194.3 at the end, after 21,800 games. Before the worker
returned memory that it had freed, it was 201 after 48 versions, 210 after 96 and 224 at the end.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mishaps import PLAYER, SETTINGS

from zermelo.arena.keys import hash_of
from zermelo.arena.records import Records
from zermelo.arena.settings import read_settings
from zermelo.arena.validation import Verdict
from zermelo.tournaments.store import open_store

WORKER = """
import sys, threading
from zermelo.arena.worker import Employment, Worker
worker = Worker(Employment(sys.argv[1], threads=2, trust_everyone=True), lambda text: print(text, file=sys.stderr))
threading.Thread(target=lambda: (sys.stdin.read(), worker.stop()), daemon=True).start()
worker.work()
"""

VERSIONS = 288
"""One every five minutes for a whole day."""

WARM, WINDOW = 48, 24


def memory_of(pid):
    """MiB of memory of a process, without what it shares with others."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def add_version(records, student, number):
    """What the examiner writes down after a successful validation."""
    text = PLAYER.format(number=number % 7) + f"# version {number}\n" + "# a long comment\n" * 500
    one = records.add_submission(student.id, "mine.py", {"mine.py": text}, hash_of(text))
    name = f"v{one.id}"
    verdict = Verdict("valid", 1.0, (), "player", f"player(code={name}/mine.py:Mine)")
    with records.changing():
        records.add_contestant(name, verdict.player, {f"{name}/mine.py": {"mine.py": text}}, "student", one.id)
        records.decide(one.id, "valid", verdict.as_report(), name)


@pytest.mark.slow
def test_a_day_of_games_and_submissions(tmp_path):
    (tmp_path / "arena.toml").write_text(SETTINGS.format(store=""))
    store = open_store(read_settings(tmp_path).database)
    records = Records(store)
    students = [records.add_student(f"Student {i}")[0] for i in range(4)]
    command = [sys.executable, "-c", WORKER, str(tmp_path)]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    seen = []
    try:
        for number in range(VERSIONS):
            records.set_flag("paused", True, "test")  # (the validator would take it)
            add_version(records, students[number % 4], number)
            records.set_flag("paused", False, "test")
            before = store.counts("ladder")[0] if "ladder" in store.names() else 0
            end = time.monotonic() + 120
            while ("ladder" not in store.names() or store.counts("ladder")[0] < before + 60) and worker.poll() is None:
                assert time.monotonic() < end
                time.sleep(0.2)
            seen.append((number, store.counts("ladder")[0], round(memory_of(worker.pid), 1)))
            print(json.dumps(seen[-1]), flush=True)
    finally:
        worker.stdin.close()
        worker.wait()
    store.close()
    memory = [one[2] for one in seen]
    assert statistics.median(memory[-WINDOW:]) < 1.06 * statistics.median(memory[WARM - WINDOW : WARM]), seen
