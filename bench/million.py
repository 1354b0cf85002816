"""A tournament of a million games: the size of its store, and time and memory to report, resume and export it.

The games are real ones of random players of Connect 4. A thousand are played, and the ledger is filled with copies of
them, as fast as the store takes them; only the last hundred pairs are left to be played by `resume`. Each command runs
in a process of its own. Times are processor time, and memory is the greatest amount that the process ever had.
ZERMELO_GAMES sets another number of games.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _common import Figure, main, tell
from zermelo.match import play_match
from zermelo.players import RandomPlayer
from zermelo.tournaments.plan import Plan, make_plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.run import begin
from zermelo.tournaments.schedule import Pair, Schedule
from zermelo.tournaments.store import Store, open_store

GAMES = int(os.environ.get("ZERMELO_GAMES", "1000000"))
DIFFERENT = min(1000, GAMES)
CONTESTANTS = 10
LEFT = 100
"""Number of pairs that are left for `resume`."""
BATCH = 5000
MEMORY = 500
"""Megabytes that no command may exceed."""


def plan_of(games: int) -> Plan:
    meetings = CONTESTANTS * (CONTESTANTS - 1) // 2
    players = [f"random(seed={number})" for number in range(1, CONTESTANTS + 1)]
    pairs = max(1, games // (2 * meetings))
    # Players with a seed repeat their games, so every pair needs an opening of its own.
    return make_plan(players, "connect4", pairs=pairs, openings={"plies": 8, "count": pairs, "balanced": False})[0]


def recorded(number: int) -> list[Played]:
    """Games of random players."""
    from zermelo.games import find_game

    start = find_game("connect4").start()
    games = (play_match(RandomPlayer(2 * seed), RandomPlayer(2 * seed + 1), start) for seed in range(number))
    return [Played.of(record) for record in games]


def pairs_of(store: Store) -> list[Pair]:
    """All pairs of the schedule."""
    plan, openings = store.plan()
    return list(Schedule(plan, openings, lambda one, other: False).advance({}))


def fill(path: Path) -> int:
    """Fill a store with games; returns their number."""
    store = open_store(path)
    begin(store, plan_of(GAMES))
    name, pairs, games = store.names()[0], pairs_of(store), recorded(DIFFERENT)
    store.add_pairs(name, pairs)
    played = pairs[: max(0, len(pairs) - LEFT)]

    def copies() -> Iterator[tuple[str, bool, Played]]:
        for number, pair in enumerate(played):
            for swapped in (False, True):
                yield pair.id, swapped, games[(2 * number + swapped) % len(games)]

    waiting = list(copies())
    for first in range(0, len(waiting), BATCH):
        store.add_games(name, waiting[first : first + BATCH])
    store.close()
    return len(waiting)


def command(folder: Path, *arguments: str) -> tuple[float, float]:
    """Run a command of zermelo in a process of its own; returns its processor time in seconds and its megabytes."""
    code = (
        "import resource, sys; from zermelo.cli.main import cli\n"
        "try: cli.main(sys.argv[1:])\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"  # (its ru_maxrss begins with the memory of the parent)
        "peak = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0]\n"
        "print(used.ru_utime + used.ru_stime, int(peak) / 1024, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    seconds, megabytes = done.stderr.split()[-2:]
    return float(seconds), float(megabytes)


def measure(rounds: int) -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tell(f"filling a store with {GAMES:,} games")
        used = time.process_time()
        games = fill(folder / "cup.db")
        used = time.process_time() - used
        size = (folder / "cup.db").stat().st_size
        figures.append(Figure(f"{games:,} games of Connect 4 in a store", "bytes a game", size / games))
        figures.append(Figure("writing them", "games per second of processor time", games / used))
        for what, arguments in (
            ("report", ["tournament", "report", "cup.db"]),
            (f"resume, and play the last {2 * LEFT} games", ["tournament", "resume", "cup.db", "--threads", "1"]),
            ("export", ["tournament", "export", "cup.db", "cup.jsonl"]),
        ):
            tell(what)
            seconds, megabytes = command(folder, *arguments)
            figures.append(Figure(what, "seconds of processor time", seconds))
            figures.append(Figure(f"{what}: memory", "MB", megabytes, "allowed", MEMORY, MEMORY / megabytes, floor=1.0))
        lines = sum(1 for _line in (folder / "cup.jsonl").open(encoding="utf-8"))
        assert lines == games + 2 * LEFT, lines
    return figures


if __name__ == "__main__":
    main("million", "A million games", measure, rounds=1)
