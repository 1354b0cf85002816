"""Games per second of a tournament of four heuristics on Connect 4 at depth 4, kept in a file, with one thread and two.

Time is measured by the clock, because two threads are meant to save that. Other programs on the machine disturb it: if
a single thread gets less than 90% of a core, or the machine has only one core, the ratio is reported but not judged.
The last figure is processor time, which others disturb less: how much more a game costs when two threads play.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from _common import Figure, main, tell
from zermelo.tournaments.plan import Plan, make_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

HEURISTICS = ("lines2", "parity12", "lines10", "centre")
PAIRINGS = 6
GAMES = 10_000
WANTED = 1.7
A_CORE = 0.9


class Played(NamedTuple):
    """How long some games took."""

    games: int
    clock: float
    processor: float


def play(plan: Plan, threads: int) -> Played:
    """A tournament in a fresh file."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "bench.db")
        begin(store, plan)
        clock, processor = time.perf_counter(), time.process_time()
        run(store, threads=threads)
        taken = time.perf_counter() - clock, time.process_time() - processor
        games = len(store.scores(plan.name))
        store.close()
    return Played(games, *taken)


def measure(rounds: int) -> list[Figure]:
    pairs = max(1, GAMES // (2 * PAIRINGS * rounds))
    plan = make_plan(HEURISTICS, "connect4", depth=4, pairs=pairs)[0]
    play(make_plan(HEURISTICS, "connect4", depth=4, pairs=1)[0], 2)  # compile it
    ones, twos = [], []
    for number in range(rounds):
        tell(f"round {number + 1} of {rounds}: one thread, two threads")
        ones.append(play(plan, 1))
        twos.append(play(plan, 2))
    share = statistics.median(one.processor / one.clock for one in ones)
    is_quiet = share >= A_CORE and (os.cpu_count() or 1) > 1
    ratios = [one.clock / two.clock for one, two in zip(ones, twos, strict=True)]
    costs = [one.processor / two.processor for one, two in zip(ones, twos, strict=True)]
    note = "" if is_quiet else f"not judged: other programs left {share:.0%} of a core to one thread"
    by_clock = [[p.games / p.clock for p in played] for played in (ones, twos)]
    by_processor = [[p.games / p.processor for p in played] for played in (ones, twos)]
    floor = WANTED if is_quiet else None
    return [
        figure("two threads, by the clock", by_clock, ratios, floor, note),
        figure("two threads, per second of processor time", by_processor, costs),
    ]


def figure(
    name: str, rates: list[list[float]], ratios: list[float], floor: float | None = None, note: str = ""
) -> Figure:
    """Games per second with one thread and with two."""
    one, two = map(statistics.median, rates)
    ratio = statistics.median(ratios)
    return Figure(name, "games/s", two, "one thread", one, ratio, min(ratios), max(ratios), floor=floor, note=note)


if __name__ == "__main__":
    main("tournament", f"A tournament of {GAMES:,} games: Connect 4 at depth 4, four heuristics", measure)
