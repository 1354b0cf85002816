"""The screenshots of docs/how-to/web.md, taken of a new lab by a real browser. Run it after the pages have changed."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
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
    "web-tournament": ("/tournaments/{cup}", DESKTOP, "light", "#standings td"),
    "web-exercise": ("/exercise/alphabeta/7?difficulty=easy", TALL, "light", '#exercise[data-ready="yes"]'),
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


def main() -> None:
    """Take all pictures, or only those that are named on the command line."""
    wanted = {name: SHOTS[name] for name in sys.argv[1:] or SHOTS}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(folder)
        try:
            cup = play_cup(lab) if "web-tournament" in wanted else ""
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, (address, size, scheme, shown) in wanted.items():
                page = browser.new_page(viewport=size, color_scheme=scheme)
                page.set_default_timeout(PATIENCE)
                page.goto(f"{lab.address}/?secret={lab.secret}")  # this page sets the cookie and leads on by itself
                page.wait_for_url(f"{lab.address}/")
                page.goto(lab.address + address.format(cup=cup))
                page.wait_for_selector(shown)
                prepare(page)
                page.wait_for_timeout(500)  # pictures and charts that are still being drawn
                page.screenshot(path=IMAGES / f"{name}.png")
                page.close()
            browser.close()
        finally:
            lab.end()


if __name__ == "__main__":
    main()
