"""The workshop: users' code is compiled and run in other processes, and errors are shown at their line."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

import waiting
from zermelo.core import JIT
from zermelo.errors import HeuristicError, PlayerError
from zermelo.games import find_game, game_names
from zermelo.processes.sandbox import SandboxLimits, missing
from zermelo.web.opponents import opponent
from zermelo.web.settings import Settings
from zermelo.web.workbench import MOST_CHECKS, Workbench, WorkshopPlayer, use_sandbox, workbench
from zermelo.web.workshop_examples import starter
from zermelo.web.workshop_files import heuristics_in

from .conftest import Lab

GOOD = '''\
import zermelo as z
from zermelo.games.tictactoe.rules import TicTacToe

MIDDLE = z.bit(4)


@z.heuristic
def mine(state: TicTacToe):
    """The middle cell, mine or theirs."""
    return z.count(state.mine & MIDDLE) - z.count(state.theirs & MIDDLE)
'''
ENDLESS = GOOD.replace("return z", "n = 0\n    while n >= 0:\n        n = (n + 1) % 1000\n    return n + z")


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = Workbench(tmp_path_factory.mktemp("workshop"))
    yield made
    made.close()


def check(bench, text, seconds=60.0):
    (bench.folder / "mine.py").write_text(text)
    return bench.check("mine.py", seconds=seconds)


def edited(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")
def test_in_the_sandbox_code_is_tried_and_reaches_nothing(tmp_path):
    folder, touched = tmp_path / "workshop", tmp_path / "touched"
    folder.mkdir(0o755)
    use_sandbox(folder, SandboxLimits())
    boxed = Workbench(folder)
    try:
        done = check(boxed, f"{GOOD}\ntry:\n    open({str(touched)!r}, 'w')\nexcept OSError:\n    pass\n", 120.0)
    finally:
        boxed.close()
        use_sandbox(folder, None)
    assert [one["name"] for one in done["done"]["heuristics"]] == ["mine"]
    assert not touched.exists()


def test_a_good_one_is_compiled_tried_and_timed(bench):
    [found] = check(bench, GOOD)["done"]["heuristics"]
    assert (found["name"], found["game"], found["choice"]) == ("mine", "tictactoe", "b2")
    assert (found["low"], found["high"]) == (-1, 1), "the middle is mine, theirs or nobody's"
    assert found["samples"][0]["picture"]["glyphs"] and found["rate"] > 0


def test_what_is_checked_is_what_was_saved_last(bench):
    """Two versions of one length within a second: neither Python's byte-code nor ours is taken for the other's."""
    for value in (1, 2, 3, 4):
        [found] = check(bench, edited("return z", f"return {value}\n    return z"))["done"]["heuristics"]
        assert (found["low"], found["high"]) == (value, value)


@pytest.mark.parametrize("name", [name for name in game_names() if not name.startswith("tree/")])
@pytest.mark.skipif(not JIT, reason="every game's search in plain Python")
@pytest.mark.slow
def test_the_starter_of_every_game_works(bench, name):
    [found] = check(bench, starter(find_game(name)))["done"]["heuristics"]
    assert found["game"] == name


@pytest.mark.parametrize(
    ("old", "new", "part", "message"),
    [
        ("def mine(state: TicTacToe):", "def mine(state: TicTacToe)", "def mine", "SyntaxError: expected ':'"),
        ("MIDDLE = z.bit(4)", "MIDDLE = bit(4)", "MIDDLE =", "NameError: name 'bit' is not defined"),
        (
            "def mine(state: TicTacToe):",
            "def mine(state: TicTacToe, w):",
            "def mine",
            "mine has the wrong number of",
        ),
        ("import TicTacToe", "import Tictactoe", "import Tictactoe", "cannot import name 'Tictactoe'"),
        ("return z", "return 1 // (z.count(state.mine) - 2)\n    return z", "return 1", "ZeroDivisionError"),
        ("@z.heuristic\n", "", None, "this file has nothing to try; write @z.heuristic above a function"),
    ],
)
def test_a_fault_has_its_line(bench, old, new, part, message):
    text = edited(old, new)
    fault = check(bench, text)["fault"]
    assert message in fault["text"] and "mine.py:" not in fault["text"]
    assert fault["line"] == (part and line_of(text, part))


@pytest.mark.skipif(not JIT, reason="what cannot be compiled can run as plain Python")
@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("return z.count(state.my_stones)", "TicTacToe has no 'my_stones'"),
        ("print(open('x'))", ""),
    ],
)
def test_what_cannot_be_compiled_has_its_line(bench, new, message):
    text = edited("return z", f"if state.mine:\n        {new}\n    return z")
    fault = check(bench, text)["fault"]
    assert fault["line"] == line_of(text, new)
    assert message in fault["text"]


def test_a_loop_without_end_is_stopped(bench):
    bench.warm_up()
    fault = check(bench, ENDLESS, seconds=6)["fault"]
    assert "did not finish within 6 seconds" in fault["text"]
    assert check(bench, GOOD)["done"], "the next one is not harmed"


def test_so_many_at_once_and_no_more(bench):
    (bench.folder / "endless.py").write_text(ENDLESS)
    with ThreadPoolExecutor(MOST_CHECKS) as pool:
        checks = [pool.submit(bench.check, "endless.py") for _ in range(MOST_CHECKS)]
        while len(bench.checking) < MOST_CHECKS:
            time.sleep(0.01)
        with pytest.raises(HeuristicError, match="3 files are being compiled already"):
            bench.check("endless.py")
        assert bench.stop() == MOST_CHECKS
        assert [check.result()["fault"]["text"] for check in checks] == ["stopped"] * MOST_CHECKS


def test_a_crash_is_only_its_own(bench):
    fault = check(bench, f"import os\n{GOOD}\nos._exit(7)\n")["fault"]
    assert "it crashed: the process ended with status 7" in fault["text"]
    assert check(bench, GOOD)["done"]


def test_it_plays_in_a_process_of_its_own(tmp_path):
    settings = Settings(data=tmp_path)
    settings.workshop_folder.mkdir()
    (settings.workshop_folder / "mine.py").write_text(GOOD)
    game = find_game("tictactoe")
    assert heuristics_in(settings, game) == {"mine.py:mine": "The middle cell, mine or theirs."}
    assert heuristics_in(settings, find_game("connect4")) == {}
    player = opponent("alphabeta(depth=1, heuristic=mine.py:mine)", game, settings)
    assert isinstance(player, WorkshopPlayer)
    try:
        assert player.choose(game.start()) == "b2"
        (settings.workshop_folder / "mine.py").write_text(edited("MIDDLE = z.bit(4)", "MIDDLE = z.bit(8)"))
        again = opponent("alphabeta(depth=1, heuristic=mine.py:mine)", game, settings)
        assert again.choose(game.start()) == game.move_text(game.start_state(), 8), "the new text counts"
        with pytest.raises(PlayerError, match="has no heuristic 'other'"):
            opponent("alphabeta(depth=1, heuristic=mine.py:other)", game, settings).choose(game.start())
    finally:
        workbench(settings.workshop_folder).close()
    with pytest.raises(PlayerError, match=r"the workshop has no file none\.py"):
        opponent("alphabeta(heuristic=none.py:mine)", game, settings)


CLASS = """
class Counts:
    def __init__(self):
        self.asked = 0
    def choose(self, position):
        self.asked += 1
        print("an odd thing to do")
        return position.moves[self.asked]

class Fails:
    def choose(self, position):
        return position.moves[99]
"""


def test_a_class_of_players_keeps_its_object_from_one_request_to_the_next(tmp_path):
    settings = Settings(data=tmp_path)
    settings.workshop_folder.mkdir()
    (settings.workshop_folder / "mine.py").write_text(CLASS)
    start = find_game("tictactoe").start()
    later = start.play(start.moves[1]).play(start.moves[0])
    try:
        assert opponent("mine.py:Counts", start.game, settings).choose(start) == start.moves[1]
        assert opponent("mine.py:Counts", start.game, settings).choose(later) == later.moves[2]
        with pytest.raises(PlayerError, match=r"mine\.py:12: IndexError: tuple index out of range"):
            opponent("mine.py:Fails", start.game, settings).choose(start)
    finally:
        workbench(settings.workshop_folder).close()


def test_it_analyses_and_shows_its_search(server):
    """It runs in a separate process, and never in the server."""
    with server.client() as http:
        ours = {"X-Zermelo-Token": http.get("/api/session").json()["token"]}
        assert http.put("/api/workshop/files/seen.py", json={"text": GOOD}, headers=ours).status_code == 200
        named = {"heuristic": "seen.py:mine"}
        assert 'value="seen.py:mine"' in http.get("/analyse/tictactoe/-/-").text
        assert 'value="seen.py:mine"' in http.get("/why/tictactoe/-/-").text
        assert 'value="seen.py:mine"' not in http.get("/why/connect4/-/-").text
        stream = http.get("/api/analyse", params={"line": "tictactoe/-/-", "depth": 1, "seconds": 5} | named).text
        found = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
        assert found[-2]["heuristic"] == "seen.py:mine" and found[-1] == {}
        best = [move for move, quality in found[-2]["qualities"].items() if quality == "best"]
        assert best == ["b2"], "the middle is all that it knows"
        stream = http.get("/api/graph", params={"line": "tictactoe/-/a1b2", "nodes": 500} | named).text
        points = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith('data: {"ply"')]
        assert [(point["ply"], point.get("played")) for point in points] == [(0, "a1"), (1, "b2"), (2, None)]
        tree = http.post("/api/tree", json={"game": "tictactoe", "depth": 1} | named).json()
        assert (tree["best"], tree["value"], tree["visited"]) == ("b2", "1", 10)
        assert tree["search"] == "alphabeta(heuristic=seen.py:mine, depth=1)"
        broken = GOOD.replace("return z", "return 1 // 0 + z")
        http.put("/api/workshop/files/seen.py", json={"text": broken}, headers=ours)
        answer = http.post("/api/tree", json={"game": "tictactoe", "depth": 1} | named)
        assert answer.status_code == 400 and "ZeroDivisionError" in answer.json()["error"]
        http.delete("/api/workshop/files/seen.py", headers=ours)


def test_files_elsewhere_cannot_be_named(tmp_path):
    settings = Settings(data=tmp_path)
    game = find_game("tictactoe")
    for text in ("../mine.py:mine", "/tmp/mine.py:mine", "sub/mine.py:mine"):
        with pytest.raises(PlayerError, match="a page cannot name files"):
            opponent(f"alphabeta(heuristic={text})", game, settings)
    with pytest.raises(PlayerError, match="the workshop is switched off"):
        opponent("alphabeta(heuristic=mine.py:mine)", game, Settings(data=tmp_path, workshop=False))


@pytest.mark.parametrize("settings", [{"workshop": False}, {"host": "0.0.0.0"}])
def test_it_can_be_closed(tmp_path, settings):
    lab = Lab(Settings(data=tmp_path, **settings))
    try:
        with lab.client() as http:
            token = {"X-Zermelo-Token": http.get("/api/session").json()["token"]}
            assert http.get("/workshop").status_code == 403
            assert http.get("/api/workshop/files").status_code == 403
            answer = http.put("/api/workshop/files/mine.py", json={"text": GOOD}, headers=token)
            assert answer.status_code == 403 and "The workshop is closed" in answer.json()["error"]
            assert 'href="/workshop"' not in http.get("/").text
    finally:
        lab.stop()
    assert not (tmp_path / "workshop" / "mine.py").exists()


def test_only_our_own_page_may_write_or_run(server):
    with server.client() as http:
        token = http.get("/api/session").json()["token"]
        address = "/api/workshop/files/theirs.py"
        for headers in ({}, {"X-Zermelo-Token": token, "Origin": "http://elsewhere.example"}):
            assert http.put(address, json={"text": GOOD}, headers=headers).status_code == 403
            assert http.post(f"{address}/check", headers=headers).status_code == 403
        ours = {"X-Zermelo-Token": token}
        for name in ("..%2Fx.py", "x.txt", "A.py"):
            assert http.put(f"/api/workshop/files/{name}", json={"text": ""}, headers=ours).status_code in (400, 404)
        assert http.put(address, json={"text": "x" * 100_001}, headers=ours).status_code == 422
        assert http.put(address, json={"text": GOOD}, headers=ours).json()["heuristics"] == ["theirs.py:mine"]
        assert "theirs.py" in http.delete(address, headers=ours).request.url.path
        assert http.get(address).status_code == 404


# ------------------------------------------------------------------------------------------ in a browser


def write(page, text):
    page.wait_for_selector(".CodeMirror")
    page.evaluate("text => document.querySelector('.CodeMirror').CodeMirror.setValue(text)", text)


def test_from_a_fault_to_a_match_with_error_bars(page, check_axe, shot):
    page.goto("/workshop")
    write(page, edited("return z", "wrong = state.stones\n    return z"))
    expect(page.locator("#saved")).to_have_text("not saved")
    page.get_by_role("button", name="Compile and try").click()
    expect(page.locator("#fault")).to_contain_text("TicTacToe has no 'stones'")
    expect(page.locator(".fault-line")).to_have_count(1)
    shot(page, "workshop-fault")
    page.get_by_role("button", name="Show the line").click()
    write(page, GOOD)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".checked h2")).to_have_text("mine")
    expect(page.locator("#fault")).to_be_hidden()
    check_axe(page)
    page.locator("#pairs").fill("3")
    page.get_by_role("button", name="Play the games").click()
    expect(page.locator("#standings tbody tr")).to_have_count(3)
    expect(page.locator("#progress")).to_have_text("12 games")
    expect(page.locator("#chart svg").first).to_be_visible()
    shot(page, "workshop")
    page.get_by_role("link", name="Play against it").click()
    expect(page).to_have_url(re.compile(r"/tictactoe/-/-\?second=alphabeta"))
    page.locator('#board [data-move="a1"]').click()
    expect(page.locator("#moves li")).to_have_count(2)


def test_a_check_can_be_stopped(page, server):
    page.goto("/workshop")
    write(page, ENDLESS)
    page.get_by_role("button", name="Compile and try").click()
    waiting.until(lambda: workbench(server.settings.workshop_folder).checking)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#fault")).to_contain_text("stopped")
    expect(page.get_by_role("button", name="Compile and try")).to_be_enabled()


def test_new_files_and_drafts(page):
    page.goto("/workshop")
    page.get_by_role("button", name="New…").click()
    page.locator("#new-game").select_option("hex")
    page.locator("#new-name").fill("paths")
    page.get_by_role("button", name="Create it").click()
    expect(page).to_have_url(re.compile("file=paths.py"))
    expect(page.locator(".CodeMirror")).to_contain_text("board.distance")
    write(page, "# half a thought")
    page.reload()
    expect(page.locator(".CodeMirror")).to_contain_text("half a thought")
    expect(page.locator("#saved")).to_have_text("not saved")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#file")).not_to_contain_text("paths.py")


def test_it_fits_a_phone(phone, shot):
    phone.goto("/workshop")
    expect(phone.locator(".CodeMirror")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, "workshop-phone")
