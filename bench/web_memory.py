"""Memory of the web lab when all games have been opened and the engine has moved once in each.

It is the server's share of memory and that of the processes that it started (PSS: a page that several processes use
counts as a part for each). First everything is compiled in one lab, then measured in another, which finds the code in
the cache, as at every start but the first.
"""

import os
import tempfile
import time
import urllib.request
from pathlib import Path

from _common import Figure, Missing, main, tell
from _lab import Lab
from web import get

GAMES = ("connect4", "hex", "onitama", "parcheckers", "reversi", "tictactoe")
MOST_MB = 500
PLAYERS = ("engine(seconds=2)", "level(2)")


def shares(process: int) -> dict[str, float]:
    """Megabytes of a process and of all that it started, by number and name."""
    found = {}
    waiting = [process]
    while waiting:
        number = waiting.pop()
        folder = Path("/proc") / str(number)
        try:
            pss = next(line for line in (folder / "smaps_rollup").read_text().splitlines() if line.startswith("Pss:"))
            name = (folder / "cmdline").read_bytes().split(b"\0")
            for thread in (folder / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        except (OSError, StopIteration):
            continue
        found[f"{number} {b' '.join(name[2:4]).decode()[:30]!r}"] = int(pss.split()[1]) / 1024
    return found


def visit(lab: Lab, game: str) -> str:
    """Open a game as a newcomer does; returns the line of its address."""
    with urllib.request.urlopen(urllib.request.Request(f"{lab.address}/{game}", headers=lab.headers)) as answer:
        answer.read()
        path = str(answer.url).partition(lab.address)[2].partition("?")[0]
    return path.strip("/")


def everything(lab: Lab, told: bool = False) -> list[tuple[str, float]]:
    """Memory after each step. Everything is compiled before the engine moves, so that no small search stands in."""
    found = []

    def note(what: str) -> None:
        parts = shares(lab.process.pid)
        found.append((what, sum(parts.values())))
        if told:
            tell(f"{what}: " + ", ".join(f"{name} {size:.0f}" for name, size in parts.items()))

    note("at the start")
    get(lab, "/", {})
    lines = {game: visit(lab, game) for game in GAMES}
    note("all games opened")
    for game, line in lines.items():
        whole = line if line.count("/") == 2 else f"{line}/-"
        for player in PLAYERS:
            while "stand_in" in get(lab, "/api/think", {"line": whole, "player": player}):
                time.sleep(1)
        note(f"the engine has moved in {game}")
    return found


def measure(rounds: int) -> list[Figure]:
    if not Path("/proc/self/smaps_rollup").exists():
        raise Missing("this system does not tell the shares of memory")
    with tempfile.TemporaryDirectory() as folder:
        for is_told in (False, True):
            lab = Lab(folder)
            try:
                found = everything(lab, is_told)
            finally:
                lab.end()
    figures = [Figure(what, "MB", size) for what, size in found[:-1]]
    what, size = found[-1]
    return [
        *figures,
        Figure(what, "MB", size, "allowed", MOST_MB, MOST_MB / size, floor=1.0, note=f"{os.cpu_count()} cores"),
    ]


if __name__ == "__main__":
    main("web_memory", "Memory of the web lab", measure, rounds=1)
