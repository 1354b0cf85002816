"""A hundred spectators watch one tournament in the web lab for some seconds, while the same machine plays it.

All of them must connect, get all kinds of news, and miss nothing; every error counts. Two more things are measured: how
long it takes from the first spectator who gets a piece of news to the last, and how long a page takes meanwhile.
"""

import asyncio
import dataclasses
import json
import statistics
import tempfile
import time
from collections.abc import Sequence

from _common import Figure, main, tell
from _lab import Lab

SPECTATORS = 100
SECONDS = 10.0  # the length of each round
KINDS = {"state", "progress", "report", "board"}
CUP = {"name": "Load", "game": "connect4", "contestants": ["lines2", "parity12", "centre"], "pairs": 300, "depth": 7}


class Round:
    """What happened in one round."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.news: list[int] = []  # the number of messages that each spectator got
        self.arrivals: dict[str, list[float]] = {}  # a piece of progress -> when each spectator got it
        self.waits: list[float] = []  # the seconds that each page took


async def spectate(lab: Lab, address: str, end: float, found: Round) -> None:
    import websockets

    kinds: set[str] = set()
    count = 0
    try:
        async with websockets.connect(address, max_size=None, additional_headers=lab.headers) as connection:
            while (left := end - time.monotonic()) > 0:
                try:
                    text = await asyncio.wait_for(connection.recv(), left)
                except TimeoutError:
                    break
                count += 1
                kinds.add(next(iter(json.loads(text))))
                if '"progress"' in text[:14]:
                    found.arrivals.setdefault(str(text), []).append(time.monotonic())
    except Exception as error:
        found.errors.append(f"{type(error).__name__}: {error}")
    if not kinds >= KINDS:
        found.errors.append(f"no {', '.join(sorted(KINDS - kinds))}")
    found.news.append(count)


async def visit(lab: Lab, path: str, end: float, found: Round) -> None:
    """Act as a visitor who opens the page now and then."""
    while time.monotonic() < end - 1:
        began = time.monotonic()
        try:
            await asyncio.to_thread(lab.ask, path)
        except OSError as error:
            found.errors.append(f"{path}: {error}")
        found.waits.append(time.monotonic() - began)
        await asyncio.sleep(0.3)


async def watch(lab: Lab, identity: str) -> Round:
    found, end = Round(), time.monotonic() + SECONDS
    address = f"{lab.address.replace('http', 'ws')}/ws/tournaments/{identity}"
    watching = [spectate(lab, address, end, found) for _ in range(SPECTATORS)]
    await asyncio.gather(*watching, visit(lab, f"/api/tournaments/{identity}/games", end, found))
    return found


def spreads(found: Round) -> list[float]:
    """Milliseconds from the first spectator to the last, for news that all of them got after their greeting message."""
    complete = [sorted(times) for times in found.arrivals.values() if len(times) == SPECTATORS]
    return [1000 * (times[-1] - times[0]) for times in complete[1:]]


def high(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def measure(rounds: int) -> list[Figure]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        try:
            identity = lab.ask("/api/tournaments", CUP)["id"]
            for number in range(rounds):
                tell(f"round {number + 1} of {rounds}: {SPECTATORS} spectators for {SECONDS:g} s")
                found.append(asyncio.run(watch(lab, identity)))
            lab.ask(f"/api/tournaments/{identity}/stop", {})
        finally:
            lab.end()
    errors = [error for one in found for error in one.errors]
    behind = [spread for one in found for spread in spreads(one)]
    waits = [1000 * wait for one in found for wait in one.waits]
    fewest = min(min(one.news) for one in found)
    served = 1 - len(errors) / (SPECTATORS * len(found))
    all_well = Figure("spectators without an error", "of 1", served, "all of them", 1.0, served, floor=1)
    return [
        dataclasses.replace(all_well, note="; ".join(errors[:3])),
        Figure("news for each, at least", "a second", fewest / SECONDS),
        Figure("the last after the first, median", "ms", statistics.median(behind)),
        Figure("the last after the first, 95%", "ms", high(behind)),
        Figure("list of games meanwhile, median", "ms", statistics.median(waits)),
        Figure("list of games meanwhile, 95%", "ms", high(waits)),
    ]


if __name__ == "__main__":
    main("web_spectators", f"{SPECTATORS} spectators of one tournament of the web lab", measure, rounds=2)
