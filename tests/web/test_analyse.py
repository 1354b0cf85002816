"""Analysing in a real browser."""

import re

import pytest

import zermelo as z
from web.conftest import until


def wait_for_marks(page):
    page.wait_for_selector("#board .mark")


def test_every_move_has_its_score_on_the_board(page, check_axe, shot):
    page.goto("/analyse/tictactoe/-/a1b2b1")
    until(page, "document.querySelectorAll('#board .mark').length === 6")
    until(page, "document.getElementById('stop').textContent === 'Again'")
    texts = page.locator("#board .mark").all_text_contents()
    assert texts.count("L2") == 5, "O must block on c1, or X wins in two plies"
    assert page.locator('[data-move="c1"]').get_attribute("data-quality") == "best"
    assert page.locator('[data-move="a2"]').get_attribute("data-quality") == "bad"
    assert page.locator("#lines li").count() == 5
    check_axe(page)
    shot(page, "analyse-tictactoe")


def test_the_bar_says_who_is_winning(page):
    page.goto("/analyse/tictactoe/-/a1b1b2c2")
    until(page, "document.getElementById('bar').getAttribute('aria-valuenow') === '100'")
    assert "win in 1" in page.get_attribute("#bar", "aria-valuetext")


def test_walking_into_a_line_and_back(page):
    page.goto("/analyse/tictactoe/-/a1b1")
    wait_for_marks(page)
    step = page.locator("#lines li").first.locator(".step").nth(1)
    step.click()
    until(page, "document.querySelectorAll('#moves li').length === 4")
    assert page.locator("#return").is_visible()
    page.go_back()
    until(page, "document.querySelectorAll('#moves li').length === 2")
    assert page.locator("#return").is_hidden()
    wait_for_marks(page)
    page.locator("#board [data-move]").first.click()
    until(page, "document.querySelectorAll('#moves li').length === 3")
    page.click("#return")
    until(page, "document.querySelectorAll('#moves li').length === 2")


def test_through_the_game_with_buttons_and_keys(page):
    page.goto("/analyse/tictactoe/-/a1b1b2")
    page.click("#back")
    page.wait_for_url("**at=2*")
    page.click("#first")
    page.wait_for_url("**at=0*")
    assert page.is_disabled("#back")
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**at=1*")
    page.click("#last")
    until(page, "!location.search.includes('at=')")


def test_the_graph_and_learning_from_mistakes(page, check_axe, shot):
    # X does not block the row a3 b3 that O threatens: b1 is the mistake.
    page.goto("/analyse/tictactoe/-/b2a3a1c3b1b3")
    page.wait_for_selector("#learn:not([hidden])")
    page.wait_for_selector("#graph svg polyline")
    until(page, "document.getElementById('graph-facts').textContent === ''")
    mistake = page.locator("#mistakes li", has_text="X b1")
    assert mistake.inner_text().startswith("3. X b1: blunder"), "numbered as in the list of moves"
    check_axe(page)
    shot(page, "mistakes")
    mistake.locator("text=Retry").click()
    until(page, "document.getElementById('status').textContent.includes('Find a better move')")
    page.click('[data-move="b1"]')
    until(page, "document.getElementById('status').textContent.includes('is the move that was played')")
    page.click('[data-move="b3"]')
    until(page, "document.getElementById('status').textContent.includes('Yes, b3 is better')")
    wait_for_marks(page)


def test_solved_positions_show_the_solvers_points(page, shot):
    page.goto("/analyse/connect4/-/4132254451414255751126")
    # the solver is compiled, which took over 60 s with a load of 12
    until(page, "document.getElementById('facts').textContent.startsWith('solved')", 180)
    marks = page.locator("#board .mark").all_text_contents()
    assert marks and all(re.fullmatch(r"[+-]\d+|0|[WL]\d*", mark) for mark in marks), marks
    shot(page, "analyse-connect4")


def test_the_end_of_a_game_can_be_looked_at(page):
    page.goto("/analyse/tictactoe/-/a1a2b1b2c1")
    assert "X wins" in page.inner_text("#status")
    assert page.get_attribute("#bar", "aria-valuenow") == "100"


def test_play_analyse_and_see_why_lead_to_each_other(page):
    page.goto("/tictactoe/-/a1b1?second=human")
    page.click(".views >> text=Analyse")
    page.wait_for_url("**/analyse/tictactoe/-/a1b1*")
    page.click(".views >> text=Play")
    page.wait_for_url("**/tictactoe/-/a1b1*")
    page.click(".views >> text=See why")
    page.wait_for_url("**/why/tictactoe/-/a1b1*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(open_page, shot, scheme):
    phone = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme)
    phone.goto("/analyse/tictactoe/-/a1b1")
    wait_for_marks(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, f"phone-analyse-{scheme}")


def test_the_review_of_a_solved_game_agrees_with_the_scores_beside_it(page):
    page.goto("/analyse/connect4/-/44444132?at=6")
    until(page, "document.getElementById('facts').textContent.startsWith('solved')", 180)
    until(page, "document.querySelectorAll('#graph polyline').length === 1", 60)
    until(page, "!document.getElementById('graph-facts').textContent.includes('analysing')", 180)
    assert page.locator("#lines li").first.inner_text().split() == ["win", "in", "35", "3"]
    assert page.locator("#mistakes li", has_text="4. ").count() == 0, "3 is the best move"
    assert page.get_attribute("#graph polyline", "class") == "graph-line solved"
    assert "estimated" not in page.inner_text("#graph-facts")


def test_a_review_says_what_it_only_estimates(page):
    page.goto("/analyse/connect4/-/44444132?heuristic=centre")
    until(page, "!document.getElementById('graph-facts').textContent.includes('analysing')", 180)
    assert "dashed lines are estimates" in page.inner_text("#graph-facts")
    verdicts = page.locator("#mistakes li").all_inner_texts()
    assert all("?" in verdict and "estimated" in verdict for verdict in verdicts), verdicts


def test_after_ones_own_game_ones_own_mistakes_come_first(page):
    page.goto("/analyse/tictactoe/-/b2a3a1c3b1b3?first=level(2)&second=human")
    assert page.inner_text("#played") == "X: level 2, beginner · O: You"
    page.wait_for_selector("#learn:not([hidden])")
    until(page, "document.getElementById('graph-facts').textContent === ''")
    assert page.input_value("#whose") == "2"
    assert page.locator("#mistakes li", has_text="X b1").count() == 0
    page.select_option("#whose", "1")
    assert page.locator("#mistakes li", has_text="X b1").count() == 1


def test_an_analysis_one_can_read(page):
    """A number on the bar with its legend, moves in pairs with marks, accuracy, mistakes one by one, a comment."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/analyse/tictactoe/-/b2a3a1c3b1b3")
    page.wait_for_selector("#learn:not([hidden])")
    until(page, "document.getElementById('accuracy').textContent.includes('%')")
    assert page.inner_text(".bar-text") == "0–1"
    assert page.locator("#moves li[data-number]").count() == 3
    assert page.locator("#moves li").nth(4).inner_text().replace("\n", "") == "b1??"
    for name in ("#graph", "#lines", "#moves", "#comment", "#next-mistake", "#mistakes li"):
        box = page.locator(name).bounding_box()
        assert box["y"] + box["height"] <= 800, f"{name} is below the fold"
    assert page.inner_text("#progress") == "0 of 1 corrected"
    page.click("#next-mistake")
    page.wait_for_url("**at=4*")
    page.locator('[data-move="b3"]').click()
    until(page, "document.getElementById('progress').textContent === '1 of 1 corrected'")
    page.fill("#comment", "here it was lost")
    page.locator("#comment").blur()
    assert "✎" in page.locator("#moves li").nth(3).inner_text()
    until(page, "document.getElementById('legend').textContent.includes('Exact')")
    page.locator('[data-move="c2"]').click()  # leaves the game: a variation
    page.wait_for_selector("#variations button")
    page.click("#return")
    assert page.locator("#variations li").count() == 1
    page.click("#variations button")
    page.wait_for_selector("#variations button[aria-current]")


def test_arrows_chances_flip_and_editor(page, check_axe):
    page.goto("/analyse/onitama/cards=boar_ox_elephant_horse_crab,first=red/-")
    page.wait_for_selector(".arrows polygon")
    assert page.locator("#board .mark").count() == 0, "the scores of many moves to one square would overprint"
    assert re.fullmatch(r"\d+%|[WL]\d*", page.inner_text(".bar-text"))
    page.click("#flip")
    assert page.locator("#board.turned").count() == 1
    check_axe(page)
    page.click("#edit")
    page.wait_for_selector("#editor-board svg")
    good = page.input_value("#editor-text")
    page.expected_errors.append("400")
    page.fill("#editor-text", "nonsense")
    page.wait_for_selector("#editor-problem:not([hidden])")
    page.fill("#editor-text", good)
    page.wait_for_selector("#editor-problem", state="hidden")
    page.click("#editor-go")
    page.wait_for_url("**from=*")


CLICK_AT = """
(place) => {
  const svg = document.querySelector("#editor-board svg"), [x, y] = place;
  const at = new DOMPoint(x, y).matrixTransform(svg.querySelector(".whole").getScreenCTM());
  document.elementFromPoint(at.x, at.y).dispatchEvent(
    new MouseEvent("click", {bubbles: true, clientX: at.x, clientY: at.y}));
}
"""


@pytest.mark.parametrize(
    ("game", "clicks", "wanted"),
    [
        ("hex/4x4", ["b2", "c3", "c3"], "..../.B../..W./.... b"),
        ("reversi/-", ["a1"], "X--------------------------OX------XO--------------------------- X"),
        ("onitama/-", ["a2"], "bbBbb/...../...../r..../rrRrr crane,monkey crab,tiger dragon r"),
        ("connect4/-", ["4-1", "3-1"], "43"),
        (
            "parcheckers/-",
            ["4", "44", "die-6-of-player-1"],
            "yellow=44,13 blue=21,30 red=38,47 green=55,64 turn=yellow dice=1245*/12456*",
        ),
    ],
)
def test_a_position_is_set_up_by_clicks(server, page, game, clicks, wanted):
    page.expected_errors.append("400")  # a sixth piece of Onitama
    page.goto(f"/analyse/{game}/-")
    page.click("#edit")
    page.wait_for_selector("#editor-board svg")
    with server.client() as http:
        places = http.get("/api/position", params={"line": f"{game}/-"}).json()["picture"]["places"]
    places |= z.game(game.split("/")[0]).edit_places()
    for click in clicks:
        before = page.input_value("#editor-text")
        page.evaluate(CLICK_AT, places[click][:2])
        if game == "parcheckers/-" and click == "4":
            page.wait_for_selector("#editor-board .held")  # the piece that the next click moves
        else:
            until(page, f"document.getElementById('editor-text').value !== {before!r}")
    assert page.input_value("#editor-text") == wanted
    if game == "hex/4x4":
        page.click("#editor-turn")
        page.click("#editor-go")
        page.wait_for_url("**from=*+w")
