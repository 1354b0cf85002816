"""Puzzles in the page: the one of the day, a streak that the browser keeps, and the list."""

import datetime

import pytest
from playwright.sync_api import expect

from web.conftest import PHONE, until
from zermelo.puzzles import daily_puzzle, find_puzzle, games_with_puzzles, puzzles_of

DAYS = ("2026-11-18", "2026-11-19", "2026-11-21")


def test_the_server_judges_and_does_not_give_the_answer_away(server):
    puzzle = daily_puzzle(datetime.date.fromisoformat(DAYS[0]))
    wrong = next(move for move in puzzle.start.moves if move != puzzle.move)
    with server.client() as http:
        path = f"/api/puzzles/{puzzle.id}"
        right = http.get(f"{path}/try", params={"move": puzzle.move}).json()
        assert right["right"] and right["view"]["last"] == puzzle.move
        refused = http.get(f"{path}/try", params={"move": wrong}).json()
        assert not refused["right"] and refused["view"] is None and "does not win" in refused["text"]
        assert http.get(f"{path}/try", params={"move": "nonsense"}).status_code == 400
        assert http.get(f"{path}/answer").json()["move"] == puzzle.move
        page = http.get("/puzzles", params={"date": DAYS[0]}).text
        assert puzzle.id in page and '"move":' not in page
        assert http.get("/puzzles/nothing-1").status_code == 404
        assert http.get("/puzzles?date=yesterday").status_code == 422


@pytest.mark.parametrize("name", games_with_puzzles())
def test_every_game_has_its_page(server, name):
    with server.client() as http:
        shown = http.get(f"/puzzles/{name}", follow_redirects=True)
        assert shown.status_code == 200 and puzzles_of(name)[0].id in shown.text


def solve(page):
    puzzle = find_puzzle(page.evaluate("JSON.parse(document.getElementById('data').textContent).id"))
    place = page.locator(f'#board [data-move="{puzzle.move}"]').first
    place.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_class("status right")
    return puzzle


def test_a_streak_is_kept_in_the_browser(open_page, check_axe, shot):
    page = open_page()
    page.goto(f"/puzzles?date={DAYS[0]}")
    check_axe(page)
    expect(page.locator(".puzzle-list [aria-current]")).to_be_visible()
    assert page.evaluate("scrollY") == 0, "only the list of puzzles is scrolled"
    solve(page)
    expect(page.locator("#streak")).to_have_text("1")
    shot(page, "puzzles")
    page.goto(f"/puzzles?date={DAYS[1]}")
    solve(page)
    expect(page.locator("#streak")).to_have_text("2")
    page.goto(f"/puzzles?date={DAYS[2]}")  # a day was left out
    expect(page.locator("#streak")).to_have_text("0")
    page.click("#answer")
    expect(page.locator("#status")).to_contain_text("The winning move is")
    solve(page)
    expect(page.locator("#streak")).to_have_text("0")  # the answer was shown, so that does not count
    expect(page.locator("#longest")).to_have_text("2")
    expect(page.locator("#solved")).to_have_text("2")


def test_on_a_phone_in_spanish_and_dark(open_page, check_axe, shot):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark", locale="es-ES")
    page.goto("/puzzles/connect4")
    puzzle = find_puzzle(page.url.rpartition("/")[2])
    wrong = next(move for move in puzzle.start.moves if move != puzzle.move)
    page.locator(f'#board [data-move="{wrong}"]').first.tap()
    expect(page.locator("#status")).to_contain_text("no gana")
    check_axe(page)
    shot(page, "puzzles-phone")
    first = page.url
    page.click("#next")
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".puzzle-list [aria-current]")).to_have_count(1)
    page.select_option("#puzzle-game", "hex")
    page.wait_for_url("**/puzzles/hex-*")


def test_no_page_is_touched_before_its_script_has_run(page):
    """This is about the tests themselves: see HIDDEN_UNTIL_READY."""
    held = []
    page.route("**/puzzles_page.js", lambda route: held.append(route))
    page.goto("/puzzles", wait_until="commit")
    page.locator("#next").wait_for(state="attached")
    until(page, "() => document.readyState !== 'complete'")
    assert not page.locator("#next").is_visible()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(page.locator("#next")).to_be_visible()
