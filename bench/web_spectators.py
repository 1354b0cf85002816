"""A hundred spectators of one tournament of the web lab, for some seconds, while it is played on the same machine.

All of them must connect, get all kinds of news, and lose nothing: an error of any kind counts. Measured besides: how
long it takes until the last of them has what the first has, and what a page waits meanwhile.
"""

import asyncio
import dataclasses
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from _common import Figure, Missing, main, tell

SPECTATORS = 100
SECONDS = 10.0  # of each round
KINDS = {"state", "progress", "report", "board"}
CUP = {"name": "Load", "game": "connect4", "contestants": ["lines2", "parity12", "centre"], "pairs": 300, "depth": 7}
READY = re.compile(r"http://127\.0\.0\.1:(\d+)")


class Lab:
    """`zermelo serve` in a process of its own, with a folder of its own."""

    def __init__(self, folder: str):
        command = [sys.executable, "-m", "zermelo", "serve", "--port", str(_free_port())]
        environment = {**os.environ, "ZERMELO_DATA_DIR": folder}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = READY.search(self.process.stderr.readline())
        if found is None:
            raise Missing(f"the lab did not start: {self.process.stderr.read()}")
        self.address = f"http://127.0.0.1:{found[1]}"
        while True:
            try:
                self.token = self.ask("/api/session")["token"]
                return
            except urllib.error.URLError:
                time.sleep(0.1)

    def ask(self, path: str, body: object = None) -> Any:
        headers = {"Content-Type": "application/json", "X-Zermelo-Token": getattr(self, "token", "")}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers)) as answer:
            return json.loads(answer.read())

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Round:
    """What happened in one round."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.news: list[int] = []  # messages of each spectator
        self.arrivals: dict[str, list[float]] = {}  # a piece of progress -> when each spectator had it
        self.waits: list[float] = []  # seconds for a page


async def spectate(address: str, end: float, found: Round) -> None:
    import websockets

    kinds: set[str] = set()
    count = 0
    try:
        async with websockets.connect(address, max_size=None) as connection:
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
    """Somebody who opens the page now and then."""
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
    watching = [spectate(address, end, found) for _ in range(SPECTATORS)]
    await asyncio.gather(*watching, visit(lab, f"/api/tournaments/{identity}/games", end, found))
    return found


def spreads(found: Round) -> list[float]:
    """Milliseconds from the first spectator to the last, for news that all of them got after their greeting."""
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
