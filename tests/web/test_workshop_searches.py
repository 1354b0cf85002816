"""Searches and players in the workshop: tried, checked, walked through and played, in processes of their own."""

import json
import re

import pytest
from playwright.sync_api import expect

from zermelo.core import JIT
from zermelo.errors import PlayerError
from zermelo.games import find_game
from zermelo.searches.budget import Budget
from zermelo.web.opponents import choices_of, opponent
from zermelo.web.settings import Settings
from zermelo.web.workbench import WorkshopPlayer, workbench
from zermelo.web.workshop_checks import counterexample
from zermelo.web.workshop_examples import NEGAMAX, PLAYER, TEXTBOOK
from zermelo.web.workshop_files import heuristics_in, players_in, searches_in

from .test_workshop import GOOD, line_of, write

WRONG = NEGAMAX.replace("-beta, -alpha", "alpha, beta").replace("return best", "return alpha")

SMALLEST = '[children]\nA = ["B", "C"]\nC = ["D"]\n[scores]\nB = 0\nD = 1\n[values]\nA = 0\nC = 0\n'
"""The tree that a check finds for it."""


def test_searches_are_found_without_running_them(tmp_path):
    settings = Settings(data=tmp_path)
    settings.workshop_folder.mkdir()
    (settings.workshop_folder / "mine.py").write_text(f"{NEGAMAX}\nraise SystemExit\n")
    (settings.workshop_folder / "broken.py").write_text("@z.search\ndef mine(")
    (settings.workshop_folder / "seen.py").write_text(GOOD)
    (settings.workshop_folder / "who.py").write_text(PLAYER)
    handed_in = "class Solution(StudentHeuristic):\n    def evaluation_function(self, state): return 0\n"
    (settings.workshop_folder / "homework.py").write_text(handed_in)
    assert list(heuristics_in(settings, find_game("reversi"))) == ["homework.py:Solution"]
    assert list(players_in(settings)) == ["who.py:Mine"]
    assert searches_in(settings) == {"mine.py:mine": "Negamax with alpha-beta: the value is for the player to move."}
    game = find_game("tictactoe")
    assert choices_of(game, settings)["Workshop"] == {
        "mine.py:mine": "mine.py:mine(depth=4)",
        "who.py:Mine": "who.py:Mine",
        "seen.py:mine": "alphabeta(depth=4, heuristic=seen.py:mine)",
    }
    assert "Workshop" not in choices_of(game, Settings(data=tmp_path, workshop=False))
    with pytest.raises(PlayerError, match="a page cannot name files"):
        opponent("../mine.py:mine(depth=2)", game, settings)
    with pytest.raises(PlayerError, match="the workshop is switched off"):
        opponent("mine.py:mine(depth=2)", game, Settings(data=tmp_path, workshop=False))


@pytest.mark.skipif(not JIT, reason="the searches of a check take minutes in plain Python")
def test_it_is_traced_analyses_and_plays_outside_the_server(server):
    """A search with a mistake, on the smallest tree that shows it and in a game."""
    with server.client() as http:
        ours = {"X-Zermelo-Token": http.get("/api/session").json()["token"]}
        put = http.put(
            "/api/workshop/files/own.py", json={"text": f"{WRONG}\nimport os\nPID = os.getpid()\n"}, headers=ours
        )
        assert put.json()["searches"] == ["own.py:mine"]
        assert http.post("/api/workshop/files/own.py/report").status_code == 403, "only our own page may run it"
        assert http.post("/api/workshop/files/none.py/report", headers=ours).status_code == 404
        tree = {"search": "own.py:mine", "tree": SMALLEST, "depth": 2}
        found = http.post("/api/tree", json=tree).json()
        minimax = http.post("/api/tree", json=tree | {"search": "minimax"}).json()
        assert (found["value"], minimax["value"]) == ("0", "1")
        assert found["windows"] and not minimax["windows"] and found["visited"] == minimax["visited"] == 4
        cut = http.post("/api/tree", json=tree | {"alpha": 2, "beta": 3}).json()
        assert cut["texts"][cut["low"][0]] == "2", "the window with which the search begins"
        assert http.post("/api/tree", json=tree | {"depth": 0}).json()["visited"] == 1
        for name, why in {
            "../own.py:mine": "there is no search",
            "/tmp/own.py:mine": "there is no search",
            "none.py:mine": "the workshop has no file none.py",
            "own.py:other": "has no search 'other'",
            "own.py:mine(w=../x.py:y)": "only weights",
        }.items():
            answer = http.post("/api/tree", json=tree | {"search": name})
            assert answer.status_code == 400 and why in answer.json()["error"]
        query = {"line": "tictactoe/-/-", "player": "own.py:mine(depth=2, heuristic=lines)"}
        assert re.search(r'"move": "[abc][123]"', http.get("/api/think", params=query).text)
        stream = http.get("/api/analyse", params={"line": "tictactoe/-/-", "depth": 2, "heuristic": "own.py:mine"}).text
        found = [json.loads(line[6:]) for line in stream.splitlines() if "qualities" in line]
        assert found[-1]["heuristic"] == "own.py:mine" and found[-1]["depth"] == 2 and len(found[-1]["qualities"]) == 9
        graph = http.get("/api/graph", params={"line": "tictactoe/-/a1", "nodes": 500, "heuristic": "own.py:mine"}).text
        assert graph.count('"ply"') == 2 and "own.py:mine</option>" in http.get("/analyse/tictactoe/-/-").text
        assert 'value="own.py:mine"' in http.get("/tournaments/new?game=tictactoe").text
        assert 'value="own.py:mine"' in http.get("/why/connect4/-/-").text
        http.delete("/api/workshop/files/own.py", headers=ours)


def test_a_player_is_tried_and_plays(tmp_path):
    """A class remembers what it has seen, and a fault is shown at its line."""
    settings = Settings(data=tmp_path)
    settings.workshop_folder.mkdir()
    file = settings.workshop_folder / "who.py"
    bench = workbench(settings.workshop_folder)
    game = find_game("tictactoe")
    try:
        file.write_text(PLAYER)
        [found] = bench.check("who.py", "tictactoe")["done"]["players"]
        assert (found["name"], found["game"]) == ("Mine", "tictactoe") and len(found["samples"]) == 3
        line = ["a1", "b2"]
        player = opponent("who.py:Mine", game, settings)
        assert isinstance(player, WorkshopPlayer) and player.choose(game.position("a1 b2")) not in line
        file.write_text(PLAYER.replace("self.number += 1", "self.number += 1 // 0"))
        fault = bench.check("who.py", "tictactoe")["fault"]
        assert "ZeroDivisionError" in fault["text"] and fault["line"] == line_of(PLAYER, "self.number += 1")
        assert fault["heuristic"] == "Mine"
        with pytest.raises(PlayerError, match="ZeroDivisionError"):
            opponent("who.py:Mine", game, settings).choose(game.start())
        file.write_text(
            "class Mine:\n    def choose(self, position, seconds_left): return position.moves[int(seconds_left)]\n"
        )
        player = opponent("who.py:Mine", game, settings)
        assert player.limited(Budget(seconds=2.5)).choose(game.start()) == game.start().moves[2], "the clock counts"
    finally:
        bench.close()


def test_an_infinite_window_can_be_sent(report_of):
    assert counterexample(report_of([float("-inf"), 2.0])) == {"tree": "t", "depth": 1, "alpha": None, "beta": 2.0}


@pytest.fixture
def report_of():
    from zermelo.check.reports import ERROR, Report

    def make(window):
        report = Report("search", "mine", facts={"tree": "t", "depth": 1, "window": window})
        report.found(ERROR, "window", "it is wrong")
        return report

    return make


# ------------------------------------------------------------------------------------------ in a browser


def test_from_a_new_search_to_its_counterexample(page, check_axe, shot):
    page.goto("/workshop")
    expect(page.locator("#node-words")).to_be_hidden()
    page.get_by_role("button", name="New…").click()
    page.locator("#new-kind").select_option("negamax")
    page.locator("#new-game").select_option("tictactoe")
    page.locator("#new-name").fill("searching")
    page.get_by_role("button", name="Create it").click()
    expect(page).to_have_url(re.compile("file=searching.py&game=tictactoe"))
    expect(page.locator(".CodeMirror")).to_contain_text("def mine(node, depth, alpha, beta)")
    expect(page.locator("#node-words")).to_contain_text("node.value_for(z.MAX)")
    page.get_by_role("button", name="Compile and try").click()
    expect(page.locator(".checked h2")).to_have_text("mine")
    expect(page.locator(".check-facts")).to_contain_text("Tic-tac-toe, with the heuristic lines")
    page.locator("#pairs").fill("1")
    page.locator("#depth").fill("2")
    page.get_by_role("button", name="Play the games").click()
    expect(page.locator("#standings tbody tr")).to_have_count(4)
    expect(page.locator("#standings")).to_contain_text("searching.py:mine(heuristic=lines)")
    expect(page.locator("#progress")).to_have_text("6 games")
    shot(page, "workshop-search")

    write(page, WRONG)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("wrong")
    expect(page.locator(".finding")).to_contain_text("it returns 0, and minimax returns 1")
    expect(page.locator(".finding")).to_contain_text("A (MAX) = 1   yours 0")
    expect(page.locator(".named-mistake")).to_contain_text("probably: the window is not swapped")
    expect(page.locator(".report .tree-box .node")).to_have_count(4)
    check_axe(page)
    shot(page, "workshop-check")
    page.locator(".report").get_by_role("link", name="See why").click()
    expect(page).to_have_url(re.compile(r"/why/own\?search=searching.py%3Amine&depth=2#"))
    expect(page.locator(".pane h2")).to_have_text(["searching.py:mine", "Minimax"])
    expect(page.locator(".counts").first).to_contain_text("value 0")
    expect(page.locator(".counts").last).to_contain_text("value 1")
    page.locator("[data-step=first]").click()
    expect(page.locator("#said")).to_contain_text("with the window [-inf, inf]")
    check_axe(page)
    shot(page, "why-own-search")


def test_a_player_on_a_phone_and_a_check_that_is_stopped(phone, shot, check_axe):
    phone.goto("/workshop?file=searching.py&game=tictactoe")
    write(phone, PLAYER)
    expect(phone.locator("#position-words")).to_contain_text("position.moves")
    phone.get_by_role("button", name="Compile and try").click()
    expect(phone.locator(".checked h2")).to_have_text("Mine")
    expect(phone.locator("#with-field")).to_be_hidden()
    check_axe(phone)
    shot(phone, "workshop-player-phone")
    write(phone, TEXTBOOK)
    phone.get_by_role("button", name="Check", exact=True).click()
    expect(phone.locator("#busy")).to_contain_text("Checking mine…")
    expect(phone.locator("#steps")).to_be_visible()
    phone.get_by_role("button", name="Stop", exact=True).click()
    expect(phone.locator("#fault")).to_contain_text("stopped")
    expect(phone.get_by_role("button", name="Check", exact=True)).to_be_enabled()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, "workshop-search-phone")
