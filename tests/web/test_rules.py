"""The pages that explain the games, and the form for a new game."""

import pytest
from playwright.sync_api import expect

import zermelo as z
from web.conftest import until


@pytest.mark.parametrize("name", [name.replace("/", ":") for name in z.catalogue()])
def test_every_game_explains_itself(server, name):
    with server.client() as http:
        for code, word in (("en", "Notation"), ("es", "Notación")):
            text = http.get(f"/rules/{name}", headers={"Accept-Language": code}).text
            assert word in text and 'data-lesson="0"' in text


def test_a_lesson_is_played_by_keyboard(page, check_axe, shot):
    page.goto("/rules/tictactoe")
    until(page, "[...document.images].every((image) => image.complete && image.naturalWidth)")
    lesson = page.locator("[data-lesson='0']")
    expect(lesson.locator(".lesson-said")).to_contain_text("Take the middle")
    check_axe(page)
    shot(page, "rules-tictactoe")
    lesson.locator("[data-move='a2']").click()
    expect(page.locator("#notice")).to_contain_text("not the one that the lesson asks for")
    lesson.locator("[data-move='b2']").focus()
    page.keyboard.press("Enter")
    expect(lesson.locator(".lesson-count")).to_have_text("Move 2 of 2")
    expect(lesson.locator("[data-move='c3']")).to_have_count(0)  # the opponent replied there
    lesson.get_by_role("button", name="Show the move").click()
    expect(lesson.locator(".lesson-count")).to_have_text("Done")
    lesson.get_by_role("button", name="Begin again").click()
    expect(lesson.locator(".lesson-count")).to_have_text("Move 1 of 2")
    expect(lesson.locator("[data-move='c3']")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["hex", "parcheckers", "onitama"])
def test_on_a_phone_nothing_is_wider_than_the_screen(open_page, check_axe, shot, name, scheme):
    phone = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme)
    phone.goto(f"/rules/{name}")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    check_axe(phone)
    shot(phone, f"rules-{name}-phone-{scheme}")


def test_newcomers_get_hex_with_swap_and_other_cards_in_onitama(server):
    with server.client(follow_redirects=False) as http:
        assert http.get("/hex").headers["location"] == "/hex/swap=yes/-"
        assert http.get("/hex?first=human").headers["location"].startswith("/hex/-/-")
        deals = {http.get("/onitama").headers["location"] for _ in range(4)}
        assert len(deals) > 1 and all("cards=" in deal for deal in deals)


def test_the_form_for_a_new_game_keeps_what_was_typed(page, check_axe):
    page.goto("/onitama/-/-?first=human&second=human")
    page.click("#new")
    dialog = page.locator("#new-game")
    assert dialog.locator("[name=seed]").input_value() != ""  # other cards, unless somebody wants the same
    for field in dialog.locator("input:visible:not([type=checkbox])").all():
        assert field.get_attribute("placeholder") or field.input_value()
    dialog.locator("[name=seed]").fill("")
    dialog.locator("[name=cards]").fill("crane unicorn crab tiger dragon")
    page.expected_errors.append("400")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.locator("[data-refused]")).to_contain_text("unicorn")
    assert dialog.locator("[name=cards]").input_value() == "crane unicorn crab tiger dragon"
    check_axe(page)
    dialog.locator("[name=cards]").fill("crane monkey crab tiger ox")
    dialog.get_by_role("button", name="Begin").click()
    page.wait_for_url("**ox**")
