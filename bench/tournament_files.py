"""Games per second of contestants from files, which play in processes, compared with built-in heuristics in threads.

The game is Connect 4 at depth 4. The files hold copies of the built-in heuristics, so the same games are played, but
the code of files is compiled with checks of array bounds and divisions. The comparison uses the processor time of all
processes without the time for starting them: the difference between a long tournament and a short one.
"""

import os
import resource
import statistics
import tempfile
from pathlib import Path

from _common import Figure, main, tell
from zermelo.games.connect4 import heuristics
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

NAMES = ("lines2", "parity12", "lines10", "centre")
PAIRINGS = 6
SHORT, LONG = 40, 200
"""The number of pairs of games for each pairing."""
WANTED = 0.5


def processor_time() -> float:
    """Processor time in seconds of this process and of the processes that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cost(contestants: list[str], pairs: int) -> float:
    """The processor time of a tournament, in seconds."""
    plan = make_plan(contestants, "connect4", depth=4, pairs=pairs)[0]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "bench.db")
        begin(store, plan)
        before = processor_time()
        run(store, threads=2)
        after = processor_time()
        store.close()
    return after - before


def rate(contestants: list[str]) -> float:
    """Games per second of processor time."""
    return 2 * PAIRINGS * (LONG - SHORT) / (cost(contestants, LONG) - cost(contestants, SHORT))


def measure(rounds: int) -> list[Figure]:
    source = Path(str(heuristics.__file__)).read_text(encoding="utf-8")
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name in NAMES:
                Path(f"{name}.py").write_text(source, encoding="utf-8")
            files = [f"{name}.py:{name}" for name in NAMES]
            cost(files, 1)  # compile them
            cost(list(NAMES), 1)
            pairs = []
            for number in range(rounds):
                tell(f"round {number + 1} of {rounds}: built-in heuristics in threads, files in processes")
                pairs.append((rate(files), rate(list(NAMES))))
        finally:
            os.chdir(before)
    ratios = [ours / theirs for ours, theirs in pairs]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(ratios)
    name = "contestants from files, in processes"
    peer = "built in, in threads"
    return [Figure(name, "games/s", ours, peer, theirs, ratio, min(ratios), max(ratios), floor=WANTED)]


if __name__ == "__main__":
    main("tournament_files", "Contestants from files: Connect 4 at depth 4", measure)
