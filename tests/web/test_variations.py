"""Variations inside variations: in the page, in its address, and in files."""

import pytest

import zermelo as z
from web.conftest import until
from zermelo.errors import ZermeloError
from zermelo.web.variations import read_tree


def lines(game, text):
    tree = read_tree(z.game(game), "", text, 1000)
    return ["".join(one.moves) for one in (tree.main, *tree.variations)]


def test_a_variation_replaces_the_move_before_it_and_may_hold_others():
    assert lines("tictactoe", "a1 b1 (c2 a3 (b3 (c3) a2)) b2 (c1)") == [
        "a1b1b2",
        "a1c2a3",
        "a1c2b3a2",
        "a1c2c3",
        "a1b1c1",
    ]
    assert lines("tictactoe", "a1 * (b1) (b2 * (c1))") == ["a1", "a1b1", "a1b2", "a1b2c1"]
    assert lines("connect4", "44(3(21)5)4") == ["444", "435", "421"]
    assert lines("parcheckers", "yellow0:4") == ["yellow0:4"]
    assert lines("tictactoe", "") == [""]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("(a1)", "no move stands before"), ("a1 (b1", "not closed"), ("a1) b1", "not opened"), ("a1 b1 (a1)", "taken")],
)
def test_wrong_trees_are_refused_with_a_reason(text, wrong):
    with pytest.raises(ZermeloError, match=wrong):
        lines("tictactoe", text)


def variations(page):
    """The nested lists as texts: [own moves, [inner]]."""
    return page.evaluate(
        """() => {
        const read = (list) => [...list.children].map((item) => [
          [...item.querySelectorAll(":scope > .step:not(.remove)")].map((step) => step.textContent).join(" "),
          ...[...item.children].filter((one) => one.tagName === "UL").map(read),
        ]);
        return read(document.getElementById("variations"));
      }"""
    )


def play(page, cell, count):
    page.locator(f'#board [data-move="{cell}"]').click()
    until(page, f"document.querySelectorAll('#moves li').length === {count}")


def test_a_variation_inside_a_variation_is_kept_in_the_address_and_the_file(page, open_page, server, check_axe, shot):
    page.goto("/analyse/tictactoe/-/a1b1b2?at=1")
    play(page, "c2", 2)  # instead of b1
    play(page, "a3", 3)
    page.click("#back")
    page.wait_for_url("**at=2*")
    play(page, "b3", 3)  # instead of a3, inside the variation
    play(page, "a2", 4)
    page.click("#back")
    page.click("#back")
    page.wait_for_url("**at=2*")
    play(page, "c3", 3)
    assert variations(page) == [["c2 a3", [["b3 a2"], ["c3"]]]]
    assert page.locator("#variations .quiet").all_inner_texts() == ["1… ", "2. ", "2. "]
    page.click("#back")
    page.wait_for_url("**at=2*")
    check_axe(page)
    shot(page, "variations")

    page.click("#share")
    with page.expect_download() as saving:
        page.click("#share-text")
    assert "tree: a1 b1 (c2 a3 (b3 a2) (c3)) b2\n" in saving.value.path().read_text()
    page.click("#share-dialog [data-close]")

    other = open_page()  # somebody else, who got the address
    other.goto(page.url)
    assert variations(other) == [["c2 a3", [["b3 a2"], ["c3"]]]]
    assert other.locator("#return").is_visible()
    other.locator("#variations .step", has_text="a2").click()
    until(other, "document.querySelectorAll('#moves li').length === 4")
    other.click("#return")
    until(other, "document.querySelectorAll('#moves li').length === 3")
    assert other.locator("#moves button").all_inner_texts()[1].startswith("b1")

    other.locator("#variations ul ul, #variations li li").first.locator(".remove").click()  # b3 a2
    until(other, "document.querySelectorAll('#variations li').length === 2")
    assert "b3" not in other.url
    other.go_back()
    other.locator("#variations > li > .remove").click()  # c2 with all that hang on it
    until(other, "document.querySelectorAll('#variations li').length === 0")
    assert "tree=" not in other.url


def test_an_address_with_a_wrong_tree_says_what_is_wrong(server):
    with server.client() as http:
        answer = http.get("/analyse/tictactoe/-/a1", params={"tree": "a1 (b1"})
        assert answer.status_code == 404 and "not closed" in answer.text
