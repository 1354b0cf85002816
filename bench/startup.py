"""How long users wait for the very first search, for a command when everything is compiled, and for --help.

Each is a separate process, timed from outside and compared with a process that does the least of its kind. Times are
given by the clock, which is what users wait, and in processor time, which other programs on the machine disturb less.
"""

import importlib.util
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from _common import Figure, main, tell

ZERMELO = [sys.executable, "-m", "zermelo"]
ANALYSE = [*ZERMELO, "analyse", "connect4", "324443", "--depth", "8"]
NOTHING = [sys.executable, "-c", "pass"]
IMPORT_NUMBA = [sys.executable, "-c", "import numba"]

FIRST_SEARCH = """
import time
import zermelo as z
position = z.game("connect4").position("324443")
player = z.alphabeta("connect4/lines2", depth=1)
clock, processor = time.perf_counter(), time.process_time()
player.choose(position)
print(time.perf_counter() - clock, time.process_time() - processor)
"""


class Seconds(NamedTuple):
    """How long something took."""

    clock: float
    processor: float


def run(command: Sequence[str], cache: str) -> tuple[Seconds, str]:
    """The seconds that a process takes, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    environment = {**os.environ, "ZERMELO_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    clock = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(clock, processor), done.stdout


def figures_of(
    name: str, ours: Sequence[Seconds], peer: str = "", theirs: Sequence[Seconds] = (), aim: str = ""
) -> list[Figure]:
    """Two figures: by the clock, and in processor time."""
    figures = []
    for kind, unit in enumerate(("s by the clock", "s of processor")):
        mine = statistics.median(taken[kind] for taken in ours)
        note = f"meant to be under {aim} s" if aim else ""
        if not theirs:
            figures.append(Figure(name, unit, mine, note=note))
            continue
        ratios = [a[kind] / b[kind] for a, b in zip(ours, theirs, strict=True)]
        least = statistics.median(taken[kind] for taken in theirs)
        spread = (statistics.median(ratios), min(ratios), max(ratios))
        figures.append(Figure(name, unit, mine, peer, least, *spread, note=note))
    return figures


def beside(name: str, command: Sequence[str], least: Sequence[str], rounds: int, aim: str) -> list[Figure]:
    """Measure a command and one that does the least of its kind in turn, after everything has been compiled."""
    tell(name)
    with tempfile.TemporaryDirectory() as cache:
        run(command, cache)
        pairs = [(run(command, cache)[0], run(least, cache)[0]) for _ in range(rounds)]
    return figures_of(name, [ours for ours, _ in pairs], f"python -c {least[-1]!r}", [other for _, other in pairs], aim)


def cold(rounds: int) -> list[Figure]:
    """Measure the compilation itself and a whole command, when nothing has been compiled yet."""
    tell("a first search, nothing compiled")
    compiling, whole = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            printed = run([sys.executable, "-c", FIRST_SEARCH], cache)[1]
            compiling.append(Seconds(*map(float, printed.split())))
        with tempfile.TemporaryDirectory() as cache:
            whole.append(run(ANALYSE, cache)[0])
    return [
        *figures_of("compiling a search and its heuristic", compiling, aim="4"),
        *figures_of("analyse, nothing compiled", whole),
    ]


def warn_of_missing_byte_code() -> None:
    """Warn if there is no byte-code: Python then compiles every module at each start, which takes seconds."""
    for module in ("numba", "zermelo"):
        found = importlib.util.find_spec(module)
        if found and found.origin and not Path(importlib.util.cache_from_source(found.origin)).exists():
            folder = Path(found.origin).parent
            tell(f"{module} has no byte-code, so starting is slow: {sys.executable} -m compileall -q {folder}")


def measure(rounds: int) -> list[Figure]:
    warn_of_missing_byte_code()
    return [
        *cold(min(rounds, 3)),
        *beside("analyse, compiled before", ANALYSE, IMPORT_NUMBA, rounds, "1.5"),
        *beside("--help", [*ZERMELO, "--help"], NOTHING, rounds, "0.2"),
    ]


if __name__ == "__main__":
    main("startup", "Start-up: seconds, less is better (analyse: connect4 324443 --depth 8)", measure)
