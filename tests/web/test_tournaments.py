"""Tournaments, in a browser."""

import re

from playwright.sync_api import expect

from web.conftest import until

BUSY = 180_000  # milliseconds for a process to start and compile; on a machine with a load of 19 it took over 60 s


def begin(page, name, pairs, game="connect4", depth=3):
    page.goto(f"/tournaments/new?game={game}")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Pairs of games").fill(str(pairs))
    page.get_by_label("Value", exact=True).fill(str(depth))
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile("/tournaments/[a-z0-9-]+$"), timeout=BUSY)


def test_from_the_form_to_the_last_game(page, check_axe, shot):
    page.goto("/tournaments")
    page.get_by_role("link", name="New tournament").click()
    check_axe(page)
    shot(page, "tournament-new")
    begin(page, "Small cup", 3, "tictactoe")
    expect(page.locator("#state")).to_have_text("finished", timeout=BUSY)
    expect(page.locator("#progress")).to_have_text("6 games")
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    expect(page.locator("#chart svg").first).to_be_visible()
    check_axe(page)
    page.locator("#cross td button").first.click()
    expect(page.locator("#one")).not_to_have_value("")
    page.locator("#games a").first.click()
    expect(page.locator("#board svg")).to_be_visible()
    last = page.locator("#board").get_attribute("aria-label")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board")).not_to_have_attribute("aria-label", last)
    page.get_by_role("button", name="Go to the opening").click()
    expect(page.get_by_role("button", name="One move back")).to_be_disabled()
    expect(page).to_have_url(re.compile("ply=0"))
    page.reload()
    expect(page.get_by_role("button", name="One move back")).to_be_disabled()
    check_axe(page)
    shot(page, "tournament-game")
    page.get_by_role("link", name="Review the game").click()
    page.wait_for_url("**/analyse/tictactoe/**")
    expect(page.locator("#graph svg")).to_be_visible()
    until(page, "document.getElementById('accuracy').textContent.includes('%')")
    expect(page.locator("#played")).to_contain_text("lines")
    check_axe(page)
    page.goto("/tournaments")
    expect(page.get_by_role("link", name=re.compile("Small cup.*finished"))).to_be_visible()


def test_it_is_watched_live_stopped_and_resumed(page, open_page, shot):
    begin(page, "Live cup", 100, depth=7)
    expect(page.locator("#state")).to_have_text("playing", timeout=BUSY)
    expect(page.locator(".live-table svg").first).to_be_visible(timeout=BUSY)
    expect(page.locator("#standings tbody tr")).to_have_count(4, timeout=BUSY)
    shot(page, "tournament-live")
    phone = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark")
    phone.goto(page.url)
    expect(phone.locator(".live-table svg").first).to_be_visible(timeout=BUSY)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, "tournament-live-phone")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#state")).to_have_text("stopped")
    expect(phone.locator("#state")).to_have_text("stopped")
    expect(page.locator("#live")).to_be_hidden()
    page.get_by_role("button", name="Resume").click()
    expect(phone.locator("#state")).to_have_text("playing", timeout=BUSY)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/tournaments$"))


def test_what_is_wrong_in_the_form_is_said_there(page):
    page.goto("/tournaments/new?game=tictactoe")
    page.get_by_label("Another player, as text").fill("alphabeta(depth=0)")
    page.get_by_role("button", name="Add").click()
    page.expected_errors.append("400")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#problem")).to_contain_text("depth=0 is not a whole number from 1 to 64", timeout=BUSY)


def test_openings_of_ones_own_are_checked(page):
    page.goto("/tournaments/new?game=tictactoe")
    page.locator("summary").click()
    page.get_by_label("Openings, one per line").fill("b2 a1\n\nb2 b2\n")
    page.expected_errors.append("400")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#problem")).to_contain_text("openings.positions: Tic-tac-toe position 'b2 b2'", timeout=BUSY)


def test_the_page_finds_the_server_again(page, open_page, server):
    begin(page, "Patient cup", 2, "tictactoe")
    expect(page.locator("#state")).to_have_text("finished", timeout=BUSY)
    page.expected_errors += ["WebSocket", "ERR_CONNECTION_REFUSED"]
    server.stop()
    try:
        expect(page.locator("#notice")).to_contain_text("connection was lost")
    finally:
        server.start()  # the other tests need it
    expect(page.locator("#notice")).to_contain_text("Connected again")
    expect(page.locator("#state")).to_have_text("finished")


def test_the_standings_fit_whatever_the_players_are_called(page, server, shot):
    names = ["static_board_negative_centre", "alphabeta(depth=1, heuristic=static_board_negative_centre)", "random"]
    wanted = {"name": "Long names", "game": "reversi", "contestants": names, "pairs": 1, "depth": 1}
    with server.client(headers={"X-Zermelo-Token": server.app.state.token}) as http:
        cup = http.post("/api/tournaments", json=wanted).json()["id"]
    page.goto(f"/tournaments/{cup}")
    expect(page.locator("#state")).to_have_text("finished", timeout=BUSY)
    wide, room = page.locator("#standings").evaluate("table => [table.scrollWidth, table.clientWidth]")
    assert wide <= room
    shot(page, "standings-long-names")
