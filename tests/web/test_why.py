"""See why, in a browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

TREE = '[children]\nroot = ["a", "b"]\na = ["c", "d"]\nb = ["e", "f"]\n[scores]\nc = 3\nd = 5\ne = 2\nf = 9\n'


def pane(page, title):
    return page.locator(".pane", has=page.get_by_role("heading", name=title, exact=True))


def counts(page, title):
    return pane(page, title).locator(".counts")


def node(pane_, name):
    return pane_.locator(".node", has=pane_.page.locator("text.name", has_text=re.compile(f"^{name}$")))


def go_to(page, step):
    page.locator("#slider").fill(str(step))


def test_minimax_and_alphabeta_stand_side_by_side(page, check_axe, shot):
    page.goto("/why")
    expect(counts(page, "Alpha-beta")).to_have_text("14 nodes, 13% fewer, 2 cut-offs · best D, value 5")
    expect(counts(page, "Minimax")).to_have_text("16 nodes · best D, value 5")
    expect(page.locator("#said")).to_have_text("A is worth 5. The search is over.")
    node(pane(page, "Alpha-beta"), "H").click()
    expect(page.locator("#node-facts")).to_contain_text("MIN gets 2 here, and MAX has 3 elsewhere (2 <= 3)")
    expect(node(pane(page, "Minimax"), "H")).to_have_class(re.compile("selected"))
    check_axe(page)
    shot(page, "why-course")


def test_the_steps_follow_the_search(page):
    page.goto("/why?beside=no")
    expect(page.locator("#where")).to_have_text("Step 22 of 22")
    page.get_by_role("button", name="First step").click()
    expect(page.locator("#said")).to_have_text("A: MAX is to move, with the window [-inf, inf].")
    said = []
    for _ in range(21):
        page.get_by_role("button", name="Next step").click()
        said.append(page.locator("#said").inner_text())
    assert said[:4] == [
        "B: MIN is to move, with the window [-inf, inf].",
        "E is worth 4. The window of MIN at B is now [-inf, 4].",
        "F is worth 3. The window of MIN at B is now [-inf, 3].",
        "B is worth 3. The window of MAX at A is now [3, inf].",
    ]
    assert "At C, the search skips H – cut: MIN gets 2 here, and MAX has 3 elsewhere (2 <= 3)." in said
    assert said[-1] == "A is worth 5. The search is over."
    expect(page.get_by_role("button", name="Next step")).to_be_disabled()


def test_the_keyboard_is_enough(page):
    page.goto("/why")
    expect(page.locator("#where")).to_have_text(re.compile("Step 2"))
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_have_text(re.compile("Step 1 of"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_have_text("B: MIN is to move, with the window [-inf, inf].")
    page.keyboard.press("End")
    tree = page.locator(".tree-box svg").first
    tree.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#node-name")).to_have_text("D I")
    expect(tree).to_have_attribute("aria-label", re.compile("selected: I, leaf, value 5"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")  # fold D
    expect(pane(page, "Alpha-beta").locator(".badge")).to_have_text("+6")
    expect(node(pane(page, "Alpha-beta"), "J")).to_have_count(0)


def test_thousands_of_nodes_stay_smooth(page, shot):
    page.goto("/why/connect4/-/444?depth=5&heuristic=lines2")
    expect(counts(page, "Minimax")).to_contain_text("19,576 nodes", timeout=60_000)
    go_to(page, 7000)
    expect(counts(page, "Minimax")).to_contain_text("of 19,576 nodes")
    shot(page, "why-connect4")
    page.get_by_role("button", name="Open all").nth(1).click()
    drawing = """async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const next = document.querySelector('[data-step="next"]');
        await frame();
        const began = performance.now();
        for (let i = 0; i < 30; i++) { next.click(); await frame(); await frame(); }
        return {each: (performance.now() - began) / 30, drawn: document.querySelectorAll(".tree-box svg *").length};
    }"""
    found = page.evaluate(drawing)
    assert found["drawn"] < 3000, "only what can be seen is drawn"
    assert found["each"] < 1000, found  # milliseconds a step; 19,576 elements would take far longer on any machine


def test_a_position_of_a_game_with_its_board(page, shot):
    page.goto("/why/connect4/-/4455?depth=2&beside=no")
    expect(page.locator("#node-board svg")).to_be_visible()
    tree = page.locator(".tree-box svg")
    tree.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#node-board")).to_have_attribute("aria-label", "Board: 44551")
    link = page.get_by_role("link", name="Play from here")
    expect(link).to_have_attribute("href", "/connect4/-/44551")
    shot(page, "why-board")


def test_options_are_in_the_address_and_back_works(page):
    page.goto("/why/connect4/-/44?depth=2&heuristic=centre&beside=no")
    expect(page.locator(".counts")).to_contain_text("nodes")
    page.locator("summary").click()
    page.get_by_label("Number of best moves to search").fill("2")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page).to_have_url(re.compile("top_moves=2"))
    expect(page.locator(".counts")).to_contain_text("6 nodes, 1 cut-off")  # of 1 + 2 + 4
    page.go_back()
    expect(page).not_to_have_url(re.compile("top_moves"))
    expect(page.locator(".counts")).not_to_contain_text("6 nodes,")


def test_a_tree_of_ones_own(page):
    page.goto(f"/why/own#{quote(TREE)}")
    expect(counts(page, "Alpha-beta")).to_contain_text("6 nodes, 14% fewer, 1 cut-off · best a, value 3")
    page.expected_errors.append("400")
    page.locator("#own").fill("[children]\nA = [1]")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("#problem")).to_contain_text("the children of 'A' must be a list of names")


def test_it_fits_a_phone_in_the_dark(open_page, shot):
    phone = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark")
    phone.goto("/why")
    expect(phone.locator(".counts").first).to_contain_text("14 nodes")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, "why-phone")


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        ({"game": "chess"}, 400, "there is no game 'chess'"),
        ({"game": "connect4", "moves": "9"}, 400, "the columns are 1 to 7"),
        ({"game": "connect4", "heuristic": "none.py:x"}, 400, "the workshop has no file none.py"),
        ({"game": "connect4", "heuristic": "../mine.py:x"}, 400, "has no heuristic '../mine.py:x'"),
        ({"game": "connect4", "heuristic": "tuned.json"}, 400, "has no heuristic 'tuned.json'"),
        ({"game": "connect4", "order": "/etc/passwd"}, 400, "has no heuristic"),
        ({"depth": 0}, 400, "must be at least 1"),
        ({"depth": -1}, 422, "depth"),
        ({"tree": "[children"}, 400, "the tree: "),
        ({"game": "tree", "setup": "file=/etc/passwd"}, 400, "a page cannot read files"),
        ({"game": "connect4", "moves": "44444444"}, 400, "full"),
    ],
)
def test_what_cannot_be_searched_is_said(server, body, status, text):
    with server.client() as http:
        answer = http.post("/api/tree", json=body)
    assert answer.status_code == status
    assert text in answer.json()["error"]


def test_nodes_are_counted_alike_above_the_tree_and_beside_it(page):
    page.goto("/why/connect4/-/-?depth=3")
    expect(counts(page, "Alpha-beta")).to_contain_text("best")
    visited = int(re.match(r"([\d,]+) nodes", counts(page, "Alpha-beta").inner_text())[1].replace(",", ""))
    pane(page, "Alpha-beta").locator('[data-node="0"]').click()
    expect(page.locator("#node-facts")).to_contain_text(f"{visited - 1} nodes visited, ")


def test_a_search_that_nobody_chose_is_one_that_can_be_shown(server):
    with server.client() as http:
        for game, depth in (("connect4", 3), ("onitama", 3), ("parcheckers", 3), ("hex", 2), ("hex/5x5", 3)):
            assert f'name="depth" type="number" inputmode="numeric" min="1" max="20" value="{depth}"' in (
                http.get(f"/why/{game}").text
            )


def test_long_names_of_moves_do_not_overlap(page):
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto("/why/onitama/cards=boar_ox_elephant_horse_crab,first=red/-")
    page.wait_for_selector(".node .name", state="attached")
    expect(page.locator("#said")).to_contain_text("The search is over", timeout=60_000)
    overlapping = page.evaluate(
        """() => [...document.querySelectorAll(".pane")].flatMap((pane) => {
        const names = [...pane.querySelectorAll(".node .name")];
        const boxes = names.map((one) => [one.textContent, one.getBoundingClientRect()]);
        return boxes.flatMap(([text, a], i) => boxes.slice(i + 1)
          .filter(([, b]) => Math.abs(a.y - b.y) < 5 && Math.min(a.right, b.right) - Math.max(a.x, b.x) > 1)
          .map(([other]) => `${text} ${other}`));
      })"""
    )
    assert page.locator(".node .name", has_text="boar:").count() >= 5 and not overlapping
