"""Pages without a server, in Chromium: from a file, from a folder that is served, on a desktop and on a phone."""

import base64
import contextlib
import functools
import http.server
import random
import threading
import time
from pathlib import Path

import pytest

from zermelo.errors import PublishError
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.position import Position
from zermelo.publish.bundling import bundle, said_in
from zermelo.publish.drawn import words_for
from zermelo.publish.memory import state_bytes
from zermelo.publish.pages import TEXTS, as_json, page_script
from zermelo.publish.sites import SitePlan, page_plan, single_file, site_files
from zermelo.publish.writing import write_site
from zermelo.puzzles import puzzles_of

playwright = pytest.importorskip("playwright.sync_api", reason="these tests need a browser")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

BUSY = 240_000
PLAYER = "Four plies = alphabeta(depth=4)"
SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def open_page(browser):
    """Opens an address; the test fails if the page writes errors, or asks for anything after it has loaded."""
    problems = []

    with contextlib.ExitStack() as opened:

        def open_(address, size="desktop", **options):
            context = browser.new_context(viewport=SIZES[size], service_workers="block", **options)
            context.set_default_timeout(BUSY)
            opened.callback(context.close)
            page = context.new_page()
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda message: message.type == "error" and problems.append(message.text))
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
            page.on("request", lambda asked: is_ours(asked.url) and problems.append(asked.url))
            return page

        yield open_
    assert problems == []


@pytest.fixture(scope="module")
def site(tmp_path_factory, compile_player):
    """A published Connect 4: a folder, and a single file."""
    folder = tmp_path_factory.mktemp("site")
    plan = page_plan("connect4", [PLAYER])
    write_site(folder / "site", site_files(SitePlan("Connect 4", (plan,)), print, compile_player).files)
    (folder / "one.html").write_text(single_file(plan, print, compile_player), encoding="utf-8")
    plan = page_plan("connect4", [PLAYER], puzzles=True)
    (folder / "puzzles.html").write_text(single_file(plan, print, compile_player), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def served(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site / "site"))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join()


def is_ours(url):
    """Is it a request of the page? The worker is made from a text, and the browser gets the icon when it likes."""
    return not url.startswith("blob:") and not url.endswith("/icon.svg")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *told):
        """Say nothing."""


def until(page, condition):
    """Wait for a condition. Playwright's own function for this evaluates a text in the page, which the page forbids."""
    end = time.monotonic() + BUSY / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def moves_on(page):
    return page.locator("#moves button").all_inner_texts()


def test_a_single_file_plays_from_a_disk(site, open_page):
    """It is small, the compiled player answers, and the address holds the game."""
    assert (site / "one.html").stat().st_size < 1_000_000
    page = open_page((site / "one.html").as_uri())
    page.locator('[data-move="4"]').click()
    until(page, "document.querySelectorAll('#moves li').length === 2")
    assert "#moves=4," in page.url
    page.locator("#undo").click()
    until(page, "document.querySelectorAll('#board .mark').length === 0")
    page.locator("#show-scores").check()
    until(page, "document.querySelectorAll('#board .mark').length === 7")
    page.keyboard.press("Tab")
    again = open_page(page.url)
    assert moves_on(again) == moves_on(page)


def test_a_puzzle_is_judged(site, open_page):
    page = open_page((site / "puzzles.html").as_uri())
    asked = page.locator("#puzzle-said")
    assert "One move wins" in asked.inner_text()
    puzzle = puzzles_of("connect4")[0]
    wrong = next(move for move in puzzle.start.moves if move != puzzle.move)
    page.locator(f'[data-move="{wrong}"]').first.click()
    page.wait_for_selector("#moves li")
    assert asked.inner_text() == f"{wrong} does not win. Try again."
    page.locator("#undo").click()
    page.locator(f'[data-move="{puzzle.move}"]').first.click()
    until(page, f"document.getElementById('puzzle-said').textContent === 'Right! {puzzle.move} wins.'")
    page.locator("#next-puzzle").click()
    assert f"#puzzle={puzzles_of('connect4')[1].id}" in page.url


def test_every_text_of_a_page_is_translated(site):
    texts = TEXTS | said_in(page_script())
    assert {text for text in texts if len(text) > 1} <= set(words_for(texts)["es"]), "a letter such as X stays as it is"


def test_a_page_speaks_both_languages(site, open_page):
    page = open_page((site / "one.html").as_uri() + "#lang=es&moves=4")
    assert page.locator("#undo").inner_text() == "Deshacer"
    assert page.locator("html").get_attribute("lang") == "es"
    page = open_page((site / "one.html").as_uri(), locale="es-MX")
    assert page.locator("#undo").inner_text() == "Deshacer"


@pytest.mark.parametrize("size", SIZES)
def test_a_served_folder_plays_and_has_no_barriers(served, open_page, size, tmp_path):
    page = open_page(served + "#moves=4,4&first=person&second=person&scores=yes", size)
    until(page, "document.querySelectorAll('#board .mark').length === 7")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size]["width"]
    found = axe_playwright.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.locator('[data-move="3"]').focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#moves li').length === 3")


def test_a_search_can_be_stopped(site, open_page):
    page = open_page((site / "one.html").as_uri() + "#first=0.0&second=0.0")
    page.wait_for_selector("#go:not([hidden])")
    page.locator("#go").click()
    until(page, "document.getElementById('go').textContent === 'Continue'")
    stopped = moves_on(page)
    page.wait_for_timeout(700)
    assert moves_on(page) == stopped


def test_an_installed_site_works_without_its_server(served, site, browser):
    context = browser.new_context()
    context.set_default_timeout(BUSY)
    page = context.new_page()
    page.goto(served)
    page.wait_for_selector("html[data-ready]")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator('[data-move="4"]').count() == 1
    context.close()


def test_texts_cannot_leave_their_script():
    assert "</script" not in as_json({"title": "</script><b>"})


def test_other_peoples_files_stay(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(PublishError, match="is not empty"):
        write_site(tmp_path, {"index.html": b""})
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]


def test_a_former_site_is_replaced_and_other_files_stay(tmp_path):
    mark = b'{"made_by": "zermelo publish", "files": ["index.html", "old/game.js", "site.json"]}'
    folder = tmp_path / "site"
    write_site(folder, {"index.html": b"1", "old/game.js": b"1", "site.json": mark})
    (folder / "CNAME").write_text("games.example")
    write_site(folder, {"index.html": b"2", "site.json": mark})
    assert sorted(one.name for one in folder.iterdir()) == ["CNAME", "index.html", "site.json"]
    assert (folder / "index.html").read_bytes() == b"2"
    assert [one.name for one in tmp_path.iterdir()] == ["site"]


def test_the_tutorial_plays_its_own_heuristics():
    docs = Path(__file__).parent.parent.parent / "docs"
    code = (docs / "play" / "tutorial.py").read_text(encoding="utf-8")
    assert code[code.index("@z.heuristic") :] in (docs / "tutorial.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("connect4", "engine(nodes=2000, solver=no)"),
        ("hex(size=5)", "engine(nodes=2000, solver=no, search=alphabeta)"),
        ("onitama", "engine(nodes=2000, solver=no)"),
        ("parcheckers", "engine(nodes=2000, solver=no)"),
        ("reversi", "engine(nodes=2000, solver=no)"),
        ("tictactoe", "engine(nodes=2000, solver=no)"),
    ],
)
def test_chromium_plays_the_native_moves_in_200_positions(game, player, browser, compile_player):
    found, chance, positions = find_game(game), random.Random(1), []
    while len(positions) < 200:
        position = found.start()
        for _ in range(chance.randrange(50)):
            if not position.is_over:
                position = position.play_code(chance.choice(position.codes))
        positions.append(position)
    module, native = compile_player(game, player), find_player(player, found)
    script = bundle("search", {"search": (Path(__file__).parent / "search.js").read_text(encoding="utf-8")})
    page = browser.new_page()
    page.add_script_tag(content=script)
    states = [base64.b64encode(state_bytes(one.state, None)).decode() for one in positions]
    answers = page.evaluate(
        "([wasm, states]) => searched(wasm, states, {nodes: 2000})", [base64.b64encode(module.data).decode(), states]
    )
    for position, answer in zip(positions, answers, strict=True):
        if position.is_over:
            assert answer is None
        else:
            choice = native.think(Position(found, position.state))
            expected = choice.move, choice.depth, choice.nodes
            assert (found.move_text(position.state, answer["move"]), answer["depth"], answer["nodes"]) == expected
    page.close()
