"""How long visitors of the web lab wait for a painted page and for the answer to a click; and twenty games at once.

Pages are loaded by a real browser with an empty cache, from a lab whose games are compiled. Times are by the clock,
because that is what visitors wait. `allowed` is the time that the page may take. If more programs want to run than
there are cores, times are reported but not judged.
"""

import json
import os
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from _common import Figure, Missing, main, tell
from _lab import Lab, chromium

GAMES = ("connect4/-/-", "hex/-/-", "reversi/-/-", "onitama/-/-", "parcheckers/-/-")
PAINT_MS, PAGE_KB, CLICK_MS = 300.0, 100.0, 100.0
CLICKS = 20
PRESS_MS = 80  # how long a button or a finger is usually down before it is a click; 0 for a key
A_PAGE = 10  # clicks on one page: a game may be over soon
PLAYERS, PLIES, OPPONENT = 20, 12, "engine(seconds=0.1)"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
LOADED = """
[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce(([sent, read], entry) => [sent + entry.encodedBodySize, read + entry.decodedBodySize], [0, 0])
"""
CLICK = """
async (press) => {
  const board = document.getElementById("board");
  const place = board.querySelector("[data-move]");
  if (press) {
    place.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerId: 1}));
    await new Promise((resolve) => setTimeout(resolve, press));
  }
  const began = performance.now();
  const since = () => performance.now() - began;
  let shown = null;
  const ahead = ({target, attributeName}) => attributeName === "transform" || target.classList.contains("played");
  new MutationObserver((changes, mine) => {
    if (!changes.some(ahead)) return;
    mine.disconnect();
    requestAnimationFrame(() => { shown = since(); });
  }).observe(board, {subtree: true, attributes: true, attributeFilter: ["class", "transform"]});
  const answered = new Promise((resolve) => {
    new MutationObserver(resolve).observe(document.getElementById("moves"), {childList: true});
  });
  place.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  await answered;
  await new Promise(requestAnimationFrame);
  return [Math.min(shown ?? since(), since()), since()];
}
"""


def allowed(name: str, unit: str, values: list[float], most: float) -> Figure:
    """The median compared with the time allowed. The ratio is the time allowed divided by the median."""
    ratios = sorted(most / value for value in values)
    middle = statistics.median(values)
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    is_judged = waiting <= 1 or unit != "ms"
    note = "" if is_judged else f"not judged: {waiting:.1f} programs for each core"
    floor = 1 if is_judged else None
    return Figure(name, unit, middle, "allowed", most, most / middle, ratios[0], ratios[-1], floor, note=note)


# ------------------------------------------------------------------------------------------ one visitor, in a browser


def visits(lab: Lab, rounds: int) -> Iterator[Figure]:
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for line in GAMES:
            tell(f"{line}: first paint, and {CLICKS} clicks")
            paints, sizes, unpacked, shown, clicks, keys = [], [], [], [], [], []
            for number in range(rounds + 1):  # the first round fills the server's caches
                context = browser.new_context(
                    base_url=lab.address, viewport={"width": 1280, "height": 860}, extra_http_headers=lab.headers
                )
                page = context.new_page()
                page.goto(f"/{line}?second=human")
                while (painted := page.evaluate(PAINTED)) is None:
                    page.wait_for_timeout(10)
                if number:
                    paints.append(float(painted))
                    sent, read = page.evaluate(LOADED)
                    sizes.append(sent / 1000)
                    unpacked.append(read / 1000)
                    for _ in range(min(CLICKS // rounds + 1, A_PAGE) // 2):
                        keys.append(page.evaluate(CLICK, 0)[1])
                        own, answered = page.evaluate(CLICK, PRESS_MS)
                        shown.append(own)
                        clicks.append(answered)
                context.close()
            game = line.partition("/")[0]
            yield allowed(f"{game}: first paint", "ms", paints, PAINT_MS)
            yield allowed(f"{game}: page with all it loads, as sent", "kB", sizes, PAGE_KB)
            yield Figure(f"{game}: page with all it loads, unpacked", "kB", statistics.median(unpacked))
            yield allowed(f"{game}: one's own move shown after a click", "ms", shown, CLICK_MS)
            yield allowed(f"{game}: a click answered", "ms", clicks, CLICK_MS)
            yield allowed(f"{game}: a key answered", "ms", keys, CLICK_MS)
        browser.close()


# ------------------------------------------------------------------------------------------ twenty games at once


def get(lab: Lab, path: str, query: dict[str, Any]) -> str:
    request = urllib.request.Request(f"{lab.address}{path}?{urlencode(query)}", headers=lab.headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode())


def chosen_move(events: str) -> str:
    for block in events.split("\n\n"):
        if block.startswith("event: move"):
            return str(json.loads(block.partition("data: ")[2])["move"])
    raise ValueError(f"no move in {events[-200:]!r}")


def play_a_game(lab: Lab, errors: list[str], waits: list[float]) -> None:
    """Play as a visitor who answers each of the engine's moves at once with the first legal move."""
    line, ply = "connect4/-/-", 0
    try:
        while ply < PLIES:
            move = chosen_move(get(lab, "/api/think", {"line": line, "player": OPPONENT})) if ply % 2 else ""
            if not move:
                move = json.loads(get(lab, "/api/position", {"line": line}))["legal"][ply // 2 % 4]
            began = time.perf_counter()
            found = json.loads(get(lab, "/api/position", {"line": line, "play": move}))
            waits.append(1000 * (time.perf_counter() - began))
            line, ply = found["line"], ply + 1
            if found["ending"]:
                return
    except (OSError, ValueError, urllib.error.URLError) as error:
        errors.append(f"{type(error).__name__}: {error}")


def crowd(lab: Lab, rounds: int) -> Iterator[Figure]:
    errors: list[str] = []
    waits: list[float] = []
    for number in range(rounds):
        tell(f"{PLAYERS} games at once, round {number + 1} of {rounds}")
        threads = [threading.Thread(target=play_a_game, args=(lab, errors, waits)) for _ in range(PLAYERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    well = 1 - len(errors) / (PLAYERS * rounds)
    note = "; ".join(errors[:3])
    yield Figure(f"{PLAYERS} games at once, without an error", "of 1", well, "all", 1.0, well, floor=1, note=note)
    yield Figure("a move answered meanwhile, median", "ms", statistics.median(waits))
    yield Figure("a move answered meanwhile, 95%", "ms", sorted(waits)[int(0.95 * (len(waits) - 1))])


def measure(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        try:
            play_a_game(lab, [], [])  # compile the engine
            figures = list(crowd(lab, rounds))
            try:
                figures += visits(lab, rounds)
            except Missing as missing:
                figures.append(Figure("pages in a browser", "", 0.0, note=str(missing)))
        finally:
            lab.end()
    return figures


if __name__ == "__main__":
    main("web", "The web lab, as a visitor feels it", measure, rounds=3)
