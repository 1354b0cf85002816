"""A class in an arena: 100 students hand in 500 times, and 100 spectators watch, while the same machine plays.

An hour's worth of events is compressed into six minutes. Every student opens pages as students do: the ladder, the own
page, the latest submission, the rounds; the teacher looks at the desk. One submission in ten is broken, and one in five
is code that was handed in before. The server, its worker and their sandboxes are the real ones.

Pages are judged by the clock, from the request to the last byte, by the 95th percentile of each kind of page; on a busy
machine, the server's processor time for a request tells more. At the end, the database must contain every submission
that was answered, with its text, and every game only once.
"""

import asyncio
import dataclasses
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _common import Figure, Missing, main, tell
from _lab import free_port
from zermelo.arena.links import link_key
from zermelo.arena.records import Records
from zermelo.tournaments.store import open_store

STUDENTS, VERSIONS, SPECTATORS = 100, 5, 100
MINUTES = float(os.environ.get("ZERMELO_ARENA_MINUTES", "6"))
MOST_MS = 300.0
LOOKS = 10.0
"""Seconds between two pages that a student opens, on average. In an hour that would be a page every 100 seconds."""

ARENA = """game = "connect4"
title = "Load"

[budget]
depth = 2

[class]
quota = 1000

[ladder]
rungs = ["random", "lines2"]
"""
GOOD = """import zermelo as z


@z.heuristic
def mine(board: z.Connect4):
    middle = z.cells("d1-d6")
    return {weight} * (len(board.mine & middle) - len(board.theirs & middle)) + len(board.moves())
"""
BROKEN = """import zermelo as z


@z.heuristic
def mine(board: z.Connect4):
    return {weight} * board.middle
"""
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")


class Arena:
    """`zermelo arena serve` in a separate process."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "arena.toml").write_text(ARENA, "utf-8")
        store = open_store(folder / "arena.db")
        records = Records(store)
        self.students = [records.add_student(f"Student {number}") for number in range(1, STUDENTS + 1)]
        self.watch, self.teacher = (link_key(records, folder, kind) for kind in ("watch", "teacher"))
        store.close()
        self.log = (folder / "log").open("w+")
        command = [sys.executable, "-m", "zermelo", "arena", "serve", str(folder), "--port", str(free_port())]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, text=True)
        end = time.monotonic() + 120
        while not (found := ADDRESS.search(self.printed())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Missing(f"the arena did not start: {self.printed()}")
            time.sleep(0.1)
        self.address = f"http://127.0.0.1:{found[1]}"

    def printed(self) -> str:
        return (self.folder / "log").read_text("utf-8")

    @property
    def memory(self) -> float:
        """Megabytes that the server uses, without its worker."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def processor_time(self) -> float:
        """Seconds of processor time that the server has used, without its worker."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


class Load:
    """What the class did, and how long it waited."""

    def __init__(self, arena: Arena):
        self.arena = arena
        self.waits: dict[str, list[float]] = defaultdict(list)  # kind of page -> seconds
        self.errors: list[str] = []
        self.accepted: dict[int, tuple[str, str]] = {}  # submission -> student, digest of its text
        self.news = Counter[int]()
        self.connected = 0

    async def ask(self, client: Any, kind: str, method: str, path: str, **options: Any) -> Any:
        began = time.monotonic()
        try:
            answer = await client.request(method, path, **options)
        except Exception as error:
            self.errors.append(f"{kind}: {type(error).__name__}: {error}")
            return None
        self.waits[kind].append(time.monotonic() - began)
        if answer.status_code >= 400:
            self.errors.append(f"{kind}: {answer.status_code}: {answer.text[:200]}")
            return None
        return answer

    async def study(self, client: Any, number: int, end: float) -> None:
        """Be a student."""
        student, key = self.arena.students[number]
        chance = random.Random(number)
        headers = {"Authorization": f"Bearer {key}"}
        times = sorted(chance.uniform(0, MINUTES * 60 - 5) for _ in range(VERSIONS))
        began, latest, text = end - MINUTES * 60, 0, ""
        while True:
            due = began + times[0] if times else end
            pause = chance.expovariate(1 / LOOKS)
            if time.monotonic() + pause < min(due, end):
                await asyncio.sleep(pause)
                path = chance.choice(["/", "/me", "/rounds", f"/submissions/{latest}" if latest else "/me"])
                kind = "/submissions/{id}" if "submissions" in path else path
                await self.ask(client, kind, "GET", path, headers=headers)
                continue
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if not times:
                return
            times.pop(0)
            if not text or chance.random() < 0.8:
                text = (BROKEN if chance.random() < 0.1 else GOOD).format(weight=chance.randint(-3, 9))
            given = {"filename": "mine.py", "text": text}
            answer = await self.ask(client, "handing in", "POST", "/api/submissions", headers=headers, json=given)
            if answer is not None:
                latest = answer.json()["id"]
                self.accepted[latest] = student.id, hashlib.sha256(text.encode()).hexdigest()

    async def teach(self, client: Any, end: float) -> None:
        """Be the teacher."""
        while time.monotonic() < end:
            await self.ask(client, "/desk", "GET", "/desk", headers={"Authorization": f"Bearer {self.arena.teacher}"})
            await asyncio.sleep(2)

    async def spectate(self, number: int, end: float) -> None:
        import websockets

        headers = {"Authorization": f"Bearer {self.arena.watch}"}
        address = self.arena.address.replace("http", "ws") + "/api/live"
        try:
            async with websockets.connect(address, max_size=None, additional_headers=headers) as connection:
                self.connected += 1
                while (left := end - time.monotonic()) > 0:
                    try:
                        json.loads(await asyncio.wait_for(connection.recv(), left))
                    except TimeoutError:
                        break
                    self.news[number] += 1
        except Exception as error:
            self.errors.append(f"spectator: {type(error).__name__}: {error}")

    async def run(self) -> None:
        import httpx

        end = time.monotonic() + MINUTES * 60
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
        async with httpx.AsyncClient(base_url=self.arena.address, timeout=60, limits=limits) as client:
            await asyncio.gather(
                *(self.study(client, number, end) for number in range(STUDENTS)),
                *(self.spectate(number, end) for number in range(SPECTATORS)),
                self.teach(client, end),
            )


def high(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def lost(arena: Arena, accepted: dict[int, tuple[str, str]]) -> list[str]:
    """What the database should contain and does not."""
    store = open_store(arena.folder / "arena.db", must_exist=True)
    records, wrong = Records(store), []
    known = {one.id: one for one in records.submissions()}
    for number, (student, digest) in accepted.items():
        texts = records.texts(number) if number in known else {}
        if number not in known or known[number].student != student:
            wrong.append(f"submission {number} is missing")
        elif digest not in {hashlib.sha256(text.encode()).hexdigest() for text in texts.values()}:
            wrong.append(f"submission {number} has another text")
    store.close()
    return wrong


def counts(arena: Arena) -> tuple[int, int]:
    """The number of verdicts, and of games."""
    store = open_store(arena.folder / "arena.db", must_exist=True)
    records = Records(store)
    verdicts = len(records.submissions(states=["valid", "refused"]))
    games = store.counts("ladder")[0] if "ladder" in store.names() else 0
    store.close()
    return verdicts, games


def measure(rounds: int) -> list[Figure]:
    figures = []
    for number in range(rounds):
        tell(f"round {number + 1} of {rounds}: {STUDENTS} students and {SPECTATORS} spectators for {MINUTES:g} minutes")
        with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as folder:
            arena = Arena(Path(folder))
            try:
                load = Load(arena)
                before, began = arena.memory, arena.processor_time
                asyncio.run(load.run())
                after, worked = arena.memory, arena.processor_time - began
            finally:
                arena.end()
            figures += told(arena, load, before, after, worked)
    return figures


def told(arena: Arena, load: Load, before: float, after: float, worked: float) -> list[Figure]:
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    found = []
    for kind, waits in sorted(load.waits.items()):
        wait = 1000 * high(waits)
        figure = Figure(f"{kind}, 95%", "ms", wait, "allowed", MOST_MS, MOST_MS / wait, floor=1)
        found.append(dataclasses.replace(figure, note=f"{len(waits)} times; {busy:.1f} programs for each core"))
    wrong = lost(arena, load.accepted)
    verdicts, games = counts(arena)
    served = sum(load.news[number] > 0 for number in range(SPECTATORS)) / SPECTATORS
    kept = 1 - len(wrong) / max(len(load.accepted), 1)
    asked = sum(map(len, load.waits.values())) + SPECTATORS
    return [
        *found,
        Figure("submissions answered and kept", "of 1", kept, "all", 1.0, kept, floor=1, note="; ".join(wrong[:3])),
        Figure("spectators served", "of 1", served, "all", 1.0, served, floor=1),
        Figure("requests without an error", "of 1", 1 - len(load.errors) / asked, note="; ".join(load.errors[:3])),
        Figure("processor time of the server for a request", "ms", 1000 * worked / asked, note="the news are in it"),
        Figure("submissions", "accepted", len(load.accepted)),
        Figure("verdicts meanwhile", "given", verdicts),
        Figure("games meanwhile", "played", games),
        Figure("memory of the server at the end", "MB", after, "at the start", before, after / before),
    ]


if __name__ == "__main__":
    main("arena", "An arena with a hundred students", measure, rounds=1)
