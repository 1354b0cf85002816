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
from _published import in_chromium, processor_seconds
from zermelo.games import find_game
from zermelo.players.modules import state_bytes
from zermelo.position import Game, Position
from zermelo.publish.module import published
from zermelo.solving.registry import own_solution

GAME, PLAYER = "connect4", "engine(seconds=0.5)"
CELLS, BOOK, WORKERS, LIMIT = 42, 8, 4, 1000.0


def good_moves(position: Position) -> list[int]:
    """The moves whose exact scores are at most two stones worse than the best."""
    solved = own_solution(position, all_moves=True)
    assert solved is not None
    return [move for move, score in solved.scores.items() if score >= solved.score - 2]


def positions_at(game: Game, ply: int, number: int, chance: random.Random) -> list[Position]:
    """Unfinished positions after so many plies. Half of them begin with good moves, the others are random."""
    found: list[Position] = []
    while len(found) < number:
        position, is_good = game.start(), len(found) % 2 == 0
        while not position.is_over and len(position.path) <= ply:
            knows = is_good and len(position.path) <= BOOK
            position = position.play_code(chance.choice(good_moves(position) if knows else list(position.codes)))
        if not position.is_over:
            found.append(position)
    return found


def with_workers(times: list[float]) -> float:
    """How long several workers take for moves of these times, each taking the next move when it is free."""
    free = [0.0] * WORKERS
    for time in times:
        free.sort()
        free[0] += time
    return max(free)


def measured(page: Any, session: Any, wasm: str, position: Position) -> tuple[float, float]:
    """Milliseconds of processor time for all moves, and of waiting with several workers."""
    state = base64.b64encode(state_bytes(position.state)).decode()
    page.evaluate("wasm => freshPlayer(wasm)", wasm)
    before = processor_seconds(session)
    times = page.evaluate("text => solvedTimes(text)", state)
    used = 1000 * (processor_seconds(session) - before)
    share = min(1.0, used / max(sum(times), 0.001))  # the clock runs on while other programs have the processor
    return used, with_workers([share * one for one in times])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=5, help="number of positions for each ply")
    parser.add_argument("--near", type=int, default=30, help="the same for 6 to 12 stones, where it takes longest")
    parser.add_argument("--plies", type=int, nargs=2, default=(0, CELLS), help="first ply, and the one behind the last")
    options = parser.parse_args()
    game, chance = find_game(GAME), random.Random(1)
    wasm = base64.b64encode(published(GAME, PLAYER).data).decode()
    print("stones  positions  processor time, ms: median, most   four workers, ms: median, most")
    slow = too_slow = 0
    with in_chromium(chromium()) as page:
        session = page.context.browser.new_browser_cdp_session()
        for ply in range(*options.plies):
            number = options.near if 6 <= ply <= 12 else options.positions
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
