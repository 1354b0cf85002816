"""Exercises in a browser: filled in by mouse, keyboard and finger, marked by the server."""

import re

import pytest
from playwright.sync_api import expect

from zermelo.exercises import exercise

PLACE = {"kind": "alphabeta", "number": 7, "difficulty": "easy"}
ADDRESS = "/exercise/alphabeta/7?difficulty=easy"


@pytest.fixture(scope="module")
def made():
    return exercise("alphabeta", 7, difficulty="easy")


@pytest.fixture(scope="module")
def wanted(made):
    """The questions that have an answer, with it."""
    return [
        (question, made.solution[question.id]) for question in made.questions if made.solution[question.id] is not None
    ]


def go(page, address=ADDRESS):
    page.goto(address)
    expect(page.locator("#exercise")).to_have_attribute("data-ready", "yes")


def field(page, question):
    return page.locator(f'[aria-label^="{question.text}"]')


def answer(page, question, right):
    if right is True:
        field(page, question).click()
    elif question.kind == "move":
        field(page, question).get_by_label(right, exact=True).check()
    else:
        field(page, question).fill(str(right))


def first(wanted, kind):
    return next(question for question, _right in wanted if question.kind == kind)


def test_a_wrong_answer_is_marked_with_a_hint_and_its_reason(page, made, wanted, check_axe, shot):
    go(page)
    wrong = first(wanted, "value")
    for question, right in wanted[:9]:
        answer(page, question, right)
    answer(page, wrong, -3)
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#headline")).to_contain_text("1 wrong")
    expect(page.locator("#hint-text")).to_contain_text(wrong.text)
    expect(field(page, wrong)).to_have_attribute("aria-invalid", "true")
    expect(page.locator('.entry[data-mark="wrong"]')).to_have_count(1)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("#because")).to_have_text(made.mark({wrong.id: "-3"}).hint.why)
    page.get_by_role("button", name="Go there").click()
    expect(field(page, wrong)).to_be_focused()
    check_axe(page)
    shot(page, "exercise-hint")
    page.reload()  # loses nothing
    expect(field(page, wrong)).to_have_value("−3")


def test_everything_right_gets_all_points(page, made, wanted, check_axe, shot):
    go(page)
    for question, right in wanted:
        answer(page, question, right)
    page.get_by_role("button", name="Check").click()
    most = made.mark({}).out_of
    expect(page.locator("#result")).to_contain_text(f"Everything is right. {most} of {most} points.")
    expect(page.locator("#done-list")).to_contain_text(f"No. 7: {most} of {most}")
    shot(page, "exercise-right")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator("#where")).to_contain_text("Step 1 of")
    expect(page.locator("#said")).to_have_text("the search begins at A with the window [-inf, inf]")
    expect(field(page, first(wanted, "value"))).to_have_value("")
    page.locator("#step").fill("99")
    for question, right in wanted:
        if question.form in ("number", "bound"):
            expect(field(page, question)).to_have_value(str(right).replace("-", "−").replace("inf", "∞"))
    check_axe(page)
    page.get_by_role("link", name="See why").last.click()
    expect(page.locator(".counts").first).to_contain_text(f"{made.trace.found.nodes} nodes")


def test_the_keyboard_is_enough(page, wanted):
    go(page)
    page.get_by_label("Mark each entry at once").check()
    field(page, wanted[0][0]).focus()
    page.keyboard.type("-i")
    page.keyboard.press("Tab")
    expect(page.locator('.entry.alpha[data-mark="right"]')).to_have_count(1)
    page.keyboard.type("5")
    page.keyboard.press("Tab")  # on to the branch to B
    expect(page.locator("#headline")).to_have_text("Beta on arrival at A: this is wrong.")
    branch = page.get_by_role("button", name="is the branch to B cut?")
    expect(branch).to_be_focused()
    page.keyboard.press("Space")
    expect(branch).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.entry.cut[data-mark="wrong"]')).to_have_count(1)
    expect(page.get_by_label("value of B")).to_be_hidden()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="is the branch to C cut?")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("alpha on arrival at A")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#points")).to_contain_text("points")


def test_it_fits_a_phone_and_has_a_keypad(phone, wanted, check_axe, shot):
    go(phone, "/exercise/alphabeta/7?difficulty=hard")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    value = phone.get_by_label("value of A")
    value.tap()
    expect(phone.locator("#keypad")).to_be_visible()
    for key in ("minus", "1", "2"):
        phone.locator("#keypad").get_by_role("button", name=key, exact=True).tap()
    expect(value).to_have_value("−12")
    phone.get_by_role("button", name="Previous field").tap()
    for box in (phone.locator("#keypad button"), phone.locator(".cut-button")):
        assert all(one.bounding_box()["height"] >= 36 for one in box.all()[:3])
    shot(phone, "exercise-phone")
    check_axe(phone)
    phone.get_by_role("button", name="Check").tap()
    expect(phone.locator("#headline")).to_contain_text("missing")


def test_every_kind_has_its_questions_in_spanish_too(open_page, check_axe, shot):
    page = open_page(locale="es-ES")
    for kind, has in (("minimax", "value"), ("tolerance", "exact"), ("ordering", "first")):
        go(page, f"/exercise/{kind}/3?difficulty=easy")
        assert page.evaluate("document.documentElement.lang") == "es"
        assert page.locator(f".entry.{has}").count() >= 1
        shot(page, f"exercise-{kind}")
    page.locator(".first select").first.focus()
    page.keyboard.press("ArrowDown")  # chooses from the list
    expect(page.locator(".edge.best")).to_have_count(1)
    page.keyboard.press("ArrowRight")  # goes to the next node
    expect(page.locator(".first select").nth(1)).to_be_focused()
    check_axe(page)


def test_a_page_does_not_hold_the_solution(server, made):
    with server.client() as http:
        text = http.get(ADDRESS).text + http.get("/api/exercise", params=PLACE).text
        empty = http.post("/api/exercise/mark", json=PLACE).json()
        odd = http.post("/api/exercise/mark", json=PLACE | {"answers": {"value:A": "what?", "alpha:A": "-inf"}}).json()
        steps = http.post("/api/exercise/solution", json=PLACE).json()["steps"]
    assert "solution" not in re.sub(r"Show the solution|the solution|id=\"solution\"", "", text)
    assert empty["marks"] == {} and empty["points"] == 0 and empty["hint"]["why"] == ""
    assert odd["marks"] == {"value:A": "wrong", "alpha:A": "right"}
    told = {name: answer for step in steps for name, answer in step["answers"].items()}
    assert told == {name: right for name, right in made.solution.items() if right is not None}
    assert all(step["says"] for step in steps)


def test_addresses_without_an_exercise_are_not_found(server):
    with server.client() as http:
        for address in ("/exercise/chess", "/exercise/minimax/0", "/exercise/minimax/1?difficulty=x"):
            answer = http.get(address)
            assert answer.status_code == 404, address
            assert "Nothing was found here" in answer.text


def test_a_number_without_a_difficulty_is_that_of_the_command(server):
    with server.client() as http:
        for address in ("/exercise/minimax/7", "/exercise/minimax?number=7"):
            assert f"<h1>{exercise('minimax', 7).title}</h1>" in http.get(address).text
        assert http.get("/api/exercise?kind=minimax&number=7").json()["title"] == exercise("minimax", 7).title
        assert f"<h1>{exercise('alphabeta', 1, difficulty='easy').title}</h1>" in http.get("/exercise").text
