"""The records of an arena, in SQLite and in PostgreSQL, from several threads and processes."""

import signal
import subprocess
import sys
import threading

import pytest

from servers import PROGRAMS, postgres_server
from zermelo.arena import noted, tables
from zermelo.arena.keys import hash_of
from zermelo.arena.records import QuotaError, Records
from zermelo.errors import FileError, ResourceError, ZermeloError
from zermelo.tournaments.store import open_store


@pytest.fixture(scope="module")
def server():
    pytest.importorskip("psycopg")
    if PROGRAMS is None:
        pytest.skip("there is no PostgreSQL server on this machine (no initdb)")
    with postgres_server() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "arena.db")
    return request.getfixturevalue("server").new_database()


@pytest.fixture
def records(where):
    store = open_store(where)
    yield Records(store)
    store.close()


def hand_in(records, student, text="x = 1", **more):
    return records.add_submission(student.id, "mine.py", {"mine.py": text}, hash_of(text), **more)


def test_students_and_keys(records):
    ada, key = records.add_student("  Ada\u202e \n Lovelace\x00 ")
    assert ada.name == "Ada Lovelace"
    assert ada.pseudonym and ada.shown("pseudonyms") == ada.pseudonym and ada.shown("names") == "Ada Lovelace"
    bob, other = records.add_student("Bob", "Vega")
    with pytest.raises(ZermeloError, match="the pseudonym vega is already taken"):
        records.add_student("Carol", "vega")
    for bad in ("", " \u200b", "x" * 81):
        with pytest.raises(ZermeloError, match="a name"):
            records.add_student(bad)
    assert records.students() == [ada, bob]
    assert records.student_by_key(key) == ada and records.student_by_key(other) == bob
    assert records.student_by_key("") is None and records.student_by_key("é" * 43) is None
    newer = records.new_key(ada.id)
    assert records.student_by_key(key) is None and records.student_by_key(newer) == ada
    teacher = records.make_key("teacher")
    assert records.is_key("teacher", teacher) and not records.is_key("join", teacher)
    assert not records.is_key("student", newer) and records.student_by_key(teacher) is None
    assert records.is_key("teacher", records.make_key("teacher")) and not records.is_key("teacher", teacher)
    hashes = {row[0] for row in records.store.execute("SELECT hash FROM arena_keys")}
    assert len(hashes) == 3 and hash_of(newer) in hashes and not hashes & {newer, other, teacher}


def test_many_students_have_different_pseudonyms(tmp_path):
    records = Records(open_store(None))
    assert len({records.add_student(f"Student {i}")[0].pseudonym for i in range(160)}) == 160


def test_the_way_of_a_submission(records):
    ada, _key = records.add_student("Ada")
    first = hand_in(records, ada)
    assert (first.id, first.version, first.state, first.size) == (1, 1, "waiting", 5)
    assert hand_in(records, ada).is_repeat  # a request that was sent twice
    assert hand_in(records, ada).id == 1
    second = hand_in(records, ada, "x = 2")
    assert (second.id, second.version, second.is_repeat) == (2, 2, False)
    assert records.queue().place(2) == 2 and records.queue().wait(2) == 30
    assert records.next_waiting().id == 1
    assert records.next_waiting().id == 2
    assert records.next_waiting() is None
    assert {one.state for one in records.submissions()} == {"checking"}
    assert records.texts(1) == {"mine.py": "x = 1"}
    records.give_back(2)
    assert records.submission(2).state == "waiting"
    assert records.next_waiting().id == 2
    assert records.decide(1, "valid", {"findings": ["é\x00"]}, "v1")
    assert records.decide(2, "refused", {"reason": "no"})
    assert not records.decide(1, "refused")  # a verdict is given once
    assert records.submission(1).report == {"findings": ["é\x00"]}
    assert records.current()[ada.id].id == 1
    third = hand_in(records, ada)  # the old code once more
    assert third.id == 3 and records.contestant_name(third) == "v1"
    assert records.decide(3, "withdrawn") and not records.decide(3, "valid")
    assert records.decide(3, "waiting") and records.next_waiting().id == 3
    assert records.decide(3, "valid", contestant="v1")
    assert records.current()[ada.id].id == 3
    assert records.queue().place(3) is None and records.queue().waiting == []
    assert [one.id for one in records.submissions(ada.id, ["refused"])] == [2]
    assert records.submissions(states=[]) == []
    with pytest.raises(ZermeloError, match="no submission 9"):
        records.submission(9)
    with pytest.raises(ZermeloError, match="no student 'x'"):
        records.add_submission("x", "a.py", {"a.py": ""}, "0")


def test_the_quota(records, monkeypatch):
    ada, _key = records.add_student("Ada")
    clock = [1000.0]
    monkeypatch.setattr(noted.time, "time", lambda: clock[0])
    day = (900.0, 2000.0)
    for text in ("1", "2", "1", "2"):
        hand_in(records, ada, text, quota=2, day=day)
    with pytest.raises(QuotaError, match="2 different versions today"):
        hand_in(records, ada, "3", quota=2, day=day)
    assert len(records.submissions()) == 4
    assert hand_in(records, ada, "3", quota=2, day=(2000, 3000)).id == 5  # refused ones leave no trace


def test_flags_events_snapshots_and_ratings(records):
    assert records.flag("paused", False) is False
    records.set_flag("paused", True, "teacher")
    records.change_flag("extensions", {}, lambda known: known | {"a": 5.5}, "teacher")
    records.change_flag("extensions", {}, lambda known: known | {"b": 6}, "teacher")
    assert records.flag("paused") is True and records.flag("extensions") == {"a": 5.5, "b": 6}
    newest = records.events()[0]
    assert (newest.who, newest.what, newest.about["flag"]) == ("teacher", "set", "extensions")
    assert [one.number for one in records.events(1, before=newest.number)] == [newest.number - 1]
    assert records.revision() == 0 and records.published("standings") == (0, {})
    assert records.publish("standings", {"rows": []}) == 1
    assert records.publish("standings", {"rows": []}) == 1
    assert records.publish("queue", {"n": 1}) == 2
    assert records.publish("standings", {"rows": [1]}) == 3 == records.revision()
    assert records.published("standings") == (3, {"rows": [1]})
    assert records.published_since(1) == [("queue", 2), ("standings", 3)]
    records.remember_rating("v1", 1.0, 10, 20.0, float("inf"))
    records.remember_rating("v1", 2.0, 12, 30.0, 8.0)
    records.remember_rating("v1", 3.0, 12, 31.0, 8.0)
    assert [(one.games, one.elo, one.error) for one in records.ratings("v1")] == [(10, 20.0, None), (12, 31.0, 8.0)]


def test_removing_a_student_leaves_nothing_personal(records, where):
    ada, key = records.add_student("Ada Lovelace", "Vega")
    bob, _key = records.add_student("Bob")
    hand_in(records, ada, "secret = 'Ada wrote this'")
    hand_in(records, bob, "y = 1")
    records.add_contestant("v1", "alphabeta(heuristic=mine.py)", {"x": {"mine.py": "Ada wrote this"}}, "student", 1)
    records.add_contestant("rung-1", "random", {}, "rung", title="random")
    records.decide(1, "valid", {"note": "Ada wrote this"}, "v1")
    records.publish("feedback/v1", {"name": "Ada Lovelace"})
    records.remove_student(ada.id)
    everything = ""
    for table in [line.split()[2] for line in tables.TABLES if line.startswith("CREATE TABLE")]:
        everything += str(records.store.execute(f"SELECT * FROM {table}"))
    for personal in ("Ada", "Vega", "mine.py(", hash_of("secret = 'Ada wrote this'"), key):
        assert personal not in everything
    assert records.students() == [bob] and records.student_by_key(key) is None
    assert records.current() == {} and records.texts(1) == {} and records.texts(2) == {"mine.py": "y = 1"}
    retired, rung = records.contestants()
    assert retired.retired is not None and records.sources(retired.name) == {} and rung.retired is None
    assert records.next_waiting().id == 2
    assert hand_in(records, bob, "z = 1").id == 3  # numbers are not given again
    assert [one.name for one in records.contestants("rung")] == ["rung-1"]
    with pytest.raises(ZermeloError, match="no student"):
        records.remove_student(ada.id)


def test_a_student_who_is_removed_while_the_code_is_checked(records):
    ada, _key = records.add_student("Ada")
    hand_in(records, ada, "x")
    assert records.next_waiting().id == 1
    records.remove_student(ada.id)
    records.add_contestant("v1", "v1/mine.py:f", {"v1/mine.py": {"mine.py": "x"}}, "student", 1)
    assert not records.decide(1, "valid", {"note": "x"}, "v1")
    assert records.contestants() == [] and records.submission(1).report == {}
    assert records.next_waiting() is None


def test_contestants_come_back_but_never_change(records):
    records.add_contestant("rung-1", "random", {}, "rung")
    records.retire("rung-1")
    assert records.contestants()[0].retired is not None
    records.add_contestant("rung-1", "other", {}, "rung")
    assert (records.contestants()[0].retired, records.contestants()[0].player) == (None, "random")


CLAIMER = """
import sys
from zermelo.arena.records import Records
from zermelo.tournaments.store import open_store
records = Records(open_store(sys.argv[1]))
print(records.next_waiting().id, flush=True)
students = records.students()
for i in range(20):
    records.add_submission(students[i % 2].id, "a.py", {"a.py": f"{sys.argv[2]} {i}"}, f"{sys.argv[2]} {i}")
print("done", flush=True)
sys.stdin.read()
"""


def test_several_threads_and_processes_and_one_is_killed(records, where):
    """Nothing is lost, no number is given twice, and what a killed process had claimed is given to another."""
    students = [records.add_student(name)[0] for name in ("Ada", "Bob")]
    hand_in(records, students[0], "claimed")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    other = subprocess.Popen([sys.executable, "-c", CLAIMER, where, "other"], **pipes)
    assert other.stdout.readline() == "1\n"
    second = open_store(where)
    failures = []

    def work(mine, name):
        try:
            for i in range(20):
                hand_in(mine, students[i % 2], f"{name} {i}")
                mine.publish("standings", {"by": name, "i": i})
                mine.change_flag("count", 0, lambda before: before + 1, "arena")
        except BaseException as error:
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(mine, name))
        for mine, name in ((records, "a"), (records, "b"), (Records(second), "c"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and other.stdout.readline() == "done\n"
    assert records.flag("count") == 60 == records.revision()
    found = records.submissions()
    assert [one.id for one in found] == list(range(1, 82))
    for student in students:
        versions = [one.version for one in found if one.student == student.id]
        assert versions == list(range(1, len(versions) + 1))
    assert Records(second).next_waiting().id == 2  # 1 belongs to the other process
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert other.returncode == -signal.SIGKILL
    for _attempt in range(1000):
        claimed = records.next_waiting()
        if claimed.id == 1:
            break
        records.give_back(claimed.id)
        threading.Event().wait(0.05)  # PostgreSQL notices the end of a connection a little later
    assert claimed.id == 1
    second.close()


SUBMITTER = """
import sys
from zermelo.arena.records import Records
from zermelo.tournaments.store import open_store
records = Records(open_store(sys.argv[1]))
[student] = records.students()
for i in range(10_000):
    print(records.add_submission(student.id, "a.py", {"a.py": str(i) * 1000}, str(i)).id, flush=True)
"""


def test_what_was_accepted_survives_a_kill_at_any_moment(records, where):
    """Every number that the killed process has told is there, whole; at most one more is, whose number it lost."""
    ada, _key = records.add_student("Ada")
    process = subprocess.Popen([sys.executable, "-c", SUBMITTER, where], stdout=subprocess.PIPE, text=True)
    told = [int(process.stdout.readline()) for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    told += [int(line) for line in process.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
    assert process.returncode == -signal.SIGKILL
    number = len(told)
    assert told == list(range(1, number + 1))
    found = [one.id for one in records.submissions(ada.id)]
    assert found in (told, [*told, number + 1])
    for one in found:
        assert records.texts(one) == {"a.py": str(one - 1) * 1000}
    assert hand_in(records, ada, "next").version == len(found) + 1


def test_a_newer_arena(records, where):
    records.store.execute("UPDATE zermelo SET value = '99' WHERE name = 'arena'")
    with pytest.raises(FileError, match="made by a newer version of zermelo: its schema is 99"):
        Records(records.store)


def test_a_failed_change_leaves_nothing(records):
    def fail():
        with records.changing(durable=True):
            records.set_flag("paused", True, "teacher")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert records.flag("paused") is None and records.events() == []
    records.set_flag("paused", True, "teacher")
    assert len(records.events()) == 1


def test_a_database_that_is_restarted(server):
    """What was accepted is there, and the same records work again after the first error."""
    records = Records(open_store(server.new_database()))
    ada, _key = records.add_student("Ada")
    hand_in(records, ada)
    assert records.next_waiting().id == 1
    server.kill()
    with pytest.raises(ResourceError):
        hand_in(records, ada, "2")
    server.start()
    assert hand_in(records, ada, "2").id == 2
    assert records.next_waiting().id == 1  # the claim ended with the connection
    records.store.close()
