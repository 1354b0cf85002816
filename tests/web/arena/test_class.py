"""A teacher and students, each with a browser of their own: joining, handing in, the ladder, a projector."""

import re
import socket

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from web.arena.conftest import GOOD, Arena, wait_until
from web.conftest import PHONE, watched
from zermelo.web.addresses import own_addresses
from zermelo.web.arena.settings import ServerSettings

ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def no_wider_than(page, width):
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def join(page, arena, name):
    page.goto(f"/join?key={arena.keys['join']}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Your personal link")).to_be_visible()


def hand_in(page, name, text):
    expect(page.locator("#drop-words")).to_be_visible()  # the script has begun; before that, the form works without it
    page.get_by_label("A Python file").set_input_files({"name": name, "mimeType": "", "buffer": text.encode()})
    page.get_by_role("button", name="Hand in").click()


def verdict(arena, state, *findings):
    """Say about the next submission what a worker would."""
    submission = arena.records.next_waiting()
    arena.records.decide(submission.id, state, {"findings": list(findings)}, None)
    return submission


def test_a_class(arena, visit, check_axe, shot):
    anna, ben = visit(), visit(**ON_A_PHONE)
    join(anna, arena, "Anna <b>")
    check_axe(anna)
    link = anna.get_by_label("Your personal link").input_value()
    shot(anna, "arena-link")
    join(ben, arena, "Ben")
    no_wider_than(ben, 390)
    for page in (anna, ben):
        page.get_by_role("link", name="Go to my page").click()
        expect(page.get_by_text("You have not handed in anything yet.")).to_be_visible()

    hand_in(anna, "mine.py", GOOD)
    expect(anna.locator("#said")).to_contain_text("Version 1 was received. It is number 1 in the queue")
    hand_in(ben, "broken.py", "def broken(:\n")
    expect(ben.locator("#said")).to_contain_text("number 2 in the queue")
    expect(ben.locator("#mine")).to_contain_text("number 2 in the queue")
    verdict(arena, "valid")
    expect(anna.locator("#mine .pill")).to_have_text("accepted")
    expect(anna.locator("#mine")).to_contain_text("plays")
    expect(ben.locator("#mine")).to_contain_text("number 1 in the queue")
    verdict(arena, "refused", {"level": "error", "text": "a syntax error <here>", "file": "broken.py", "line": 1})
    expect(ben.locator("#mine .findings")).to_contain_text("broken.py:1 a syntax error <here>")
    check_axe(ben)
    no_wider_than(ben, 390)
    shot(ben, "arena-me-phone")
    shot(anna, "arena-me")

    anna.get_by_role("link", name="Ladder").click()
    expect(anna.locator("#empty")).to_be_visible()
    arena.publish("Anna <b>", "Ben")
    expect(anna.locator("tr.mine")).to_contain_text("you")
    assert anna.locator(".ladder tbody tr").evaluate_all("rows => rows.map((row) => row.className)")[0] == "mine"
    arena.publish("Ben", "Anna <b>")
    expect(anna.locator(".ladder tbody tr").nth(1)).to_have_class("mine")
    arena.records.set_flag("paused", True, "teacher")
    expect(anna.locator("#paused")).to_be_visible()
    check_axe(anna)

    again = visit()  # the personal link in another browser
    again.goto(link, wait_until="commit")
    expect(again.get_by_role("heading", name="Anna <b>")).to_be_visible()
    assert "key=" not in again.url

    teacher = visit()
    teacher.goto(f"/enter?key={arena.keys['teacher']}", wait_until="commit")
    teacher.wait_for_url("**/desk")
    teacher.expected_errors.append("404")  # the desk may be another part's
    teacher.goto("/")
    expect(teacher.locator(".ladder tbody tr")).to_have_count(3)
    expect(teacher.get_by_role("link", name="Teacher's desk")).to_be_visible()


def test_a_file_is_dropped(arena, anna, visit):
    page = visit(anna.key)
    expect(page.locator("#drop-words")).to_be_visible()
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "mine.py"));
          const options = {dataTransfer: data, bubbles: true, cancelable: true};
          for (const kind of ["dragenter", "dragover", "drop"])
            document.getElementById("hand-in").dispatchEvent(new DragEvent(kind, options));
        }""",
        GOOD,
    )
    expect(page.locator("#said")).to_contain_text("Version 1 was received")
    (submission,) = arena.records.submissions()
    assert arena.records.texts(submission.id) == {"mine.py": GOOD}
    page.expected_errors.append("400")
    hand_in(page, "mine.py", "")
    expect(page.locator("#problem")).to_be_visible()


def test_a_wide_class_on_a_phone_and_on_a_projector(arena, visit, check_axe, shot):
    names = [f"Student {number}" for number in range(29)] + ["Unaussprechlichlangernachname" * 2]
    for name in names:
        arena.records.add_student(name, name)
    arena.publish(*names)
    phone = visit(arena.keys["watch"], **ON_A_PHONE)
    phone.goto("/")
    expect(phone.locator(".ladder tbody tr")).to_have_count(31)
    no_wider_than(phone, 390)
    check_axe(phone)
    shot(phone, "arena-ladder-phone")
    projector = visit(arena.keys["watch"], viewport={"width": 1280, "height": 720})
    assert projector.url.endswith("/projector")
    projector.goto("/projector?seconds=3600")
    expect(projector.locator("#page")).to_have_text(re.compile(r"Page 1 of \d"))
    # In one step, because news may draw the table anew at any moment.
    size = projector.evaluate("parseFloat(getComputedStyle(document.querySelector('.ladder tbody th')).fontSize)")
    assert size >= 720 / 28, "letters are at least 1/28 of the height of the picture"
    assert projector.evaluate("document.documentElement.scrollHeight") <= 720
    check_axe(projector)
    shot(projector, "arena-projector")
    projector.goto("/projector?seconds=2")  # it turns its pages by itself, again and again
    expect(projector.locator("#page")).to_have_text(re.compile(r"Page 2 of \d"))


def test_pages_come_back_after_the_server_and_get_the_newest(arena, anna, visit):
    page = visit(anna.key)
    page.goto("/")
    page.expected_errors += ["WebSocket", "ERR_CONNECTION_REFUSED"]
    expect(page.locator("#empty")).to_be_visible()
    arena.stop()
    expect(page.locator("#notice")).to_contain_text("The connection was lost")
    arena.start()
    arena.publish("Anna")
    expect(page.locator("tr.mine")).to_be_visible()
    expect(page.locator("#notice")).not_to_contain_text("lost")


def test_watching_costs_one_look_and_leaves_nothing(arena, anna):
    address = f"{arena.address.replace('http', 'ws')}/api/live"
    headers = {"Cookie": f"zermelo-student-{arena.port}={anna.key}"}
    news = arena.app.state.news
    for _ in range(5):
        with connect(address, additional_headers=headers) as one, connect(address, additional_headers=headers) as two:
            assert one.recv(timeout=60) and two.recv(timeout=60)
            wait_until(lambda: len(news.spectators) == 2)
        wait_until(lambda: not news.spectators)
    assert set(news.latest) == {"standings", "rounds", "final", "queue", "state", "time"}


def test_rounds_and_final(arena, anna, visit, check_axe):
    page = visit(anna.key)
    page.goto("/rounds")
    expect(page.get_by_text("No round has been played yet.")).to_be_visible()
    page.expected_errors.append("404")
    page.goto("/final")
    expect(page.get_by_text("This has not been played yet.")).to_be_visible()
    rows = arena.rows("Anna")
    arena.records.publish("round/1", {"rows": rows, "games": 4, "ended": 1_800_000_000.0})
    rounds = [{"number": 1, "due": 1_800_000_000.0, "ended": 1_800_000_000.0}]
    arena.records.publish("rounds", {"rounds": rounds, "next": 1_800_600_000.0})
    said = {"number": 4711, "how": "drawn", "ordered": 1_800_000_000.0, "ended": None}
    arena.records.publish("final", said)
    page.goto("/rounds")
    expect(page.get_by_text("The next round is on 2027-01-22 06:40 (UTC).")).to_be_visible()
    page.get_by_role("link", name="Round 1").click()
    expect(page.locator("tr.mine")).to_be_visible()
    page.goto("/final")
    expect(page.locator("main")).to_contain_text("4711; it was drawn before the first game")
    arena.records.publish("final", said | {"rows": rows, "games": 4})
    expect(page.locator("tr.mine")).to_be_visible()
    check_axe(page)


def test_from_another_address(browser, tmp_path):
    """The whole way in over a network, where browsers do not trust the page as they trust this machine's."""
    addresses = own_addresses(socket.AF_INET)
    if not addresses:
        pytest.skip("this machine has no address but loopback")
    arena = Arena(tmp_path, server=ServerSettings(data=tmp_path, host="0.0.0.0", poll_seconds=0.05))
    try:
        address = f"http://{addresses[0]}:{arena.port}"
        with watched(lambda **options: browser.new_context(base_url=address, **options), addresses[0]) as make:
            page = make()
            join(page, arena, "Anna")
            assert page.get_by_label("Your personal link").input_value().startswith(f"{address}/enter?key=")
            page.get_by_role("button", name="Copy").click()
            expect(page.locator("#notice")).to_have_text("The link was copied.")
            page.get_by_role("link", name="Go to my page").click()
            hand_in(page, "mine.py", GOOD)
            expect(page.locator("#said")).to_contain_text("Version 1 was received")
            arena.publish("Anna")
            page.get_by_role("link", name="Ladder").click()
            expect(page.locator("tr.mine")).to_be_visible()
    finally:
        arena.close()
