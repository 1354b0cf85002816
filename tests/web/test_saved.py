"""The list of saved games in a browser: one entry a game, deleting with undo, on a phone."""

import sqlite3

import pytest
from playwright.sync_api import expect

from web.conftest import until, wait_for_saved
from zermelo.match import Record
from zermelo.web.game_store import GameStore, NotYours


def entries(server):
    with server.client() as http:
        return [(game["id"], game["plies"]) for game in http.get("/api/saved").json()]


def test_a_continued_game_stays_one_entry(page, server, saved):
    known = [{"move": "a1", "seconds": 4.5}, {"move": "b1", "seconds": 0.5, "score": 7, "depth": 3}]
    saved("aaaa0001", "tictactoe/-/a1b1", moves=known)
    page.goto("/saved")
    page.locator("tbody a").first.click()
    until(page, "!location.search.includes('saved=')")  # a link that is sent to others does not have it
    page.click('[data-move="b2"]')
    until(page, "document.querySelectorAll('#moves li').length === 4")
    wait_for_saved(server, 4)
    assert entries(server) == [("aaaa0001", 4)]
    with server.client() as http:
        line = http.get("/api/saved.jsonl").text
    assert '"seconds": 4.5' in line.replace('":', '": ').replace(":  ", ": "), "what was known of the moves stays known"
    page.click('[data-view="/analyse"]')
    page.wait_for_selector("#graph")
    page.click('[data-view=""]')
    page.wait_for_selector("#undo")
    page.locator("#board [data-move]").first.click()
    until(page, "document.querySelectorAll('#moves li').length > 4")
    until(page, "document.getElementById('status').textContent.length > 0")
    assert len(entries(server)) == 1, "looked at elsewhere, it is still the same game"


def test_another_way_from_a_saved_game_is_another_game(page, server, saved):
    saved("aaaa0002", "tictactoe/-/a1b1b2", players=("human", "human"))
    page.goto("/saved")
    page.locator("tbody a").first.click()
    until(page, "!location.search.includes('saved=')")
    page.click("#undo")
    until(page, "location.search.includes('at=2')")
    page.click('[data-move="c3"]')
    until(page, "document.querySelectorAll('#moves li').length === 3 && !location.search.includes('at=')")
    for _ in range(1200):  # both games have three plies, so their number tells when the new one is there
        if len(entries(server)) == 2:
            break
        page.wait_for_timeout(50)
    assert len(entries(server)) == 2 and ("aaaa0002", 3) in entries(server)


def test_deleting_can_be_undone(page, server, saved, check_axe):
    saved("aaaa0003", "tictactoe/-/a1b1")
    page.goto("/saved")
    page.get_by_role("button", name="Delete").first.click()
    expect(page.locator("tbody tr")).to_be_hidden()
    assert entries(server) == []
    check_axe(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tbody tr")).to_be_visible()
    assert entries(server) == [("aaaa0003", 2)]


def test_the_list_fits_a_phone(phone, saved, shot, check_axe):
    saved("aaaa0004", "connect4/-/44444132", players=("human", "alphabeta(depth=4, heuristic=lines2)"))
    saved("aaaa0005", "hex/5x5,swap=yes/c3a1")
    phone.goto("/saved")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert phone.locator(".scroll").evaluate("list => list.scrollWidth <= list.clientWidth")
    box = phone.get_by_role("button", name="Delete").first.bounding_box()
    assert box["x"] + box["width"] <= 390, "all can be reached without scrolling sideways"
    check_axe(phone)
    shot(phone, "saved-phone")


def test_a_click_and_a_key_draw_no_frame_round_the_page(page):
    page.goto("/tictactoe/-/a1b1?second=human")
    page.locator("#status").click()
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelectorAll('#moves [aria-current]').length === 1")
    assert page.evaluate("getComputedStyle(document.getElementById('main')).outlineStyle") == "none"


def test_a_file_of_an_older_version_is_taken_over(tmp_path):
    record = Record("tictactoe", ("human", "random"), "-", [])
    with sqlite3.connect(tmp_path / "games.sqlite") as old:
        old.execute("CREATE TABLE games (id TEXT PRIMARY KEY, saved REAL NOT NULL, record TEXT NOT NULL)")
        old.execute("INSERT INTO games VALUES ('0123-abcd', 1.0, ?)", (record.to_json(),))
    old.close()
    store = GameStore(tmp_path)
    assert [game.id for game in store.all()] == ["0123-abcd"]
    with pytest.raises(NotYours):
        store.delete("0123-abcd", "somebody")
    assert store.delete("0123-abcd") and store.all() == []
    assert store.restore("0123-abcd") and not store.restore("0123-abcd")
