"""Pages without a server, in Chromium: from a file, from a folder that is served, on a desktop and on a phone."""

import contextlib
import functools
import http.server
import threading
import time
from pathlib import Path

import pytest

from _published import OWN, PUBLISHED, both_answers, prepare_page
from zermelo.errors import PublishError
from zermelo.games import find_game
from zermelo.publish.bundling import said_in
from zermelo.publish.drawn import words_for
from zermelo.publish.pages import TEXTS, GamePage, PublishedPlayer, as_json, page_script
from zermelo.publish.sites import SitePlan, page_plan, single_file, site_files
from zermelo.publish.writing import write_site
from zermelo.puzzles import puzzles_of

playwright = pytest.importorskip("playwright.sync_api", reason="these tests need a browser")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

BUSY = 240_000
PLAYER = "Four plies = alphabeta(heuristic=parity12, depth=4)"
SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}


@contextlib.contextmanager
def opening(browser):
    """A function that opens an address; it fails if the page writes errors, or asks for anything once it has loaded."""
    problems = []

    with contextlib.ExitStack() as opened:

        def open_(address, size="desktop", **options):
            context = browser.new_context(**{"viewport": SIZES[size], "service_workers": "block"} | options)
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


@pytest.fixture
def open_page(browser):
    with opening(browser) as open_:
        yield open_


@pytest.fixture
def in_firefox(firefox):
    with opening(firefox) as open_:
        yield open_


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
    narrow = open_page((site / "puzzles.html").as_uri() + "#lang=es", "phone")
    assert narrow.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]


def test_every_text_of_a_page_is_translated(site):
    texts = TEXTS | said_in(page_script())
    assert {text for text in texts if len(text) > 1} <= set(words_for(texts)["es"]), "a letter such as X stays as it is"


def test_a_page_speaks_both_languages(site, open_page):
    page = open_page((site / "one.html").as_uri() + "#lang=es&moves=4")
    assert page.locator("#undo").inner_text() == "Deshacer"
    assert page.locator("html").get_attribute("lang") == "es"
    assert page.title() == page.locator(".brand").inner_text() == "Conecta 4"
    page = open_page((site / "one.html").as_uri(), locale="es-MX")
    assert page.locator("#undo").inner_text() == "Deshacer"


@pytest.mark.parametrize("size", SIZES)
def test_a_served_folder_plays_and_has_no_barriers(served, open_page, size, tmp_path):
    page = open_page(served + "#moves=4,4&first=person&second=person&scores=yes", size)
    until(page, "document.querySelectorAll('#board .mark').length === 7")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size]["width"]
    header, name = (page.locator(place).bounding_box() for place in ("header.top", ".brand span"))
    assert name["width"] > 50 and name["y"] + name["height"] <= header["y"] + header["height"]
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


def test_a_site_can_be_installed(served, browser):
    """Chromium finds a manifest without errors, and nothing that speaks against installing the site as an app."""
    with contextlib.closing(browser.new_context()) as context:
        context.set_default_timeout(BUSY)
        page = context.new_page()
        page.goto(served)
        page.wait_for_selector("html[data-ready]")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        session = context.new_cdp_session(page)
        found = session.send("Page.getAppManifest")
        assert found["url"] == f"{served}manifest.webmanifest" and not found["errors"]
        errors = [one["errorId"] for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        assert [one for one in errors if one != "in-incognito"] == [], "Playwright's contexts are incognito windows"


@pytest.mark.parametrize("where", ["a single file", "a folder", "a server"])
def test_firefox_plays(site, served, in_firefox, where):
    """From a disk as well as from a server: it plays, shows scores, and the address holds the game."""
    files = {"a single file": site / "one.html", "a folder": site / "site" / "index.html"}
    page = in_firefox(files[where].as_uri() if where in files else served)
    page.locator('[data-move="4"]').click()
    until(page, "document.querySelectorAll('#moves li').length === 2")
    assert "#moves=4," in page.url
    page.locator("#show-scores").check()
    until(page, "document.querySelectorAll('#board .mark').length === 7")
    again = in_firefox(page.url + "&lang=es")
    assert moves_on(again) == moves_on(page)
    assert again.locator("#undo").inner_text() == "Deshacer"


@pytest.mark.parametrize(("game", "marked"), [("onitama", 0), ("hex", 5), ("connect4", None)])
def test_a_page_marks_as_many_moves_as_the_lab(game, marked):
    assert GamePage(find_game(game), (), "", "", "", False, ()).settings["marked"] == marked


@pytest.mark.parametrize("game", ["connect4", "hex", "onitama", "parcheckers", "reversi", "tictactoe"])
def test_a_gallery_has_dark_pictures_for_readers_of_dark_pages(game):
    assert "prefers-color-scheme:dark" in GamePage(find_game(game), (), "", "", "", False, ()).game_picture()


def test_the_page_of_connect_4_in_one_file_is_under_a_megabyte(compile_player):
    """With the solver, its book, and the player that a page has if none is named."""
    assert len(single_file(page_plan("connect4"), print, compile_player)) < 1_000_000


def test_a_player_that_nobody_named_is_called_the_engine_in_both_languages():
    """And not by what a command calls it."""
    ((title, text),) = page_plan("tictactoe").players
    assert (title, text) == ("Engine", "engine(seconds=0.5)")
    player = PublishedPlayer(title, None, ())
    script = GamePage(find_game("tictactoe"), (player,), "", "", "", False, ()).script(installable=False, root="")
    assert '"Engine":"Motor"' in script


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
@pytest.mark.parametrize(("game", "player"), [(game, player.replace(str(OWN), OWN.name)) for game, player in PUBLISHED])
def test_chromium_plays_the_native_moves_in_200_positions(game, player, browser, compile_player, tmp_path):
    player = player.replace(OWN.name, str(OWN))
    (tmp_path / "player.wasm").write_bytes(compile_player(game, player).data)
    page = browser.new_page()
    prepare_page(page)
    for one in both_answers(tmp_path / "player.wasm", game, player, 200, page):
        assert one["chromium"] == one["native"], one["position"]
    page.close()
