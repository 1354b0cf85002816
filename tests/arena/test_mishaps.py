"""A full disk, and a clock that jumps: nothing half-written remains, nothing changes its order, and all goes on."""

import json
import resource
import subprocess
import sys

import pytest
from mishaps import PLAYER, Arena, waited

from zermelo.arena import noted
from zermelo.arena.keys import hash_of
from zermelo.arena.records import Records
from zermelo.processes.sandbox import missing
from zermelo.tournaments.store import open_store

FULL = """
import json, resource, sys
from pathlib import Path
from zermelo.arena.keys import hash_of
from zermelo.arena.records import Records
from zermelo.errors import ResourceError
from zermelo.tournaments.store import open_store

records = Records(open_store(sys.argv[1]))
student = records.add_student("Ada")[0]
_soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

def hand_in(number):
    text = f"x = {number}" + "#" * 5000
    try:
        return records.add_submission(student.id, "mine.py", {"mine.py": text}, hash_of(text)).id
    except ResourceError as error:
        return str(error)

largest = max(path.stat().st_size for path in Path(sys.argv[1]).parent.iterdir())
resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 40_000, hard))  # the disk is almost full
said = [hand_in(number) for number in range(12)]
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))  # there is room again
said += [hand_in(number) for number in range(12, 15)]
print(json.dumps(said))
"""


def test_on_a_full_disk_handing_in_is_refused_in_words_and_nothing_half_written_remains(tmp_path):
    where = tmp_path / "arena.db"
    done = subprocess.run([sys.executable, "-c", FULL, str(where)], capture_output=True, text=True, timeout=120)
    said = json.loads(done.stdout)
    accepted, refused = [one for one in said if isinstance(one, int)], [one for one in said if isinstance(one, str)]
    assert refused and accepted[-3:] == said[-3:], "it goes on when there is room again"
    assert all(str(where) in one for one in refused)
    records = Records(open_store(where))
    assert [one.id for one in records.submissions()] == accepted
    assert all(len(records.texts(number)) == 1 for number in accepted)
    assert records.store.execute("PRAGMA integrity_check") == [("ok",)]
    records.store.close()


def test_a_clock_that_jumps_changes_no_order(tmp_path, monkeypatch):
    records = Records(open_store(tmp_path / "arena.db"))
    clock = [1_000_000.0]
    monkeypatch.setattr(noted, "now", lambda: clock[0])
    monkeypatch.setattr("zermelo.arena.records.now", lambda: clock[0])
    students = [records.add_student(f"Student {i}")[0] for i in range(3)]
    for jump, student in zip((0, -86_400, 5_000_000), students, strict=True):
        clock[0] += jump
        text = f"x = {jump}"
        records.add_submission(student.id, "mine.py", {"mine.py": text}, hash_of(text))
    for expected in (1, 2, 3):
        assert records.next_waiting().id == expected
        clock[0] -= 10_000_000  # while it is checked
        assert records.decide(expected, "refused", {})
        assert records.queue().seconds >= 0
    assert [event.number for event in records.events()] == sorted(
        (event.number for event in records.events()), reverse=True
    )
    records.store.close()


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")
def test_a_worker_waits_until_there_is_room_on_the_disk(tmp_path):
    """No game is lost, and the worker is not even started again."""
    arena = Arena(tmp_path / "arena")
    ada = arena.add_student("Ada")
    try:
        arena.start()
        waited(lambda: arena.listen() or arena.address, "the server is there")
        arena.hand_in(ada, PLAYER.format(number=1))
        waited(lambda: arena.listen() or arena.records.submissions(states=["valid"]), "it is valid")
        worker = arena.worker
        limits = resource.prlimit(worker, resource.RLIMIT_FSIZE)
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (1, limits[1]))
        ben = arena.add_student("Ben")
        arena.hand_in(ben, PLAYER.format(number=2))
        waited(lambda: arena.listen() or len(arena.accepted) == 2, "the server has room")
        before = len(arena.store.scores("ladder"))
        resource.prlimit(worker, resource.RLIMIT_FSIZE, limits)
        waited(lambda: len(arena.records.submissions(states=["valid"])) == 2, "both are valid")
        waited(lambda: len(arena.store.scores("ladder")) > before, "games go on")
        arena.listen()
        assert arena.worker == worker
        arena.stop()
    finally:
        arena.close()
