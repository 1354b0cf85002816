"""Sharing: pictures, files, codes, and the names of openings."""

import json

import pytest
from playwright.sync_api import expect

import zermelo as z
from zermelo.games.reversi.openings import LINES


def test_files_of_a_position_and_a_game(server):
    with server.client() as http:
        query = {"line": "connect4/-/4455667"}
        assert http.get("/api/picture.svg", params=query).text.startswith("<svg")
        saved = http.get("/api/picture.svg", params=query | {"save": "position.svg"}).headers["content-disposition"]
        assert saved == 'attachment; filename="position.svg"'
        record = json.loads(http.get("/api/game.jsonl", params=query | {"first": "level(2)"}).text)
        assert record["players"] == ["level(2)", "human"] and record["winner"] == 1 and len(record["moves"]) == 7
        assert "game: connect4" in http.get("/api/game.txt", params=query).text
        html = http.get("/api/embed.html", params=query).text
        assert "data:image/svg+xml;base64," in html and "http" not in html
        assert b"<svg" in http.get("/api/qr.svg", params={"address": "http://127.0.0.1/connect4"}).content
        assert http.get("/api/qr.svg", params={"address": "javascript:1"}).status_code in (400, 422)


def test_the_dialog_saves_a_png(page, check_axe, shot):
    page.goto("/reversi/-/c4e3f6e6f5?first=human&second=human")
    expect(page.locator("#opening")).to_have_text("Tiger")
    page.click("#share")
    check_axe(page)
    shot(page, "share")
    with page.expect_download() as saving:
        page.click("#share-png")
    data = saving.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20], "big") == 1200
    with page.expect_download() as saving:
        page.click("#share-json")
    assert json.loads(saving.value.path().read_text())["game"] == "reversi"


def test_openings_have_their_names_in_any_direction():
    game = z.game("reversi")
    for line, name in LINES.items():
        assert game.opening_name(game.position(line)) == name
    for tiger in ("f5d6c3d3c4", "e6f4c3c4d3", "d3c5f6f5e6", "c4e3f6e6f5"):
        assert game.opening_name(game.position(tiger)) == "Tiger"
    assert game.opening_name(game.position("c4e3f6e6f5").play("c6")) == "Tiger"
    assert game.opening_name(game.start()) == ""
    assert z.game("connect4").opening_name(z.game("connect4").position("44")) == ""


@pytest.mark.parametrize("other", ["reversi(columns=6)"])
def test_other_boards_have_no_openings(other):
    game = z.game(other)
    assert game.opening_name(game.start().play(game.start().moves[0])) == ""
