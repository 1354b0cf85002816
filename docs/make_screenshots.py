"""The screenshots of docs/how-to/web.md and arena.md, taken by a real browser of a new lab and of an arena with a
made-up class. Run it after the pages have changed.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from made_up_class import MadeUpClass

from _lab import Lab

IMAGES = Path(__file__).parent / "images"
DESKTOP, PHONE = {"width": 1100, "height": 720}, {"width": 390, "height": 700}
TALL = {"width": 1100, "height": 1060}
PLAYERS = ["parity12", "lines2", "directions", "centre"]
CUP = {"name": "Cup", "game": "connect4", "contestants": PLAYERS, "pairs": 100, "depth": 4}
# The name of a picture: the address, the size, the colours, and what must be in sight before the picture is taken.
SHOTS = {
    "web-home": ("/", DESKTOP, "light", ".card img"),
    "web-analyse": ("/analyse/connect4/-/444443222", DESKTOP, "light", "#graph polyline"),
    "web-play": ("/onitama/-/-?second=human", PHONE, "dark", "[data-move]"),
    "web-puzzles": ("/puzzles/onitama-40", DESKTOP, "dark", "#board [data-move]"),
    "web-tournament": ("/tournaments/{cup}", DESKTOP, "light", "#standings td"),
    "web-exercise": ("/exercise/alphabeta/7?difficulty=easy", TALL, "light", '#exercise[data-ready="yes"]'),
}
# The same in the arena, with the person who looks at the page before the address.
ARENA_SHOTS = {
    "arena-ladder": ("Vega", "/", DESKTOP, "light", "tbody tr"),
    "arena-submission": ("Vega", "/submissions/{Vega}", {"width": 1100, "height": 1250}, "light", ".chart svg"),
    "arena-me": ("Rigel", "/me", PHONE, "light", "main h1"),
    "arena-desk": ("teacher", "/desk", TALL, "light", "main h1"),
}
PATIENCE = 900_000  # milliseconds: a busy machine may compile for minutes before it shows anything
STILL_WORKING = "analysing the game…"  # stands beside the graph until it is complete
ANSWERS = {"alpha": ["-inf", "-inf", "3"], "beta": ["inf", "inf", "inf"], "value": ["3", "0"]}  # the last one is wrong
CUT = (6, 7)  # the branches to I and J


def play_cup(lab: Lab) -> str:
    """A tournament that has been played, by its name in addresses."""
    cup = str(lab.ask("/api/tournaments", CUP)["id"])
    while lab.ask(f"/api/tournaments/{cup}")["state"] in ("preparing", "playing"):
        time.sleep(0.5)
    return cup


def prepare(page: Page) -> None:
    """Wait until the analysis is complete; answer a few questions of an exercise, one of them wrongly."""
    facts = page.locator("#graph-facts")
    end = time.monotonic() + PATIENCE / 1000
    while facts.count() and STILL_WORKING in facts.inner_text():
        if time.monotonic() > end:
            raise TimeoutError(f"{page.url}: the graph is not complete")
        page.wait_for_timeout(200)
    if not page.locator("#exercise").count():
        return
    for kind, texts in ANSWERS.items():
        for field, text in zip(page.locator(f".entry.{kind} input").all(), texts, strict=False):
            field.fill(text)
    for branch in CUT:
        page.locator(".cut-button").nth(branch).click()
    page.locator("#check").click()
    page.wait_for_selector("#result:not([hidden])", timeout=PATIENCE)


def take_lab(browser: Browser, wanted: dict[str, Any]) -> None:
    """Take the pictures of the lab."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        try:
            cup = play_cup(lab) if "web-tournament" in wanted else ""
            for name, (address, size, scheme, shown) in wanted.items():
                page = browser.new_page(viewport=size, color_scheme=scheme)
                page.set_default_timeout(PATIENCE)
                page.goto(f"{lab.address}/?secret={lab.secret}")  # this page sets the cookie and leads on by itself
                page.wait_for_url(f"{lab.address}/")
                page.goto(lab.address + address.format(cup=cup))
                page.wait_for_selector(shown)
                prepare(page)
                save(page, name)
        finally:
            lab.end()


def take_arena(browser: Browser, wanted: dict[str, Any]) -> None:
    """Take the pictures of the arena."""
    with tempfile.TemporaryDirectory() as folder:
        arena = MadeUpClass(folder)
        try:
            for name, (who, address, size, scheme, shown) in wanted.items():
                page = browser.new_page(viewport=size, color_scheme=scheme)
                page.set_default_timeout(PATIENCE)
                page.goto(f"{arena.address}/enter?key={arena.keys[who]}")  # it leads on by itself
                page.wait_for_url("**/desk" if who == "teacher" else "**/me")
                page.goto(arena.address + address.format(**arena.submissions))
                page.wait_for_selector(shown)
                save(page, name)
        finally:
            arena.end()


def save(page: Page, name: str) -> None:
    """Save the picture of a page, and close the page."""
    page.wait_for_timeout(500)  # pictures and charts that are still being drawn
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def main() -> None:
    """Take all pictures, or only those that are named on the command line."""
    names = sys.argv[1:] or [*SHOTS, *ARENA_SHOTS]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shots, take in ((SHOTS, take_lab), (ARENA_SHOTS, take_arena)):
            wanted = {name: shots[name] for name in names if name in shots}
            if wanted:
                take(browser, wanted)
        browser.close()


if __name__ == "__main__":
    main()
