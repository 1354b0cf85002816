"""What a visitor of the web lab waits for when nothing has been compiled yet: an empty cache for each game.

Times are by the clock, because that is what visitors wait, and beside them the processor time that the lab and the
processes it has started used meanwhile. The pictures of the home page need no compiler; the visitor's first move
must be shown within half a second and be answered within two. If more programs want to run than there are cores, the
clock is reported but not judged.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from _common import Figure, Missing, main, tell
from _lab import Lab, chromium
from web import FLAGS, allowed

GAMES = ("connect4", "reversi", "hex", "onitama", "parcheckers", "tictactoe")
OPPONENTS = ("level(2)", "engine(seconds=1)")
PICTURES_MS, SHOWN_MS, REPLY_MS = 1000.0, 500.0, 2000.0
PATIENCE = 240  # seconds

PICTURES = "[...document.images].every((image) => image.complete && image.naturalWidth)"
CLICK = """
() => {
  window.clicked = performance.now();
  const seen = () => {
    const moves = document.querySelectorAll("#moves li").length;
    const now = performance.now() - window.clicked;
    if (moves) window.shown ??= now;
    if (document.querySelector("#moves li.by-2")) window.replied ??= now;
  };
  window.shown = window.replied = null;
  new MutationObserver(seen).observe(document.getElementById("moves"), {childList: true});
  document.querySelector("#board [data-move]").dispatchEvent(new MouseEvent("click", {bubbles: true}));
}
"""


def used(process: int) -> float:
    """The processor time of a process and of those that it has started, in seconds."""
    try:
        with open(f"/proc/{process}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return 0.0
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(used, children))


def until(page: Any, expression: str) -> float:
    """When an expression became true, by the clock of this process."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(f"{expression} is still false at {page.url}")
        page.wait_for_timeout(5)
    return time.perf_counter()


class FirstVisit:
    """A lab with an empty cache, and a browser that has never seen it."""

    def __init__(self, browser: Any):
        self.folder = tempfile.TemporaryDirectory()
        os.environ["ZERMELO_CACHE_DIR"] = f"{self.folder.name}/cache"
        self.lab = Lab(f"{self.folder.name}/data")
        self.context = browser.new_context(base_url=self.lab.address, extra_http_headers=self.lab.headers)
        self.page = self.context.new_page()

    def processor(self) -> float:
        return used(self.lab.process.pid)

    def __enter__(self) -> "FirstVisit":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
        self.lab.end()
        self.folder.cleanup()


def home(browser: Any) -> Iterator[Figure]:
    tell("the home page")
    with FirstVisit(browser) as visit:
        before, began = visit.processor(), time.perf_counter()
        visit.page.goto("/")
        seconds = until(visit.page, PICTURES) - began
        yield allowed("home page: all pictures", "ms", [1000 * seconds], PICTURES_MS)
        yield Figure("home page: all pictures, processor time", "s", visit.processor() - before)


def first_game(browser: Any, game: str, opponent: str) -> Iterator[Figure]:
    tell(f"{game} against {opponent}")
    with FirstVisit(browser) as visit:
        page, before = visit.page, visit.processor()
        page.goto(f"/{game}/-/-?second={opponent}")
        until(page, "document.querySelector('#board [data-move]') !== null && !document.querySelector('#board[inert]')")
        page.evaluate(CLICK)
        until(page, "window.replied !== null")
        shown, replied = page.evaluate("[window.shown, window.replied]")
        name = f"{game} against {opponent}"
        yield allowed(f"{name}: one's own first move", "ms", [float(shown)], SHOWN_MS)
        yield allowed(f"{name}: the first reply", "ms", [float(replied)], REPLY_MS)
        yield Figure(f"{name}: processor time until then", "s", visit.processor() - before)


def measure(rounds: int) -> list[Figure]:
    try:
        path = chromium()
    except Missing as missing:
        return [Figure("first use in a browser", "", 0.0, note=str(missing))]
    from playwright.sync_api import sync_playwright

    kept = os.environ.get("ZERMELO_CACHE_DIR")
    figures: list[Figure] = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            for _ in range(rounds):
                figures += home(browser)
                for game in GAMES:
                    for opponent in OPPONENTS:
                        figures += first_game(browser, game, opponent)
            browser.close()
    finally:
        if kept is None:
            os.environ.pop("ZERMELO_CACHE_DIR", None)
        else:
            os.environ["ZERMELO_CACHE_DIR"] = kept
    return figures


if __name__ == "__main__":
    main("web_first_use", "The web lab, used for the first time", measure, rounds=1)
