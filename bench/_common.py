"""What the benchmarks share: measuring our code and a peer in turn, and reporting the result.

Machines differ and are noisy, so a figure means something only beside another of the same run. Our code and the peer
are measured in turn, and the ratio is the median of the rounds' ratios. Time is processor time: on a machine with five
busy programs on two cores, the ratios of five rounds ranged from 79 to 131 by the clock, but from 109 to 118 in
processor time.
"""

import argparse
import dataclasses
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zermelo.cli.common import print_table

NOT_INSTALLED = "not installed: pip install --group bench"

Work = Callable[[], int]
"""A function that does some work and returns how much, for example the number of nodes or leaves."""


class Missing(Exception):
    """A peer is not available. The message says in one line why, and what to do."""


@dataclass(frozen=True)
class Figure:
    """One line of a benchmark: our result, the result of a peer, and how they compare."""

    name: str
    unit: str
    ours: float
    peer: str = ""
    theirs: float | None = None  # None if the peer is missing; the note then says why
    ratio: float | None = None  # ours / theirs
    lowest: float | None = None  # the lowest and the highest ratio of a round
    highest: float | None = None
    floor: float | None = None  # the ratio that must be reached
    quoted: bool = False  # theirs was measured elsewhere and proves nothing here
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Is the ratio as high as it must be? None if nothing is required or nothing was measured."""
        if self.floor is None or self.ratio is None or self.quoted:
            return None
        return self.ratio >= self.floor


# ------------------------------------------------------------------------------------------ measuring


def rate(work: Work, seconds: float) -> float:
    """The amount of work per second of processor time. The work is done at least once, and until the time is over."""
    done = 0
    began = time.process_time()
    while True:
        done += work()
        elapsed = time.process_time() - began
        if elapsed >= seconds:
            return done / elapsed


def alone(name: str, unit: str, ours: Work, *, rounds: int, seconds: float = 0.5, scale: float = 1e6) -> Figure:
    """Our own figure, where there is no peer to compare it with."""
    ours()  # compile it and fill the caches
    return Figure(name, unit, statistics.median(rate(ours, seconds) for _ in range(rounds)) / scale)


def compare(
    name: str,
    unit: str,
    ours: Work,
    peer: str,
    theirs: Work,
    *,
    rounds: int,
    seconds: float = 0.5,
    scale: float = 1e6,
    floor: float | None = None,
    note: str = "",
) -> Figure:
    """Measure ours, theirs, ours, theirs and so on, so that a slow moment of the machine affects both."""
    tell(f"{name}: ours and {peer}, by turns")
    ours()
    pairs = [(rate(ours, seconds), rate(theirs, seconds)) for _ in range(rounds)]
    ratios = [a / b for a, b in pairs]
    return Figure(
        name,
        unit,
        ours=statistics.median(a for a, _ in pairs) / scale,
        peer=peer,
        theirs=statistics.median(b for _, b in pairs) / scale,
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        floor=floor,
        note=note,
    )


def without(figure: Figure, peer: str, reason: Missing, *, quoted: float | None = None) -> Figure:
    """Our own figure beside a peer that is missing. quoted: the figure published for it on other machines."""
    if quoted is None:
        return dataclasses.replace(figure, peer=peer, note=str(reason))
    note = f"{reason}; theirs is quoted, not measured here"
    return dataclasses.replace(figure, peer=peer, theirs=quoted, ratio=figure.ours / quoted, quoted=True, note=note)


# ------------------------------------------------------------------------------------------ reporting


def tell(text: str) -> None:
    """Print progress for people."""
    print(text, file=sys.stderr, flush=True)


def number(value: float | None) -> str:
    """A number with three significant digits."""
    if value is None:
        return ""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{decimals}f}"


def row(figure: Figure) -> list[str]:
    """A figure as the cells of a table."""
    spread = f"{number(figure.lowest)} to {number(figure.highest)}" if figure.lowest is not None else ""
    wanted = f"at least {figure.floor:g}: " if figure.floor is not None else ""
    verdict = {True: "reached", False: "NOT REACHED", None: "not judged"}[figure.reached]
    theirs = number(figure.theirs) + " (quoted)" * figure.quoted
    cells = [figure.name, figure.unit, number(figure.ours), figure.peer, theirs, number(figure.ratio), spread]
    return [*cells, wanted + verdict if wanted else ""]


def print_figures(title: str, figures: Sequence[Figure]) -> None:
    print(f"\n{title}\n")
    heading = ["what", "unit", "ours", "peer", "theirs", "ours/theirs", "rounds", "must be"]
    rows = [row(figure) for figure in figures]
    used = [i for i in range(len(heading)) if any(cells[i] for cells in rows)]
    print_table([heading[i] for i in used], [[cells[i] for i in used] for cells in rows])
    names = [f"{figure.name} ({figure.peer})" if figure.peer else figure.name for figure in figures]
    for line in dict.fromkeys(f"{name}: {f.note}" for name, f in zip(names, figures, strict=True) if f.note):
        print(f"  {line}")


def as_json(benchmark: str, figures: Sequence[Figure]) -> str:
    """The figures as one line of JSON for machines."""
    machine = {"machine": platform.machine(), "python": platform.python_version()}
    data = [dataclasses.asdict(figure) | {"reached": figure.reached} for figure in figures]
    return json.dumps({"benchmark": benchmark, **machine, "figures": data}, ensure_ascii=False)


def main(benchmark: str, title: str, measure: Callable[[int], list[Figure]], rounds: int = 5) -> None:
    """Run a benchmark as a script, which prints a table or JSON. The exit status is 1 if a floor is not reached."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="print one line of JSON, for machines")
    parser.add_argument("--rounds", type=int, default=rounds, help=f"measure so many times, by turns ({rounds})")
    options = parser.parse_args()
    figures = measure(max(options.rounds, 1))
    if options.json:
        print(as_json(benchmark, figures))
    else:
        print_figures(title, figures)
    sys.exit(any(figure.reached is False for figure in figures))
