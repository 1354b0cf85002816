"""On a phone every target is large enough for a finger, and no page is wider than the screen."""

import pytest

from web.conftest import until

LEAST = 39.5
"""Pixels of a target's shorter side: 40, except for rounding."""
SMALL = """
(least) => [...document.querySelectorAll("button, a, select, summary, input:not([type=checkbox], [type=radio])")]
  .filter((one) => !one.matches(".skip") && !one.closest("svg, dialog:not([open]), .visually-hidden"))
  .filter((one) => one.checkVisibility({visibilityProperty: true}))
  .filter((one) => !(one.nodeName === "A" && one.closest("p") && getComputedStyle(one).display === "inline"))
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([{width, height}]) => Math.min(width, height) < least)
  .map(([{width, height}, one]) => `${width.toFixed(0)}x${height.toFixed(0)} ${one.outerHTML.slice(0, 100)}`)
"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".card"),
        ("/saved", ".games td a"),
        ("/puzzles", "#board [data-move]"),
        ("/together", "form"),
        ("/tournaments", "h1"),
        ("/tournaments/new", "form"),
        ("/rules/parcheckers", ".lesson"),
        ("/reversi/-/d3c5f6f5e6e3c3f3c4?second=human", "#moves li"),  # an opening with a name
        ("/parcheckers/-/-?second=human", "#board [data-move]"),
        ("/analyse/tictactoe/-/b2a3a1c3b1b3", "#learn:not([hidden])"),
        ("/why/tictactoe/-/b2a3a1c3", "#node-links a"),
    ],
)
@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
def test_targets_are_large_enough(open_page, saved, path, ready, language):
    saved("aaaa0006", "hex/5x5,swap=yes/c3a1")
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=language)
    page.goto(path)
    until(page, f"document.querySelector({ready!r}) !== null")
    assert page.evaluate(SMALL, LEAST) == []
    assert page.evaluate(WIDER) <= 0
