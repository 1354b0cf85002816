"""What is deleted when a student leaves, and when the time is over. What is deleted is not in the files either."""

import json
from datetime import UTC, datetime

from zermelo.arena import noted
from zermelo.arena.people import blanked
from zermelo.arena.privacy import end_of_keeping, forget_chore
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings, Course
from zermelo.arena.submitting import extend
from zermelo.match import Record
from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import open_store

SECRET = "Ada wrote this text"


def filled(path):
    """An arena in which Ada has left traces everywhere."""
    store = open_store(path)
    records = Records(store)
    ada, _key = records.add_student("Ada Lovelace", "Cassiopeia")
    bob, _other = records.add_student("Bob", "Vega")
    records.add_submission(ada.id, "ada_file.py", {"ada_file.py": SECRET}, "0")
    records.add_submission(bob.id, "bob.py", {"bob.py": "x"}, "1")
    records.add_contestant("v1", "v1/ada_file.py:f", {"v1/ada_file.py": {"ada_file.py": SECRET}}, "student", 1)
    records.add_contestant("v2", "random", {}, "student", 2)
    records.decide(1, "valid", {"note": SECRET}, "v1")
    records.publish("feedback/v1", {"text": SECRET})
    rows = [{"name": "Cassiopeia", "student": ada.id, "contestant": "v1"}, {"name": "Vega", "student": bob.id}]
    records.publish("standings", {"rows": rows})
    records.publish("round/1", {"rows": rows, "by": {ada.id: 3}})
    extend(records, ada.id, 5.0, "teacher")
    contestants = (Contestant("v1", "v1/ada_file.py:f"), Contestant("v2", "random"))
    sources = {"v1/ada_file.py": {"ada_file.py": SECRET}}
    store.create(Plan("round-1", "tictactoe", contestants, sources=sources), [])
    told = {"reason": f"crash: {SECRET}", "error": f"File ada_file.py: {SECRET}"}
    lost = Record("tictactoe", ("v2", "v1"), "", winner=1, **told)
    store.add_pairs("round-1", [Pair("v1-v2", 1, "v1", "v2", 0, "", 0, 0)])
    store.add_games("round-1", [("v1-v2", True, Played.of(lost))])
    return store, records, ada, bob


def test_nothing_of_a_student_is_left_in_the_files(tmp_path):
    store, records, ada, bob = filled(tmp_path / "arena.db")
    records.remove_student(ada.id)
    assert records.students() == [bob]
    assert records.published("feedback/v1") == (0, {})
    assert records.published("standings")[1]["rows"][0] == {"name": "", "student": "", "contestant": "v1"}
    assert records.published("round/1")[1]["by"] == {}
    assert store.plan("round-1")[0].names == ["v1", "v2"]  # the games stay
    [game] = store.games("round-1")
    assert (game.reason, game.record.reason, game.record.error, game.record.winner) == ("crash", "crash", None, 1)
    assert records.flag("extensions") == {}
    assert (records.events()[0].who, records.events()[0].what) == ("teacher", "student removed")
    store.close()
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Bob" in data and b"Vega" in data
    for personal in (SECRET, "Lovelace", "Cassiopeia", "ada_file"):
        assert personal.encode() not in data, personal


def test_the_time_is_over(tmp_path, monkeypatch):
    store, records, _ada, bob = filled(None)
    course = Course(deadline=datetime(2027, 1, 15, tzinfo=UTC), keep_days=10)
    settings = ArenaSettings(tmp_path, "x", "tictactoe", course=course)
    clock = [datetime(2027, 1, 24, 23, tzinfo=UTC).timestamp()]
    monkeypatch.setattr(noted.time, "time", lambda: clock[0])
    assert end_of_keeping(records, settings) == datetime(2027, 1, 25, tzinfo=UTC).timestamp()
    assert not forget_chore(records, store, settings) and len(records.students()) == 2
    extend(records, bob.id, datetime(2027, 1, 16, tzinfo=UTC).timestamp(), "teacher")
    assert end_of_keeping(records, settings) == datetime(2027, 1, 26, tzinfo=UTC).timestamp()
    clock[0] += 1000 * 86_400  # the clock jumps, and comes back
    assert forget_chore(records, store, settings) and not forget_chore(records, store, settings)
    clock[0] -= 1000 * 86_400
    assert not forget_chore(records, store, settings) and len(records.students()) == 2
    clock[0] = datetime(2027, 1, 26, tzinfo=UTC).timestamp()
    assert forget_chore(records, store, settings) and len(records.students()) == 2
    clock[0] += 86_400
    assert forget_chore(records, store, settings) and records.students() == []
    assert not forget_chore(records, store, settings)
    assert "Bob" not in json.dumps([records.published(name)[1] for name, _number in records.published_since(0)])
    without_end = ArenaSettings(tmp_path, "x", "tictactoe", course=Course(keep_days=10))
    assert end_of_keeping(records, without_end) is None


def test_blanked():
    assert blanked({"a": ["x", {"y": "x", "x": 1}], "b": "xx"}, {"x"}) == {"a": ["", {"y": ""}], "b": "xx"}
