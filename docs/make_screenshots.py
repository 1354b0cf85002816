"""The screenshots of docs/how-to/web.md, taken of a new lab by a real browser. Run it after the pages have changed."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from _lab import Lab

IMAGES = Path(__file__).parent / "images"
DESKTOP, PHONE = {"width": 1100, "height": 720}, {"width": 390, "height": 700}
PLAYERS = ["parity12", "lines2", "directions", "centre"]
CUP = {"name": "Cup", "game": "connect4", "contestants": PLAYERS, "pairs": 100, "depth": 4}
SHOTS = {
    "web-home": ("/", DESKTOP, "light", ".card img"),
    "web-analyse": ("/analyse/connect4/-/444443222", DESKTOP, "light", "#graph polyline"),
    "web-play": ("/onitama/-/-?second=human", PHONE, "dark", "[data-move]"),
    "web-tournament": ("/tournaments/{cup}", DESKTOP, "light", "#standings td"),
}


def play_cup(lab: Lab) -> str:
    """A tournament that has been played, by its name in addresses."""
    cup = str(lab.ask("/api/tournaments", CUP)["id"])
    while lab.ask(f"/api/tournaments/{cup}")["state"] in ("preparing", "playing"):
        time.sleep(0.5)
    return cup


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(folder)
        cup = play_cup(lab)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (address, size, scheme, shown) in SHOTS.items():
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(f"{lab.address}/?secret={lab.secret}")
            page.goto(lab.address + address.format(cup=cup), timeout=120_000)
            page.wait_for_selector(shown, timeout=120_000)
            page.wait_for_load_state("networkidle", timeout=120_000)
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()
        lab.end()


if __name__ == "__main__":
    main()
