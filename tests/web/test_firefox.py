"""The lab in Firefox, on a desktop and on a phone."""

import datetime

import pytest
from playwright.sync_api import expect

from web.conftest import DESKTOP, PHONE, until
from zermelo.puzzles import daily_puzzle


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def size(request):
    return request.param


@pytest.fixture
def page(in_firefox, size):
    return in_firefox(viewport=size)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_move_and_its_reply(page, check_axe):
    page.goto("/tictactoe/-/-?first=human&second=random(seed=1)")
    page.click("#board [data-move] >> nth=4")
    expect(page.locator("#moves li")).to_have_count(2)
    assert page.locator("#board [data-move]").count() == 7
    page.locator('#board [data-move][tabindex="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves li")).to_have_count(4)
    assert fits(page)
    check_axe(page)


def test_an_analysis(page, check_axe):
    page.goto("/analyse/tictactoe/-/b2a3a1c3b1b3")
    expect(page.locator("#mistakes li", has_text="X b1")).to_be_visible()
    until(page, "document.getElementById('graph-facts').textContent === ''")
    page.click("#back")
    expect(page.locator("#board .mark").first).to_be_visible()
    assert fits(page)
    check_axe(page)


def test_a_puzzle(page, check_axe):
    day = "2026-11-18"
    page.goto(f"/puzzles?date={day}")
    move = daily_puzzle(datetime.date.fromisoformat(day)).move
    page.locator(f'#board [data-move="{move}"]').first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_class("status right")
    expect(page.locator("#streak")).to_have_text("1")
    assert fits(page)
    check_axe(page)


def test_the_steps_of_a_search(page, check_axe):
    page.goto("/why?beside=no")
    expect(page.locator("#where")).to_have_text("Step 22 of 22")
    page.get_by_role("button", name="First step").click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("#said")).to_have_text("B: MIN is to move, with the window [-inf, inf].")
    assert fits(page)
    check_axe(page)


def test_two_devices(page, in_firefox, size):
    page.goto("/together?game=tictactoe")
    page.select_option("#together-side", "1")
    page.click("#open button.primary")
    expect(page.locator("#invitation")).to_be_visible()
    other = in_firefox(viewport=size)
    other.goto("/together")
    other.fill("#together-code", page.inner_text("#invitation-text").replace(" ", ""))
    other.click("#join button")
    for plies, mover in enumerate([page, other, page], 1):
        mover.locator("#board [data-move]").first.click()
        for screen in (page, other):
            expect(screen.locator("#moves li")).to_have_count(plies)
    assert fits(page)
