"""The levels in the form for a new game, and the estimate of the visitor's strength."""

from playwright.sync_api import expect

from zermelo.players.levels import levels_of
from zermelo.web.positions import game_of


def asked(server, results, game="connect4"):
    with server.client() as client:
        return client.get("/api/strength", params={"game": game, "results": results})


def test_a_few_results_say_nothing_and_more_say_more(server):
    assert asked(server, "3:2,3:0").json() == {"games": 2, "elo": None, "error": None, "level": None, "text": ""}
    even, winner = (asked(server, ",".join([one] * 30)).json() for one in ("4:1", "4:2"))
    elo = levels_of(game_of("connect4")).elo
    assert abs(even["elo"] - elo[3]) < 60 and even["elo"] < winner["elo"]
    assert even["error"] < asked(server, "4:1,4:1,4:1").json()["error"]
    assert f"level {even['level']}" in even["text"]


def test_nothing_is_estimated_where_nobody_measured_the_levels(server):
    assert not levels_of(game_of("tree/course")).is_measured
    assert asked(server, ",".join(["4:1"] * 9), "tree/course").json()["elo"] is None
    assert asked(server, ",".join(["4:1"] * 9), "tictactoe").json()["elo"] is not None


def test_wrong_results_are_refused(server):
    assert asked(server, "11:2,1:1,1:1").status_code == 400
    assert asked(server, "nonsense").status_code == 422


def test_a_newcomer_meets_an_opponent_he_can_beat(page, shot):
    page.goto("/tictactoe/-/-")
    assert "level 2, beginner" in page.inner_text("#seat-2")
    page.click("#new")
    shown = page.locator("#new-second optgroup[label=Levels] option").all_inner_texts()
    assert len(shown) == 10 and shown[0] == "1. Child" and shown[-1] == "10. Machine"
    shot(page, "levels")


def test_results_against_levels_are_counted_once(page):
    for _game in range(3):
        page.goto("/connect4/-/121212?second=level(3)")  # the first player can win now
        page.click('[data-move="1"]')
        expect(page.locator("#status")).to_contain_text("wins")
    expect(page.locator("#strength")).to_contain_text("After 3 games")
    page.reload()
    assert page.evaluate("JSON.parse(localStorage.getItem('zermelo-strength')).connect4.length") == 3
