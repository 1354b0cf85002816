"""The exact Connect 4 page: the time for the exact score of every move, ply by ply, in Chromium.

The module of the page scores all moves of positions of each ply with one worker, which gives the processor time of the
whole browser, and the times of the single moves. From these follows how long the page waits with four workers, which
take the moves in turn. With either, it must be less than a second. The table of bounds is kept between the moves of a
position, as on the page, and begins empty with each position.
"""

import argparse
import base64
import random
import statistics
import sys
from typing import Any

from _common import tell
from _lab import chromium
from _ply_by_ply import HARD, add_options, positions_at, with_workers
from _published import in_chromium, processor_seconds
from zermelo.games import find_game
from zermelo.players.modules import state_bytes
from zermelo.position import Position
from zermelo.publish.module import published

GAME, PLAYER = "connect4", "engine(seconds=0.5)"
WORKERS, LIMIT = 4, 1000.0


def measured(page: Any, session: Any, wasm: str, position: Position) -> tuple[float, float]:
    """Milliseconds of processor time for all moves, and of waiting with several workers."""
    state = base64.b64encode(state_bytes(position.state)).decode()
    page.evaluate("wasm => freshPlayer(wasm)", wasm)
    before = processor_seconds(session)
    times = page.evaluate("text => solvedTimes(text)", state)
    used = 1000 * (processor_seconds(session) - before)
    share = min(1.0, used / max(sum(times), 0.001))  # the clock runs on while other programs have the processor
    return used, with_workers([share * one for one in times], WORKERS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    options = parser.parse_args()
    game, chance = find_game(GAME), random.Random(1)
    wasm = base64.b64encode(published(GAME, PLAYER).data).decode()
    print("stones  positions  processor time, ms: median, most   four workers, ms: median, most")
    slow = too_slow = 0
    with in_chromium(chromium()) as page:
        session = page.context.browser.new_browser_cdp_session()
        for ply in range(*options.plies):
            number = options.near if ply in HARD else options.positions
            tell(f"{ply} stones")
            found = [measured(page, session, wasm, one) for one in positions_at(game, ply, number, chance)]
            used, waited = zip(*found, strict=True)
            slow += sum(one > LIMIT for one in used)
            too_slow += sum(one > LIMIT for one in waited)
            columns = [statistics.median(used), max(used), statistics.median(waited), max(waited)]
            print(
                f"{ply:6} {number:10} {columns[0]:26.0f} {columns[1]:6.0f} {columns[2]:25.0f} {columns[3]:6.0f}",
                flush=True,
            )
    print(f"longer than {LIMIT:.0f} ms: {slow} positions with one worker, {too_slow} with {WORKERS}")
    sys.exit(slow > 0)


if __name__ == "__main__":
    main()
