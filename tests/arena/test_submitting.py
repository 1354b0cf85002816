"""What students may hand in, how often and until when."""

import base64
import io
import stat
import zipfile
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from zermelo.arena import noted
from zermelo.arena.archives import MOST_FILES, TooLargeError, main_file, texts_in
from zermelo.arena.records import QuotaError, Records
from zermelo.arena.settings import ArenaSettings, Course
from zermelo.arena.submitting import (
    ClosedError,
    TooOftenError,
    as_json,
    day_around,
    deadline_of,
    digest_of,
    extend,
    left_today,
    take,
    texts_of_request,
)
from zermelo.errors import ZermeloError
from zermelo.tournaments.store import open_store

MADRID = ZoneInfo("Europe/Madrid")
MOST = 10_000


def packed(files, compression=zipfile.ZIP_DEFLATED, **attributes):
    """A ZIP file of (name, content) pairs."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.compress_type = compression
            for key, value in attributes.items():
                setattr(info, key, value)
            archive.writestr(info, content)
    return made.getvalue()


def test_one_file():
    assert texts_in("heurística final.py", "x = 'é'\r\ny\r".encode(), MOST) == {"heurística final.py": "x = 'é'\ny\n"}
    assert texts_in("a.py", b"\xef\xbb\xbfx", MOST) == {"a.py": "x"}
    assert texts_in("heuri\u0301stica.py", b"x", MOST) == {"heurística.py": "x"}


def test_a_zip_file():
    files = [("mine/main.py", "import part"), ("mine/part.py", "y"), ("mine/", ""), ("__MACOSX/mine/._main.py", b"\0")]
    assert texts_in("mine.zip", packed(files), MOST) == {"main.py": "import part", "part.py": "y"}
    with_package = [("main.py", "x"), ("pack/__init__.py", ""), ("pack/a.py", "z")]
    assert set(texts_in("mine.zip", packed(with_package), MOST)) == {"main.py", "pack/__init__.py", "pack/a.py"}
    only_package = [("pack/__init__.py", "x"), ("pack/a.py", "z")]
    assert set(texts_in("mine.zip", packed(only_package), MOST)) == {"pack/__init__.py", "pack/a.py"}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b"x", "only Python files"),
        ("a.py", b"", "nothing in this submission"),
        ("a.py", b" \n\n", "nothing in this submission"),
        ("a.py", b"x = 1\n\xff", "a.py, line 2: this is not text in UTF-8"),
        ("a.py", b"x\0y", "not a text file"),
        ("../a.py", b"x", "not the name of a file inside"),
        ("/etc/a.py", b"x", "not the name of a file inside"),
        ("c:\\a.py", b"x", "not the name of a file inside"),
        ("..\\a.py", b"x", "not the name of a file inside"),
        ("a\n.py", b"x", "rename the file"),
        ("a\u202ey.py", b"x", "rename the file"),
        ("-a.py", b"x", "begins with a dash"),
        (f"{'a' * 200}.py", b"x", "too long"),
        ("", b"x", "not the name of a file inside"),
        ("a.py", b"x" * (MOST + 1), "too large"),
        ("a.zip", b"PK\x03\x04nonsense", "this ZIP file is damaged"),
        ("a.zip", b"nonsense", "this ZIP file is damaged"),
        ("a.zip", packed([]), "nothing in this submission"),
        ("a.zip", packed([("x.py", "x"), ("notes.pdf", "x")]), "notes.pdf: only Python files"),
        ("a.zip", packed([("x.py", b"\0")]), "not a text file"),
        ("a.zip", packed([("../x.py", "x")]), "not the name of a file inside"),
        ("a.zip", packed([("/x.py", "x")]), "not the name of a file inside"),
        ("a.zip", packed([("x.py", "/etc/passwd")], external_attr=(stat.S_IFLNK | 0o777) << 16), "this is a link"),
        ("a.zip", packed([("x.py", "0" * 9_000_000)]), "too large"),
        ("a.zip", packed([("x.py", "0" * 5_000_000)], zipfile.ZIP_BZIP2), "kind of compression"),
        ("a.zip", packed([(f"{i}.py", "0" * 3000) for i in range(5)]), "too large"),
        ("a.zip", packed([(f"{i}.py", "0") for i in range(MOST_FILES + 1)]), "at most"),
        ("a.zip", packed([("x.py", "x"), ("X.py", "x")]), "two files of this name"),
        ("a.zip", packed([("a/b/c/d/e/x.py", "x")]), "too long"),
    ],
)
def test_what_cannot_be_handed_in(name, data, said):
    with pytest.raises(ZermeloError, match=said):
        texts_in(name, data, MOST)


def test_a_zip_file_with_a_password_or_with_a_false_size():
    good = packed([("x.py", "x" * 100)])
    locked = bytearray(good)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[good.index(mark) + place] |= 1
    with pytest.raises(ZermeloError, match="password"):
        texts_in("a.zip", bytes(locked), MOST)
    bomb = packed([("x.py", "x" * 5_000_000)])
    lying = bytearray(bomb)  # it says that only ten bytes come out
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        lying[bomb.index(mark) + place : bomb.index(mark) + place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(ZermeloError, match=r"damaged|too large"):
        texts_in("a.zip", bytes(lying), MOST)


def test_which_file_contains_the_player():
    assert main_file({"a.py": ""}, "other.zip") == "a.py"
    assert main_file({"a.py": "", "b.py": ""}, "b.py") == "b.py"
    assert main_file({"a.py": "", "main.py": ""}) == "main.py"
    assert main_file({"a.py": "", "parts/b.py": "", "parts/__init__.py": ""}) == "a.py"
    with pytest.raises(ZermeloError, match=r"not clear which file contains your player: a\.py, b\.py"):
        main_file({"a.py": "", "b.py": ""}, "x.zip")


def settings(tmp_path, **course):
    return ArenaSettings(tmp_path, "x", "x", course=Course(time_zone="Europe/Madrid", most_bytes=MOST, **course))


def test_requests(tmp_path):
    arena = settings(tmp_path)
    assert texts_of_request({"filename": "a.py", "text": "x"}, arena) == ("a.py", {"a.py": "x"})
    two = {"b.py": "y", "main.py": "x"}
    assert texts_of_request({"filename": "folder", "files": two}, arena) == ("main.py", two)
    assert texts_of_request({"filename": "f", "files": two, "main": "b.py"}, arena)[0] == "b.py"
    as_zip = base64.b64encode(packed([("a.py", "x")])).decode()
    assert texts_of_request({"filename": "a.zip", "base64": as_zip}, arena) == ("a.py", {"a.py": "x"})
    for bad in (None, [], {}, {"filename": 3, "text": "x"}, {"filename": "a.py", "text": 3}, {"filename": "a.py"}):
        with pytest.raises(ZermeloError, match="the request should be JSON"):
            texts_of_request(bad, arena)
    for bad in ({"files": {"a.py": 1}}, {"base64": "é"}, {"base64": "x"}, {"text": "x", "main": 3}):
        with pytest.raises(ZermeloError, match="the request should be JSON"):
            texts_of_request({"filename": "a.py"} | bad, arena)
    with pytest.raises(ZermeloError, match="not a text file"):
        texts_of_request({"filename": "a.py", "text": "\ud800"}, arena)
    with pytest.raises(TooLargeError):
        texts_of_request({"filename": "a.py", "files": {"a.py": "x" * 9000, "b.py": "é" * 600}}, arena)


@pytest.fixture
def records():
    return Records(open_store(None))


@pytest.fixture
def clock(monkeypatch):
    """The time, which the test sets; it begins at noon in Madrid."""
    time = [datetime(2027, 1, 10, 12, tzinfo=MADRID).timestamp()]
    monkeypatch.setattr(noted.time, "time", lambda: time[0])
    return time


def hand_in(records, arena, student, text, name="a.py"):
    return take(records, arena, student.id, name, {name: text})


def test_the_same_code_is_recognised(records, tmp_path, clock):
    arena, (ada, _key) = settings(tmp_path, quota=2), records.add_student("Ada")
    first = hand_in(records, arena, ada, "x\n")
    assert hand_in(records, arena, ada, "x\n", "other.py").is_repeat
    told = as_json(records, first)
    assert (told["state"], told["place"], told["version"], told["repeated"]) == ("waiting", 1, 1, False)
    assert hand_in(records, arena, ada, "y\n").version == 2
    third = hand_in(records, arena, ada, "x\n", "again.py")
    assert third.version == 3 and records.texts(3) == {"again.py": "x\n"} and records.texts(1) == {"a.py": "x\n"}
    assert records.contestant_name(third) == "v1"
    assert left_today(records, arena, ada.id) == 0
    with pytest.raises(QuotaError):
        hand_in(records, arena, ada, "z\n")
    clock[0] = datetime(2027, 1, 11, 0, 0, 1, tzinfo=MADRID).timestamp()
    assert left_today(records, arena, ada.id) == 2
    assert hand_in(records, arena, ada, "z\n").version == 4
    clock[0] -= 86_400  # the clock is set back: the day of the first ones is full again, and the order stays
    with pytest.raises(QuotaError):
        hand_in(records, arena, ada, "zz\n")
    assert [one.version for one in records.submissions(ada.id)] == [1, 2, 3, 4]
    assert digest_of({"a.py": "x"}) == digest_of({"b.py": "x"})
    assert digest_of({"a.py": "x", "b.py": "y"}) != digest_of({"a.py": "y", "b.py": "x"})


def test_the_deadline_and_more_time_for_one(records, tmp_path, clock):
    end = datetime(2027, 1, 10, 12, 30, tzinfo=MADRID)
    arena = settings(tmp_path, deadline=end)
    (ada, _key), (bob, _other) = records.add_student("Ada"), records.add_student("Bob")
    assert hand_in(records, arena, ada, "1").version == 1
    clock[0] = end.timestamp()
    with pytest.raises(ClosedError, match=r"the deadline was 2027-01-10 12:30 \(Europe/Madrid\)"):
        hand_in(records, arena, ada, "2")
    assert hand_in(records, arena, ada, "1").is_repeat  # a request that was sent again
    extend(records, ada.id, end.timestamp() + 100, "teacher")
    assert hand_in(records, arena, ada, "2").version == 2
    with pytest.raises(ClosedError):
        hand_in(records, arena, bob, "2")
    records.set_flag("deadline", end.timestamp() + 50, "teacher")
    assert hand_in(records, arena, bob, "2").version == 1
    assert deadline_of(records, arena, ada.id) == end.timestamp() + 100
    extend(records, ada.id, None, "teacher")
    assert deadline_of(records, arena, ada.id) == end.timestamp() + 50 == deadline_of(records, arena)
    records.set_flag("frozen", True, "teacher")
    with pytest.raises(ClosedError, match="frozen"):
        hand_in(records, arena, bob, "3")


def test_too_often(records, tmp_path, clock):
    arena, (ada, _key) = settings(tmp_path, quota=100), records.add_student("Ada")
    for number in range(6):
        hand_in(records, arena, ada, str(number))
        clock[0] += 1
    with pytest.raises(TooOftenError):
        hand_in(records, arena, ada, "next")
    clock[0] += 60
    assert hand_in(records, arena, ada, "next").version == 7


def test_days_of_23_and_25_hours():
    for day, hours in ((datetime(2027, 3, 28, 12), 23), (datetime(2027, 10, 31, 12), 25), (datetime(2027, 5, 5), 24)):
        start, end = day_around(day.replace(tzinfo=MADRID).timestamp(), MADRID)
        assert end - start == hours * 3600
