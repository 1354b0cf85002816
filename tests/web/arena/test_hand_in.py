"""Handing in: by the plain form of the page and by the API, and what the page then says."""

import base64
import io
import zipfile

from web.arena.conftest import GOOD
from zermelo.arena.records import now
from zermelo.language import speaking
from zermelo.web.arena.forms import read_form
from zermelo.web.arena.words import duration


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.py", text)
    return packed.getvalue()


def test_the_form_works_without_scripts(arena, anna):
    """One file, and a ZIP file of two: what arrives is what was sent, byte by byte."""
    answer = anna.http.post("/me", data={"token": arena.token}, files={"file": ("mine.py", GOOD.encode())})
    assert answer.status_code == 303 and answer.headers["location"] == "/me"
    both = zipped(main=GOOD, helper="number = 5\n")
    assert anna.http.post("/me", data={"token": arena.token}, files={"file": ("all.zip", both)}).status_code == 303
    first, second = arena.records.submissions(anna.student.id)
    assert arena.records.texts(first.id) == {"mine.py": GOOD}
    assert arena.records.texts(second.id) == {"main.py": GOOD, "helper.py": "number = 5\n"}
    page = anna.http.get("/me").text
    assert "Version 2" in page and "number 2 in the queue" in page and f'data-waiting="{second.id} {first.id}"' in page


def test_a_form_that_was_open_while_the_server_was_started_again(arena, anna):
    token = arena.token
    arena.stop()
    arena.start()
    form = {"data": {"token": token}, "files": {"file": ("mine.py", GOOD)}}
    assert anna.http.post("/me", **form).status_code == 303
    assert len(arena.records.submissions(anna.student.id)) == 1


def test_the_form_says_what_is_wrong(arena, anna):
    for files, words in [
        ({"file": ("", b"")}, "choose a file first"),
        ({"file": ("mine.py", b"\xff\xfe")}, "mine.py"),
        ({"file": ("mine.py", b"x" * 300_000)}, "bytes"),
        ({"file": ("mine.zip", b"PK not a zip")}, "mine.zip"),
    ]:
        answer = anna.http.post("/me", data={"token": arena.token}, files=files)
        assert answer.status_code in (400, 413), (words, answer.status_code)
        assert words in answer.text and 'role="alert"' in answer.text
    assert anna.http.post("/me", files={"file": ("mine.py", b"x")}).status_code == 403, "the token is missing"
    assert arena.records.submissions() == []


def test_a_form_can_be_anything(arena, anna):
    """Whatever is sent instead of a form is refused, and never an error of ours."""
    for kind, body in [
        ("multipart/form-data", b"--x\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n--x--"),
        ("multipart/form-data; boundary=" + "y" * 5000, b"\xff\x00" * 500),
        ("application/x-www-form-urlencoded", b"&a=1" * 1000),
        ("application/x-www-form-urlencoded", b"%ff=%00&token=%ff"),
        ("text/plain", b"token=x"),
        ("", b""),
    ]:
        assert anna.http.post("/me", content=body, headers={"Content-Type": kind}).status_code in (400, 403), kind


def test_bytes_come_through_a_form_unchanged():
    content = bytes(range(256)) * 3 + b"\r\n--no boundary\r\n\n\r"
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a b.zip"\r\n\r\n' + content + b"\r\n--x--\r\n"
    )
    fields = read_form("multipart/form-data; boundary=x", body)
    assert fields.files == {"file": ("a b.zip", content)}


def test_the_api_takes_files_in_three_ways(arena, anna):
    both = {"main.py": GOOD, "helper.py": "number = 5\n"}
    for sent in (
        {"filename": "mine.py", "text": GOOD},
        {"filename": "main.py", "files": both},
        {"filename": "mine.py", "base64": base64.b64encode(GOOD.replace("mine", "other").encode()).decode()},
    ):
        answer = anna.http.post("/api/submissions", json=sent)
        assert answer.status_code == 201 and answer.json()["state"] == "waiting", answer.text
    assert [one["place"] for one in anna.http.get("/api/submissions").json()] == [1, 2, 3]
    last = arena.records.submissions()[-1]
    assert arena.records.texts(last.id) == {"mine.py": GOOD.replace("mine", "other")}
    again = anna.http.post("/api/submissions", json=sent).json()
    assert again["repeated"] and again["id"] == last.id


WRONG = [
    ({"filename": "mine.py"}, 400),
    ({"filename": "../../etc/passwd", "text": "x"}, 400),
    ({"filename": "mine.py", "text": "\x00"}, 400),
    ({"filename": "mine.py", "base64": "***"}, 400),
    ({"filename": "mine.py", "files": {"mine.py": 3}}, 422),
    ({"text": GOOD}, 422),
    ({"filename": "mine.py", "text": "x" * 2_000_000}, 413),
]


def test_what_cannot_be_handed_in_is_named(arena, anna):
    for sent, status in WRONG:
        answer = anna.http.post("/api/submissions", json=sent)
        assert answer.status_code == status and answer.json()["error"], sent.get("filename")
    assert arena.records.submissions() == []


def test_the_page_shows_the_verdict_the_limits_and_the_deadline(arena, anna):
    taken = anna.http.post("/api/submissions", json={"filename": "mine.py", "text": GOOD}).json()
    findings = [{"level": "error", "text": "<b>an illegal move</b>", "file": "mine.py", "line": 7}]
    assert arena.records.next_waiting().id == taken["id"]
    arena.records.decide(taken["id"], "refused", {"findings": findings})
    arena.records.set_flag("deadline", now() + 3 * 86400 + 60, "teacher")
    page = anna.http.get("/me").text
    assert "&lt;b&gt;an illegal move&lt;/b&gt;" in page and "mine.py:7" in page and "refused" in page
    assert "(UTC)" in page and "in 3 days" in page and "9 of 10 versions" in page and "10,000 positions" in page
    arena.records.set_flag("deadline", now() - 1, "teacher")
    page = anna.http.get("/me").text
    assert "the deadline was" in page and 'id="hand-in"' not in page
    answer = anna.http.post("/api/submissions", json={"filename": "mine.py", "text": GOOD + "# new\n"})
    assert answer.status_code == 403 and "the deadline was" in answer.json()["error"]


def test_the_page_speaks_spanish(arena, anna):
    assert 'lang="es"' in anna.http.get("/me", headers={"Accept-Language": "es"}).text


def test_times_in_words():
    with speaking("en"):
        assert [duration(one) for one in (0.2, 1, 99, 101, 3600, 7200, 86400, 5 * 86400)] == [
            *("1 second", "1 second", "99 seconds", "2 minutes", "60 minutes", "2 hours", "24 hours", "5 days")
        ]
