"""The page of a submission: everything for its own student and the teacher, on a wide page and on a phone; games."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from played_class import SECRET, played_class
from zermelo.arena.feedback import feedback_chore
from zermelo.arena.settings import read_settings
from zermelo.tournaments.store import open_store
from zermelo.web.arena.app import create_arena_app

from ..conftest import DESKTOP, PHONE, Served, leaves


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena")
    (folder / "arena.toml").write_text('title = "Search, group 3"\ngame = "tictactoe"\n', encoding="utf-8")
    arena = read_settings(folder)
    made = played_class(open_store(folder / "arena.db"))
    while feedback_chore(made.records, made.store, arena):
        pass
    made.app = create_arena_app(arena, made.records)
    made.app.openapi()
    return made


def client(course, who):
    """A reader with a link, by name; None for a stranger."""
    headers = {} if who is None else {"Authorization": f"Bearer {course.keys[who]}"}
    transport = httpx.ASGITransport(course.app)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers)


async def get(course, who, *paths):
    async with client(course, who) as http:
        return [await http.get(path) for path in paths]


@pytest.fixture
def asked(course):
    """Answers to a reader. They come from a thread of their own, since a browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda who, *paths: thread.submit(asyncio.run, get(course, who, *paths)).result()


def games_of(course, submission, other=None):
    """The addresses of the games of a submission, perhaps against another."""
    found = []
    for game in course.store.games("ladder"):
        players = {game.pair.first, game.pair.second}
        if f"v{submission}" in players and (other is None or other in players):
            found.append(f"/games/ladder/{game.pair.id}/{int(game.swapped)}")
    return found


def test_a_student_sees_everything_about_the_own_submission(course, asked):
    new, old = asked("ada", f"/submissions/{course.new}", f"/submissions/{course.old}")
    assert new.status_code == old.status_code == 200
    for words in (
        "Search, group 3",
        "the second version of Ada",
        "something about new.py",
        "new.py, line 1",
        "+35 ± 45 <span",
        "Perfect play",
        "Stronger than your version before",
        "8 games against each other",
        "Next: Perfect play",
        "<svg",
    ):
        assert words in new.text, words
    assert "It played" in old.text and "Right was" in old.text
    assert re.search(r'href="/games/ladder/[^"]+\?ply=\d+"', old.text)
    for other in ("Bob", "Rigel", SECRET):
        assert other not in new.text


def test_the_rating_is_the_one_on_the_ladder(course, asked):
    """The ratings over time are noted down now and then; the page said something else than the ladder."""
    row = {"contestant": f"v{course.new}", "games": 32, "elo": 77.0, "error": 12.0}
    course.records.publish("standings", {"rows": [row], "updated": 5000.0})
    [page] = asked("ada", f"/submissions/{course.new}")
    course.records.unpublish("standings")
    assert "+77 ± 12 <span" in page.text and "+77 ± 12 after 32 games" in page.text


def test_what_belongs_to_others_does_not_exist(course, asked):
    theirs = [
        f"/submissions/{course.bobs}",
        f"/games?contestant=v{course.bobs}",
        games_of(course, course.bobs, "rung-1")[0],
        "/submissions/999",
        "/games?contestant=rung-1",
        "/games?contestant=nobody",
        f"/games?contestant=v{course.new}&which=nonsense",
        "/games/ladder/nothing/0",
        "/games/nothing/0/0",
    ]
    for who in ("ada", "watch"):
        for answer in asked(who, *theirs):
            assert answer.status_code == 404 and SECRET not in answer.text, answer.url
    watched = asked("watch", f"/submissions/{course.new}", games_of(course, course.new)[0])
    assert {answer.status_code for answer in watched} == {404}
    for answer in asked(None, *theirs, f"/submissions/{course.new}"):
        assert answer.status_code == 403 and SECRET not in answer.text


def test_the_teacher_sees_everybody_with_names(course, asked):
    page, games, fault = asked(
        "teacher",
        f"/submissions/{course.bobs}",
        f"/games?contestant=v{course.bobs}&which=faults",
        games_of(course, course.bobs, "rung-1")[0],
    )
    assert "Bob (Rigel)" in page.text and SECRET in page.text and "ValueError" in page.text
    assert "crash" in games.text and "against Ada Lovelace, version 1" in games.text
    assert fault.status_code == 200


def test_the_opponents_thoughts_and_faults_stay_theirs(course, asked):
    [path] = games_of(course, course.bobs, f"v{course.new}")[:1]
    pair, swapped = path.removeprefix("/games/ladder/").rsplit("/", 1)
    query = f"?pair={pair}&swapped={bool(int(swapped))}"
    for who, is_told in (("ada", False), ("bob", True), ("teacher", True)):
        page, game, board = asked(who, path, f"/api/games/ladder/game{query}", f"/api/games/ladder/board{query}&ply=2")
        assert (page.status_code, game.status_code, board.status_code) == (200, 200, 200)
        found = game.json()
        assert (SECRET in page.text, SECRET in game.text) == (is_told, is_told)
        assert found["reason"].startswith("crash") and (found["error"] is not None) == is_told
        ada = 1 if found["players"][0].startswith(("Vega", "Ada")) else 2
        for move in found["moves"]:
            assert (move["seconds"] is None) == (who == {ada: "bob", 3 - ada: "ada"}[move["player"]])
        assert "/home" not in page.text + game.text
    assert found["players"] != asked("ada", f"/api/games/ladder/game{query}")[0].json()["players"]  # names, pseudonyms


def test_games_are_found_by_result_and_opponent(course, asked):
    everything, lost, against = asked(
        "ada",
        f"/games?contestant=v{course.new}",
        f"/games?contestant=v{course.new}&which=lost",
        f"/games?contestant=v{course.new}&against=rung-2",
    )
    assert "32 games" in everything.text and "8 games" in against.text
    assert "against Rigel, version 1" in everything.text and "Bob" not in everything.text
    assert ">won<" not in lost.text


def test_only_the_arenas_game_is_analysed(asked):
    page, position, other, foreign = asked(
        "ada",
        "/analyse/tictactoe/-/b2a1?at=1",
        "/api/position?line=tictactoe/-/b2a1",
        "/analyse/connect4/-/4",
        "/api/position?line=connect4/-/4",
    )
    assert page.status_code == position.status_code == 200
    assert "/why/" not in page.text
    assert other.status_code == foreign.status_code == 404


# ------------------------------------------------------------------------------------------ in a browser


@pytest.fixture(scope="module")
def arena_lab(course):
    class ArenaLab(Served):
        def make_app(self):
            return course.app

    lab = ArenaLab(course.app.state.settings)
    yield lab
    lab.stop()


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_the_pages_fit_and_lead_to_each_other(course, arena_lab, browser, check_axe, shot, size):
    options = {"viewport": DESKTOP} if size == "wide" else {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=arena_lab.address, reduced_motion="reduce", **options)
    context.set_default_timeout(60_000)
    try:
        page = context.new_page()
        complaints = []
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: leaves(request.url) and complaints.append(request.url))
        page.goto(f"/enter?key={course.keys['ada']}")
        page.wait_for_url("**/me")  # the page leads on by itself
        page.goto(f"/submissions/{course.old}")
        fits(page)
        check_axe(page)
        shot(page, f"arena-submission-{size}")
        page.get_by_role("link", name="See the game", exact=True).first.click()
        page.wait_for_selector("#moves button")
        page.wait_for_selector("#board svg")
        assert page.locator("[data-step=on]").is_enabled()  # at the blunder, and not at the end
        fits(page)
        shot(page, f"arena-game-{size}")
        page.get_by_role("link", name="Analyse").click()
        page.wait_for_selector("#board svg")
        page.wait_for_selector("#lines li")
        fits(page)
        page.goto(f"/games?contestant=v{course.old}")
        fits(page)
        check_axe(page)
        shot(page, f"arena-games-{size}")
        assert not complaints
    finally:
        context.close()


def fits(page):
    """Nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth"), page.url
