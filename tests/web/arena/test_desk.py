"""The teacher's desk: only the teacher gets in, changes need the page's token and are logged, texts are escaped."""

import csv
import io
import re
from pathlib import Path

import httpx
import pytest

from desk_class import DeskClass
from web.conftest import Served
from zermelo.arena.rounds import rounds_of
from zermelo.arena.similarity import similarity_chore
from zermelo.arena.submitting import deadline_of
from zermelo.web.arena import desk as desk_pages
from zermelo.web.arena import desk_final, desk_results
from zermelo.web.arena.app import create_arena_app
from zermelo.web.arena.settings import ServerSettings


class Desk(Served, DeskClass):
    """The server of a small class."""

    def __init__(self, folder: Path):
        DeskClass.__init__(self, folder, games=2)
        Served.__init__(self, ServerSettings(data=folder))

    def make_app(self):
        return create_arena_app(self.arena, self.records, self.settings)

    def client(self, kind: str | None, key: str = "") -> httpx.Client:
        """A client with a cookie of this kind."""
        cookies = {} if kind is None else {f"zermelo-{kind}-{self.port}": key}
        return httpx.Client(base_url=self.address, cookies=cookies, timeout=120)

    def context(self, browser, **options):
        """The teacher's browser."""
        context = browser.new_context(**{"base_url": self.address} | options)
        context.add_cookies([{"name": f"zermelo-teacher-{self.port}", "value": self.teacher, "url": self.address}])
        return context


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    made = Desk(tmp_path_factory.mktemp("arena") / "reversi")
    made.play("final", 1)
    made.hand_in("Dario", "import os", "refused")
    similarity_chore(made.records, made.store, made.arena)
    made.records.publish(
        "agreement",
        {
            "players": [],
            "positions": 40,
            "pairs": [{"one": "v2", "other": "v3", "asked": 40, "equal": 1.0, "expected": 0.4, "surprise": 7.7}],
        },
    )
    yield made
    made.stop()


@pytest.fixture(scope="module")
def server(desk: Desk) -> Desk:
    """What the pages of a browser are opened on."""
    return desk


@pytest.fixture
def teacher(desk: Desk):
    with desk.client("teacher", desk.teacher) as client:
        yield client


def addresses(desk: Desk) -> list[tuple[str, str]]:
    """Every address of the desk, with something in place of each parameter."""
    zoe = desk.students["Zoe"].id
    given = {"number": "1", "student_id": zoe, "one": "2", "other": "3", "kind": "join"}
    return [
        (method, re.sub(r"{(\w+)}", lambda match: given[match[1]], route.path))
        for route in (*desk_pages.router.routes, *desk_final.router.routes, *desk_results.router.routes)
        for method in sorted(route.methods)
    ]


def send(teacher: httpx.Client, desk: Desk, path: str, **fields: str):
    return teacher.post(path, data={"token": desk.app.state.token} | fields)


def said(teacher: httpx.Client, answer) -> str:
    """What the page says to which a change leads."""
    assert answer.status_code == 303, answer.text
    page = teacher.get(answer.headers["location"])
    assert page.status_code == 200
    return re.search(r'<p class="said" role="status">(.*?)</p>', page.text)[1]


def test_nobody_but_the_teacher_gets_in(desk: Desk) -> None:
    found = addresses(desk)
    assert len(found) > 20
    before = len(desk.records.events(1000))
    for kind, key in (
        ("student", desk.keys["Zoe"]),
        (None, ""),
        ("teacher", desk.keys["Zoe"]),
        ("student", desk.teacher),
    ):
        with desk.client(kind, key) as visitor:
            for method, path in found:
                fields = {"token": desk.app.state.token, "name": "Zoe", "none": "yes"}
                answer = visitor.request(method, path, data=fields if method == "POST" else None)
                assert answer.status_code == 403, (kind, method, path)
                assert "Bruno" not in answer.text
    assert len(desk.records.events(1000)) == before


def test_every_change_needs_the_token(desk: Desk, teacher: httpx.Client) -> None:
    before = len(desk.records.events(1000))
    for method, path in addresses(desk):
        if method != "GET":
            for fields in ({}, {"token": "wrong"}, {"token": "é"}):
                answer = teacher.post(path, data={"name": "Zoe", "none": "yes"} | fields)
                assert answer.status_code == 403, (path, answer.status_code)
            assert (
                teacher.post(path, data={"token": desk.app.state.token}, headers={"origin": "http://evil"}).status_code
                == 403
            )
    assert len(desk.records.events(1000)) == before


def test_every_page_answers_in_both_languages_and_escapes(desk: Desk, teacher: httpx.Client) -> None:
    for method, path in addresses(desk):
        if method == "GET" and "/exports/" not in path:
            for language in ("en", "es"):
                page = teacher.get(path, headers={"accept-language": language})
                assert page.status_code == 200, (path, page.text[:500])
                assert "<script>alert(1)" not in page.text and "<i>" not in page.text and "<b>&" not in page.text
                assert page.headers["cache-control"] == "no-store"
                assert "style=" not in page.text and "<script>" not in page.text


def test_the_table_is_sorted(teacher: httpx.Client) -> None:
    def names(query: str) -> list[str]:
        return re.findall(r'<td class="who"><a [^>]*>([^<]*)</a>', teacher.get(f"/desk{query}").text)

    assert names("") == sorted(names(""), key=str.casefold) and names("?down=true") == names("")[::-1]
    assert names("?sort=versions")[0] in ("=Ana", "Dario") and names("?sort=versions")[-1] == "Zoe"
    assert names("?sort=elo")[0] == "=Ana" and names("?sort=nonsense") == names("")
    assert teacher.get("/desk?sort=elo&down=maybe").status_code == 422


def test_pause_and_resume(desk: Desk, teacher: httpx.Client) -> None:
    assert "paused" in said(teacher, send(teacher, desk, "/desk/pause"))
    assert desk.records.flag("paused") is True
    assert said(teacher, send(teacher, desk, "/desk/resume")) == "The arena goes on."
    assert desk.records.flag("paused") is False
    assert [event.who for event in desk.records.events(2)] == ["teacher", "teacher"]


def test_a_link_cannot_make_the_desk_say_something(teacher: httpx.Client) -> None:
    assert "Everything is lost" not in teacher.get("/desk?said=Everything is lost&sign=00").text


def test_deadlines_for_all_and_for_one(desk: Desk, teacher: httpx.Client) -> None:
    text = said(teacher, send(teacher, desk, "/desk/deadline", time="2027-02-01T20:00"))
    assert text == "The deadline is 2027-02-01 20:00 CET."
    zoe = desk.students["Zoe"].id
    text = said(teacher, send(teacher, desk, f"/desk/students/{zoe}/extension", time="2027-04-01T20:00"))
    assert text == "The deadline is 2027-04-01 20:00 CEST."
    assert "may hand in until 2027-04-01 20:00 CEST" in teacher.get("/desk/students").text
    assert deadline_of(desk.records, desk.arena, zoe) != deadline_of(desk.records, desk.arena)
    send(teacher, desk, f"/desk/students/{zoe}/extension", none="yes")
    assert deadline_of(desk.records, desk.arena, zoe) == deadline_of(desk.records, desk.arena)
    assert send(teacher, desk, "/desk/deadline", time="soon").status_code == 400
    assert said(teacher, send(teacher, desk, "/desk/deadline")) == "Nothing was changed: no time was given."
    assert said(teacher, send(teacher, desk, "/desk/deadline", none="yes")) == "There is no deadline now."


def test_withdraw_and_undo(desk: Desk, teacher: httpx.Client) -> None:
    ana = desk.students["=Ana"].id
    latest = desk.records.current()[ana]
    assert send(teacher, desk, f"/desk/submissions/{latest.id}/restore").status_code == 409
    send(teacher, desk, f"/desk/submissions/{latest.id}/withdraw")
    assert desk.records.current()[ana].version == latest.version - 1
    assert "Undo the withdrawal" in teacher.get(f"/desk/submissions/{latest.id}").text
    send(teacher, desk, f"/desk/submissions/{latest.id}/restore")
    again = desk.records.next_waiting()
    assert again is not None and again.id == latest.id
    desk.records.decide(again.id, "valid", {}, latest.contestant)
    assert desk.records.current()[ana].id == latest.id
    done = [event.what for event in desk.records.events(10) if event.who == "teacher"]
    assert done[:2] == ["restores a submission", "withdraws a submission"]
    for number in (10**6, -1, 1 << 63):
        assert teacher.get(f"/desk/submissions/{number}").status_code in (400, 404)


def test_code_is_shown_line_by_line(desk: Desk, teacher: httpx.Client) -> None:
    ana = desk.records.current()[desk.students["=Ana"].id]
    page = teacher.get(f"/desk/submissions/{ana.id}").text
    assert page.count("<li><code>") == len(desk.records.texts(ana.id)["mine.py"].splitlines())
    assert "0 &lt;= row &lt; SIZE" in page


def test_similar_code_side_by_side(desk: Desk, teacher: httpx.Client) -> None:
    page = teacher.get("/desk/similarity").text
    link = re.search(r'href="(/desk/similarity/\d+/\d+)"', page)[1]
    assert 'class="marked"' in page and "+7.7" in page
    compared = teacher.get(link).text
    assert compared.count('class="code"') == 2 and 'class="equal c1"' in compared
    assert teacher.get("/desk/similarity/1/1").status_code == 404


def test_students_are_added_renamed_and_deleted(desk: Desk, teacher: httpx.Client) -> None:
    page = send(teacher, desk, "/desk/students", name="Ivo <i>", pseudonym="Orion 99")
    key = re.search(r"/enter\?key=([\w-]+)", page.text)[1]
    assert page.headers["cache-control"] == "no-store"
    ivo = desk.records.student_by_key(key)
    assert ivo is not None and (ivo.name, ivo.pseudonym) == ("Ivo <i>", "Orion 99")
    assert send(teacher, desk, "/desk/students", name=" ").status_code == 400
    send(teacher, desk, f"/desk/students/{ivo.id}/rename", name="Ivo")
    newer = re.search(r"/enter\?key=([\w-]+)", send(teacher, desk, f"/desk/students/{ivo.id}/link").text)[1]
    assert desk.records.student_by_key(key) is None and desk.records.student_by_key(newer).name == "Ivo"
    assert "Delete the data of Ivo?" in teacher.get(f"/desk/students/{ivo.id}/remove").text
    assert send(teacher, desk, f"/desk/students/{ivo.id}/remove", name="Eva").status_code == 400
    assert desk.records.student(ivo.id).name == "Ivo"
    assert (
        said(teacher, send(teacher, desk, f"/desk/students/{ivo.id}/remove", name="Ivo"))
        == "The student&#39;s data is deleted."
    )
    assert desk.records.student_by_key(newer) is None
    assert "Ivo" not in teacher.get("/desk/log").text
    assert teacher.get(f"/desk/students/{ivo.id}/remove").status_code == 400


def test_new_links_replace_the_old_ones(desk: Desk, teacher: httpx.Client) -> None:
    old = desk.records.make_key("join")
    page = send(teacher, desk, "/desk/links/join").text
    new = re.search(r"/join\?key=([\w-]+)", page)[1]
    assert desk.records.is_key("join", new) and not desk.records.is_key("join", old)
    assert send(teacher, desk, "/desk/links/teacher").status_code == 404


def test_exports(desk: Desk, teacher: httpx.Client) -> None:
    marks = teacher.get("/desk/exports/marks.csv")
    assert marks.content.startswith(b"\xef\xbb\xbf") and "attachment" in marks.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(marks.content.decode("utf-8-sig"))))
    assert rows[0]["student"] == "'=Ana"
    games = teacher.get("/desk/exports/games.jsonl?tournament=final").text.splitlines()
    assert len(games) == desk.store.counts("final")[0]
    report = teacher.get("/desk/exports/report.html")
    assert report.text.startswith("<!doctype html>") and "attachment" in report.headers["content-disposition"]
    assert teacher.get("/desk/exports/games.jsonl?tournament=x").status_code == 404
    assert [event.about["what"] for event in desk.records.events(3)] == ["report", "games", "marks"]


def test_rounds_freezing_and_the_final(tmp_path: Path) -> None:
    """In an arena of its own, because a final cannot be undone."""
    desk = Desk(tmp_path / "cup")
    try:
        with desk.client("teacher", desk.teacher) as teacher:
            assert said(teacher, send(teacher, desk, "/desk/rounds")) == "Round 1 begins."
            assert said(teacher, send(teacher, desk, "/desk/rounds")) == "Round 1 begins."  # it is being played
            assert [one.ended for one in rounds_of(desk.records)] == [None]
            send(teacher, desk, "/desk/freeze")
            assert desk.records.flag("frozen") is True
            assert send(teacher, desk, "/desk/rounds").status_code == 409
            send(teacher, desk, "/desk/unfreeze")
            assert desk.records.flag("frozen") is False
            for wrong in ({}, {"sure": "yes", "number": "x"}, {"sure": "yes", "number": "9" * 19}):
                assert send(teacher, desk, "/desk/final", **wrong).status_code == 400
            assert desk.records.flag("final") is None and desk.records.flag("frozen") is False
            told = said(teacher, send(teacher, desk, "/desk/final", sure="yes", number="271828"))
            assert told == "The final is ordered. Its random number is 271828."
            order = desk.records.flag("final")
            assert order["number"] == 271828 and set(order["contestants"]) == set(desk.playing)
            assert any(event.what == "final ordered" and event.who == "teacher" for event in desk.records.events(5))
            assert send(teacher, desk, "/desk/final", sure="yes", number="3").status_code == 400
            assert send(teacher, desk, "/desk/unfreeze").status_code == 409
            page = teacher.get("/desk/final").text
            assert "271828" in page and "given by the teacher" in page and "Bruno Muñoz, version 1" in page
            with desk.client("student", desk.keys["Zoe"]) as student:
                page = student.get("/final").text  # everybody in the class sees the number and the digests
                assert "271828" in page and order["contestants"]["rung-1"] in page and "Bruno" not in page
    finally:
        desk.stop()


# ------------------------------------------------------------------------------------------ in a browser

PAGES = (
    *("", "/submissions", "/submissions/2", "/students", "/faults", "/similarity", "/similarity/2/3", "/final"),
    *("/exports", "/log"),
)


def test_the_desk_in_a_browser(desk: Desk, page, check_axe, shot) -> None:
    for path in PAGES:
        page.goto(f"/desk{path}")
        if path in ("", "/submissions/2", "/students", "/similarity/2/3", "/exports"):
            check_axe(page)
        shot(page, f"desk{path.replace('/', '-')}-1280")
    page.goto("/desk")
    page.click("text=Pause")
    assert "The arena is paused" in page.inner_text(".said")
    page.click("text=Resume")
    page.fill("input[name=time]", "2027-03-01T12:30")
    page.click("text=Set")
    assert page.inner_text(".said") == "The deadline is 2027-03-01 12:30 CET."
    page.click("th >> text=Rating")
    assert page.get_attribute("th[aria-sort]", "aria-sort") == "ascending"
    page.goto("/desk/students")
    page.click("li:has-text('Zoe') summary")
    page.fill("li:has-text('Zoe') input[name=name]", "Zoë")
    page.click("li:has-text('Zoe') >> text=Rename")
    assert desk.records.student(desk.students["Zoe"].id).name == "Zoë"
    desk.records.rename_student(desk.students["Zoe"].id, "Zoe", "teacher")
    page.goto("/desk/similarity")
    page.click(".desk-table a >> text=side by side")
    assert page.locator(".sides .equal").count() > 10


def test_the_desk_on_a_phone(desk: Desk, phone, shot) -> None:
    for path in PAGES:
        phone.goto(f"/desk{path}")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        shot(phone, f"desk{path.replace('/', '-')}-390")
