"""The first page, and what every page has in common."""

import pytest

from web.conftest import until


def test_a_card_for_every_game(page, check_axe, shot):
    page.goto("/")
    assert page.locator(".card").count() >= 6
    until(page, "[...document.images].every((image) => image.complete && image.naturalWidth)")
    check_axe(page)
    shot(page, "home")


def test_on_a_phone_nothing_is_wider_than_the_screen(phone, shot):
    phone.goto("/")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shot(phone, "home-phone")


def test_a_wrong_address_is_a_clear_page(page):
    page.expected_errors.append("404")
    answer = page.goto("/no/such/page/at/all")
    assert answer.status == 404
    assert "There is no /no/such/page/at/all here" in page.inner_text("main")


@pytest.mark.parametrize("language", ["en", "es"])
def test_on_a_phone_the_places_take_two_rows(phone, language):
    phone.goto(f"/?lang={language}")
    rows = phone.evaluate("[...new Set([...document.querySelectorAll('.top nav a')].map((link) => link.offsetTop))]")
    assert len(rows) == 2


BRIGHTNESS = """
() => [...document.images].map((image) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [40, 40];
  const drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0, 40, 40);
  const shown = [...drawing.getImageData(0, 0, 40, 40).data];
  const seen = shown.filter((_, place) => shown[place - place % 4 + 3] && place % 4 < 3);
  return seen.length && seen.reduce((sum, value) => sum + value, 0) / seen.length;
})
"""


def test_the_pictures_of_the_games_are_dark_in_a_dark_page(open_page):
    brightness = {}
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto("/")
        until(page, "[...document.images].every((image) => image.complete && image.naturalWidth)")
        brightness[scheme] = page.evaluate(BRIGHTNESS)
    assert len(brightness["dark"]) >= 8
    assert all(0 < dark < light for light, dark in zip(brightness["light"], brightness["dark"], strict=True))
    assert max(brightness["dark"]) < 110, "of 255"
