"""Playing in a real browser."""

import re
from pathlib import Path

import pytest

from web.conftest import until, wait_for_saved
from zermelo.cli.serve import _add_games
from zermelo.game_files.drawing import INKS
from zermelo.games import game_names
from zermelo.games.catalogue import GAME_FILES, packages

# One page for each game of the catalogue; Hex small, for a game of 121 stones takes long.
TABLES = {name: f"/{name.replace('/', ':')}/-/-" for name in game_names()} | {"hex": "/hex/4x4,swap=yes/-"}

PLAY_TO_THE_END = """
async (seed) => {
  const over = () => /wins|draw/i.test(document.getElementById("status").textContent);
  const plies = () => document.querySelectorAll("#moves li").length;
  for (let number = seed; !over(); ) {
    number = (number * 1103515245 + 12345) % 2147483648;
    const places = document.querySelectorAll("#board [data-move]");
    const before = plies();
    places[number % places.length].dispatchEvent(new MouseEvent("click", {bubbles: true}));
    for (let waited = 0; plies() === before; waited++) {
      if (waited > 50000) throw new Error(`nothing happened after move ${before}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  return plies();
}
"""

BOARD_PARTS = """
() => [...document.querySelectorAll("#board svg *")].map((part) => {
  const names = part.getAttributeNames().filter((name) => name !== "tabindex").sort();
  const told = names.map((name) => `${name}=${part.getAttribute(name)}`);
  return [part.nodeName, part.children.length ? "" : part.textContent, ...told];
})
"""


def plies(page):
    return page.locator("#moves li").count()


def first_place(page):
    """The first thing on the board to click. Where men walk, the man is chosen first, and then where he goes."""
    place = page.locator("#board [data-move]").first
    if place.get_attribute("class") != "move":
        return place
    origin = place.get_attribute("data-from")
    page.locator(f'#board .choice[data-from="{origin}"]').dispatch_event("click")
    return page.locator("#board .move:not(.other)").first.locator(".target, circle, polygon").first


def wait_for_plies(page, number):
    until(page, f"document.querySelectorAll('#moves li').length === {number}")


def test_from_the_first_page_to_a_game_in_one_click(page):
    page.goto("/")
    page.click("text=Tic-tac-toe")
    page.wait_for_url("**/tictactoe/-/-")
    assert page.locator("#board [data-move]").count() == 9


@pytest.mark.parametrize("game", TABLES)
def test_a_whole_game(page, check_axe, shot, game):
    page.goto(f"{TABLES[game]}?first=human&second=human")
    first_place(page).click()
    wait_for_plies(page, 1)
    check_axe(page)
    page.evaluate(PLAY_TO_THE_END, 7)
    assert re.search("wins|draw", page.inner_text("#status"), re.I)
    assert page.locator("#board [data-move]").count() == 0
    assert page.is_disabled("#hint")
    shot(page, f"play-{game.replace('/', '-')}")
    played = plies(page)
    page.reload()
    assert plies(page) == played


def test_against_a_machine_that_thinks_aloud(page, shot):
    page.goto("/tictactoe/-/-?second=engine(depth%3D6)")
    page.click('[data-move="b2"]')
    wait_for_plies(page, 2)
    assert re.search(r"depth\s*\d", page.inner_text("#thoughts"))
    assert page.locator("#thoughts .line").inner_text().strip()
    page.uncheck("#show-thinking")
    assert page.locator("#thoughts").is_hidden()
    page.reload()
    assert page.locator("#thoughts").is_hidden()
    page.check("#show-thinking")


def test_back_forward_reload_and_a_shared_link(page, open_page):
    page.goto("/tictactoe/-/-?second=random(seed%3D1)")
    page.click('[data-move="b2"]')
    wait_for_plies(page, 2)
    first = page.url
    page.locator("#board [data-move]").first.click()
    wait_for_plies(page, 4)
    page.go_back()
    wait_for_plies(page, 2)
    assert page.url == first
    page.go_forward()
    wait_for_plies(page, 4)
    second = page.url
    page.reload()
    assert plies(page) == 4
    other = open_page()
    other.goto(second)
    assert plies(other) == 4
    assert other.inner_text("#status") == page.inner_text("#status")


def test_undo_and_redo_are_places_in_the_address(page):
    page.goto("/tictactoe/-/-?second=random(seed%3D1)")
    for number in (2, 4):
        page.locator("#board [data-move]").first.click()
        wait_for_plies(page, number)
    page.click("#undo")
    page.wait_for_url("**at=2*")
    assert plies(page) == 4  # redo can still show them
    page.click("#redo")
    until(page, "!location.search.includes('at=')")
    page.click("#undo")
    page.wait_for_url("**at=2*")
    page.locator("#board [data-move]").last.click()
    until(page, "!location.search.includes('at=')")
    wait_for_plies(page, 4)


def test_hint_and_resign(page):
    page.goto("/tictactoe/-/a1b1?second=random")
    page.click("#hint")
    page.wait_for_selector('[data-quality="hint"]')
    assert "The engine would play" in page.inner_text("#status")
    page.click("#resign")
    page.wait_for_url("**end=1-resigned*")
    assert "X resigned: O wins" in page.inner_text("#status")
    page.reload()
    assert "X resigned: O wins" in page.inner_text("#status")


def test_with_the_keyboard_alone(page):
    page.goto("/tictactoe/-/-?second=human")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.move"):
            break
    assert page.evaluate("document.activeElement.dataset.move") == "a1"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.move") == "b2"
    page.keyboard.press("Enter")
    wait_for_plies(page, 1)
    assert page.inner_text("#moves li").endswith("b2")
    assert page.evaluate("document.activeElement.dataset.move")  # the focus stays on the board
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    wait_for_plies(page, 2)


def test_an_illegal_click_is_explained(page):
    page.goto("/hex/4x4/b2?second=human")
    page.click('[data-place="b2"]')
    page.wait_for_selector("text=b2 is illegal: the cell is taken")
    page.goto("/reversi/-/-?second=human")
    page.click('[data-place="a1"]')
    page.wait_for_selector("text=a1 is illegal: no disc would be flipped")
    page.goto("/connect4/-/4444443?second=human")
    page.click('[data-place="4"]')
    page.wait_for_selector("text=4 is illegal: column 4 is full")


def test_when_it_is_not_your_turn_the_board_says_so(page):
    page.goto("/connect4/-/-?first=mcts(seconds%3D20)&second=human")
    page.wait_for_selector("#seat-1 .busy:not([hidden])")
    page.click('[data-move="4"]', force=True)  # it says that it is disabled
    page.wait_for_selector("text=It is not your turn")


def test_hex_with_swap_and_another_size(page):
    page.goto("/hex/-/-")
    page.click("#new")
    page.fill('[name="size"]', "3")
    page.check('[name="swap"]')
    page.select_option("#new-first", "human")
    page.select_option("#new-second", "human")
    page.click("dialog button.primary")
    page.wait_for_url("**/hex/3x3,swap=yes/-*")
    page.click('[data-move="b2"]')
    page.click('[data-move="swap"]')
    wait_for_plies(page, 2)
    assert page.locator('[aria-label="b2: White"]').count() == 1


def test_a_game_from_a_file_is_played_from_cell_to_cell(page, monkeypatch, shot):
    """As `zermelo serve breakthrough.py` offers it: a man, then the cell where he goes; a player answers."""
    monkeypatch.setenv(GAME_FILES, "")  # what the command changes is undone
    _add_games((str(Path(__file__).parent.parent.parent / "examples" / "breakthrough.py"),))
    try:
        page.goto("/breakthrough/-/-?second=alphabeta(depth%3D2)")
        assert "white" in page.inner_text("#status").casefold()
        page.click('.choice[data-from="c7"]')
        assert page.locator(".move:not(.other)").count() == page.locator('.move[data-from="c7"]').count() == 3
        page.locator('.move[data-from="c7"][data-to="c6"] circle').last.click()
        wait_for_plies(page, 2)
        assert page.locator("#moves li").first.inner_text().endswith("c7-c6")
        assert page.locator('#board [data-glyph="man-c7"]').get_attribute("data-place") == "c6"
        fills = page.locator("#board [data-glyph^=man-] circle").evaluate_all(
            "(all) => all.map((one) => one.getAttribute('fill'))"
        )
        assert set(fills) == {INKS["white"], INKS["black"]}
        shot(page, "play-breakthrough")
        page.goto("/saved")  # without the file, the lab of the other tests could not read this game
        page.locator("tbody tr", has_text="Breakthrough").locator("[data-delete]").click()
        until(page, "document.querySelector('tbody tr[hidden]') !== null")
    finally:
        monkeypatch.undo()
        packages.cache_clear()


def test_onitama_cards_and_men_choose_moves(page):
    page.goto("/onitama/cards=boar_ox_elephant_horse_crab,first=red/-?second=human")
    page.click('.choice[data-card="ox"]')
    assert page.locator(".move:not(.other)").count() == page.locator('.move[data-card="ox"]').count()
    page.click('.choice[data-from="c1"]')
    page.click('[data-place="c2"]', position={"x": 8, "y": 8}, force=True)  # the light above it takes the click
    wait_for_plies(page, 1)
    assert page.inner_text("#moves li").endswith("ox:c1-c2")


def test_onitama_asks_which_card_and_explains(page):
    page.goto("/onitama/cards=boar_ox_elephant_horse_crab,first=red/-?second=human")
    page.click('.choice[data-from="c1"]')
    page.click('[data-place="c2"]', position={"x": 8, "y": 8}, force=True)  # the light above it takes the click
    page.wait_for_selector("#several[open]")
    page.click("#several button:has-text('boar')")
    wait_for_plies(page, 1)
    page.click('.choice[data-card="horse"]')
    page.click('.choice[data-from="a5"]')
    page.click('[data-place="e3"]', position={"x": 8, "y": 8})
    page.wait_for_selector("text=horse:a5-e3 is illegal")


def test_a_new_deal_of_onitama(page):
    page.goto("/onitama/-/-?second=human")
    page.click("#new")
    page.click("[data-deal]")
    page.select_option("#new-second", "human")
    page.click("dialog button.primary")
    page.wait_for_url("**/onitama/cards=**")


def test_parcheckers_dice_choose_moves(page):
    page.goto("/parcheckers/-/-?second=human")
    page.click('.choice[data-die="5"]')
    bright = page.locator("[data-move]:not(.other)")
    assert bright.count() == page.locator('[data-move][data-die="5"]').count()
    assert bright.first.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    assert page.locator(".move.other").first.evaluate("(one) => getComputedStyle(one).opacity") == "0"
    origin = bright.first.get_attribute("data-from")
    page.locator(f'.choice[data-from="{origin}"]').click()  # a die and a piece are a whole move
    wait_for_plies(page, 1)


def test_a_man_is_dragged_to_his_square(page):
    page.goto("/onitama/cards=boar_ox_elephant_horse_crab,first=red/-?second=human")
    man, elsewhere = page.locator('[data-glyph="man-a1"]'), page.locator('[data-glyph="square-e3"]')
    man.drag_to(elsewhere)
    assert man.get_attribute("data-place") == "a1", "it is not a legal move, and the man went back"
    man.drag_to(page.locator('[data-glyph="square-a2"]'), target_position={"x": 30, "y": 30})
    until(page, "document.querySelector('#several').open || document.querySelectorAll('#moves li').length === 1")
    if page.locator("#several[open]").count():
        page.locator("#several button").first.click()
    wait_for_plies(page, 1)
    assert man.get_attribute("data-place") == "a2"


@pytest.mark.parametrize(
    ("game", "target"), [("hex", "[data-move=f6]"), ("parcheckers", ".choice[data-piece=yellow0]")]
)
def test_small_targets_come_nearer_at_the_first_tap(phone, game, target):
    phone.goto(f"/{game}/-/-?second=human")
    if game == "parcheckers":
        die = phone.locator('.choice[data-die="5"]')
        box = die.bounding_box()
        assert min(box["width"], box["height"]) >= 40
        die.tap()
    else:
        assert phone.locator("#board.tall").count() == 1, "the board stands upright"
    place = phone.locator(f"#board {target}")
    place.tap()
    phone.wait_for_selector(".whole-board:not([hidden])")
    size = "(one) => one.getBBox().width * Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b)"
    assert place.locator("polygon, circle").first.evaluate(size) >= 40
    assert plies(phone) == 0
    place.tap()
    wait_for_plies(phone, 1)
    assert phone.locator(".whole-board").is_hidden()


def test_watching_two_machines_and_stopping_them(page):
    page.goto("/connect4/-/-?first=random&second=random")
    until(page, "document.querySelectorAll('#moves li').length >= 2")
    page.click("#go")
    assert page.inner_text("#go") == "Continue"
    here = plies(page)
    page.wait_for_timeout(700)
    assert plies(page) <= here + 1
    page.click("#go")
    until(page, f"document.querySelectorAll('#moves li').length > {here + 1}")


def test_a_clock_that_runs_out(page):
    page.clock.install()
    page.goto("/tictactoe/-/-?second=human&clock=10")
    page.click('[data-move="b2"]')
    wait_for_plies(page, 1)
    page.clock.fast_forward(11 * 60_000)
    page.wait_for_url("**end=2-time*")
    assert "O's time is up: X wins" in page.inner_text("#status")


def test_any_player_can_be_written_out(page):
    page.goto("/tictactoe/-/-")
    page.click("#new")
    page.select_option("#new-second", "")
    page.fill("#new-second-text", "minimax(depth=2)")
    page.click("dialog button.primary")
    page.wait_for_url("**second=minimax*")
    assert "options" not in page.url, "a game without options has no field for them"
    assert "minimax(depth=2)" in page.inner_text("#seat-2")
    page.click('[data-move="b2"]')
    wait_for_plies(page, 2)


@pytest.mark.parametrize("game", TABLES)
def test_on_a_phone(phone, shot, game):
    phone.goto(f"{TABLES[game]}?second=human")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    place = first_place(phone)
    place.tap()
    until(phone, "document.querySelectorAll('#moves li').length || !document.querySelector('.whole-board').hidden")
    if phone.locator(".whole-board").is_visible():  # its target was too small for a finger
        place.tap()
    wait_for_plies(phone, 1)
    shot(phone, f"phone-{game.replace('/', '-')}")


@pytest.mark.parametrize("game", ["hex", "parcheckers"])
def test_in_the_dark(open_page, check_axe, shot, game):
    page = open_page(color_scheme="dark")
    page.goto(f"{TABLES[game]}?second=human")
    check_axe(page)
    shot(page, f"dark-{game}")
    # The largest shapes, the board itself, are dark.
    fills = page.locator("#board svg rect, #board svg polygon").evaluate_all(
        "(all) => all.filter((one) => one.getBBox().width > 30).map((one) => getComputedStyle(one).fill)"
    )
    lights = [sum(map(int, re.findall(r"\d+", fill)[:3])) / 765 for fill in fills if fill.startswith("rgb(")]
    assert sorted(lights)[len(lights) // 2] < 0.4


def test_saved_listed_exported_and_imported(page, server, check_axe, shot, tmp_path):
    page.goto("/tictactoe/-/-?second=human")
    page.evaluate(PLAY_TO_THE_END, 3)
    played = plies(page)
    wait_for_saved(server, played)
    page.goto("/saved")
    row = page.locator("tbody tr").first
    assert "Tic-tac-toe" in row.inner_text() and f"{played}" in row.inner_text()
    check_axe(page)
    shot(page, "saved")
    with page.expect_download() as download:
        page.click("text=Export all")
    file = tmp_path / "games.jsonl"
    download.value.save_as(file)
    before = page.locator("tbody tr").count()
    page.click("#import")
    page.set_input_files("#import-file", file)
    with page.expect_navigation():
        page.click("#import-do")
    assert page.locator("tbody tr").count() == before + len(file.read_text().splitlines())
    now = page.locator("tbody tr").count()
    page.locator("[data-delete]").first.click()
    until(page, f"document.querySelectorAll('tbody tr:not([hidden])').length === {now - 1}")
    page.locator("tbody tr:not([hidden]) a").first.click()
    until(page, "document.querySelectorAll('#moves li').length > 0")


def test_a_glyph_moves_and_its_picture_is_the_one_that_a_reload_shows(page):
    """The script draws from JSON what the server draws for a new page. A piece that moves stays the same element."""
    page.goto("/onitama/-/-?first=human&second=human")
    page.evaluate("document.querySelectorAll('#board [data-glyph]').forEach((glyph) => { glyph.wasThere = true; })")
    place = page.locator("#board .move").first
    origin, target = place.get_attribute("data-from"), place.get_attribute("data-to")
    place.dispatch_event("click")
    wait_for_plies(page, 1)
    man = page.locator(f'#board [data-glyph="man-{origin}"]')
    assert man.get_attribute("data-place") == target
    assert man.evaluate("(glyph) => glyph.wasThere")
    drawn = page.evaluate(BOARD_PARTS)
    page.reload()
    until(page, "!document.getElementById('board').inert")
    assert page.evaluate(BOARD_PARTS) == drawn


SHOWN_AHEAD = (
    "[...document.querySelectorAll('#board .ahead')]"
    ".filter((one) => getComputedStyle(one).display !== 'none').map((one) => one.dataset.glyph)"
)


def test_the_stone_of_a_move_is_drawn_where_somebody_points_and_nothing_else_anew(page):
    page.goto("/connect4/-/-?second=human")
    page.locator('[data-move="4"]').hover()
    until(page, f"{SHOWN_AHEAD}.join() === 'ahead-4-1'")
    page.evaluate("document.querySelector('[data-move=\"1\"] > *').wasThere = true")
    page.locator('[data-move="4"]').click()
    wait_for_plies(page, 1)
    until(page, f"{SHOWN_AHEAD}.join() === 'ahead-4-2'")
    assert page.locator("#board .ahead").count() == 1, "those of the other columns are not drawn"
    assert page.evaluate("document.querySelector('[data-move=\"1\"] > *').wasThere"), "this column stays as it is"
    assert page.locator('#board [tabindex="0"]').count() == 1


def test_a_move_is_shown_before_the_server_answers_and_stones_drop(open_page):
    page = open_page(reduced_motion="no-preference")
    page.goto("/connect4/-/414141?second=human")
    held = []
    page.route("**/api/position*", lambda route: held.append(route))
    page.locator('[data-move="4"]').click()
    stone = page.locator('[data-glyph="ahead-4-4"]')
    assert stone.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    until(page, "document.querySelectorAll('#moves li').length === 6")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    wait_for_plies(page, 7)
    assert page.locator('[data-glyph="stone-4-4"]').get_attribute("data-motion") == "drop"
    until(page, "document.querySelector('.winning-line') !== null")
    page.unroute("**/api/position*")
    assert page.inner_text("#ending-heading") == "Red wins"
    assert "Four in a line" in page.inner_text("#ending-how")
    assert page.get_attribute("#review", "href").startswith("/analyse/connect4/-/4141414")
    page.click("#again")
    page.wait_for_url("**/connect4/-/-?second=human")
    page.goto("/reversi/-/-?second=human")  # flips begin one after another
    page.locator('[data-move="d3"]').click()
    until(page, "document.querySelector('[data-glyph=\"disc-d4\"]').getAnimations().length > 0")
    wait_for_plies(page, 1)
    until(page, "document.querySelectorAll('[data-ghost]').length === 0")
    page.goto("/onitama/cards=boar_ox_elephant_horse_crab,first=red/-?second=human")
    page.locator('[data-move="ox:c1-c2"]').dispatch_event("click")
    until(page, "document.querySelector('[data-glyph=\"man-c1\"]').getAnimations().length > 0")
    wait_for_plies(page, 1)


def test_the_position_is_asked_for_when_a_button_goes_down_and_once_only(page):
    page.goto("/hex/5x5/-?second=human")
    asked = []
    page.on("request", lambda request: "/api/position" in request.url and asked.append(request.url))
    page.locator('[data-move="c3"]').hover()
    page.mouse.down()
    while len(asked) < 1:
        page.wait_for_timeout(20)
    assert page.locator("#moves li").count() == 0
    page.mouse.up()
    wait_for_plies(page, 1)
    page.locator('[data-move="a1"]').hover()
    page.mouse.down()
    while len(asked) < 2:
        page.wait_for_timeout(20)
    page.locator('[data-move="b1"]').hover()
    page.mouse.up()  # over another cell, so it is not a click, and nothing is played
    page.locator('[data-move="e5"]').click()
    wait_for_plies(page, 2)
    assert page.locator("#moves li").all_inner_texts() == ["c3", "e5"]
    assert [url.rpartition("play=")[2] for url in asked] == ["c3", "a1", "e5"]


def test_a_move_that_the_server_refuses_is_taken_back(page):
    page.goto("/tictactoe/-/-?second=human")
    page.expected_errors.append("400")
    page.route("**/api/position*", lambda route: route.fulfill(status=400, json={"error": "refused by the test"}))
    page.locator('[data-move="b2"]').click()
    page.wait_for_selector("text=refused by the test")
    until(page, "document.querySelectorAll('.played').length === 0")
