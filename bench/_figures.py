"""All figures against what they had to show: docs/figures.md. Run by `make check-all`, after the slow tests.

    python bench/_figures.py slow.xml          # the slow tests' results, as pytest --junitxml writes them

Speed comes from the benchmarks, the rest from figures that slow tests record: record_property("figure", [issue, what,
what it must be, what it was]).
"""

import argparse
import ast
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from _common import number, tell

ROOT = Path(__file__).parent.parent
ISSUES = {
    2: "The house",
    3: "Reversi",
    4: "Hex",
    5: "Onitama",
    6: "Parcheckers",
    7: "The engine",
    8: "Tournaments",
    9: "Learning",
    10: "The web lab",
    11: "The front door",
}
BENCHMARKS = {  # and the issue whose figures they are
    "connect4_alphabeta": 2,
    "connect4_perft": 2,
    "startup": 2,
    "games": 3,
    "reversi_endgames": 3,
    "engine": 7,
    "mcts": 7,
    "tournament": 8,
    "learning": 9,
    "web": 10,
    "web_spectators": 10,
}
OTHER_ISSUE = {"hex": 4, "onitama": 5, "parcheckers": 6}  # by what a figure's name begins with
# What a figure must be by itself, where no peer is the measure: the beginning of its name, its unit, the bound.
AT_LEAST = {
    ("games", "parcheckers: perft", "M leaves/s"): 10,
    ("games", "parcheckers: alpha-beta", "M nodes/s"): 5,
    ("mcts", "connect4", "k simulations/s"): 100,
    ("mcts", "reversi", "k simulations/s"): 10,
    ("mcts", "hex", "k simulations/s"): 10,
}
AT_MOST = {
    ("startup", "compiling", "s of processor"): 4,
    ("startup", "analyse, compiled before", "s of processor"): 1.5,
    ("startup", "--help", "s of processor"): 0.2,
    ("engine", "overrun", "ms, worst"): 20,
    ("learning", "200,000 exact examples", "minutes"): 30,
    ("engine", "parcheckers: a move", "s of processor"): 1,
}


class Row(NamedTuple):
    """A line of the table."""

    issue: int
    what: str
    wanted: str
    got: str
    verdict: str


def run_benchmark(name: str) -> list[dict[str, Any]]:
    tell(f"benchmark {name}")
    command = [sys.executable, str(ROOT / "bench" / f"{name}.py"), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1])["figures"] if lines else []


def bound_of(benchmark: str, figure: dict[str, Any], bounds: Mapping[tuple[str, str, str], float]) -> float | None:
    for (where, begins, unit), bound in bounds.items():
        if where == benchmark and figure["name"].startswith(begins) and figure["unit"] == unit:
            return bound
    return None


def rows_of(benchmark: str, figures: list[dict[str, Any]]) -> Iterator[Row]:
    for figure in figures:
        begins = figure["name"].split(":")[0].split("(")[0].split(" ")[0]
        issue = OTHER_ISSUE.get(begins, BENCHMARKS[benchmark]) if benchmark in ("games",) else BENCHMARKS[benchmark]
        got = f"{number(figure['ours'])} {figure['unit']}"
        if figure["ratio"] is not None:
            got += f", {number(figure['ratio'])} times {figure['peer']}"
        least, most = (bound_of(benchmark, figure, bounds) for bounds in (AT_LEAST, AT_MOST))
        wanted, held = "", figure["reached"]
        if figure["floor"]:
            wanted = f"at least {figure['floor']:g} times"
        elif least is not None:
            wanted, held = f"at least {least:g}", figure["ours"] >= least
        elif most is not None:
            wanted, held = f"at most {most:g}", figure["ours"] <= most
        verdict = "" if not wanted else {True: "yes", False: "NO", None: "not judged"}[held]
        yield Row(issue, f"{figure['name']} (`{benchmark}`)", wanted, got, verdict)


def recorded_rows(file: Path) -> Iterator[Row]:
    """What the slow tests recorded; a test that failed is a figure that does not hold."""
    for case in ElementTree.parse(file).iter("testcase"):
        failed = case.find("failure") is not None or case.find("error") is not None
        name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
        told = [entry.get("value", "") for entry in case.iter("property") if entry.get("name") == "figure"]
        for text in told:
            issue, what, wanted, got = ast.literal_eval(text)
            yield Row(int(issue), str(what), str(wanted), str(got), "NO" if failed else "yes")
        if failed and not told:
            yield Row(11, f"`{name}`", "passes", "fails", "NO")


def table(rows: list[Row], tests: str) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    lines = [
        "# All figures",
        "",
        "Written by `make check-all`, not by hand. Rates are per second of processor time unless they say otherwise;",
        "only ratios can be compared with those of another run.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {commit.strip()}, {machine}. Slow tests: {tests}.",
    ]
    for issue, title in ISSUES.items():
        mine = [row for row in rows if row.issue == issue]
        if mine:
            lines += ["", f"## {title}", "", "| what | must be | is | holds |", "|---|---|---|---|"]
            lines += [f"| {row.what} | {row.wanted} | {row.got} | {row.verdict} |" for row in mine]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="All figures against what they had to show")
    parser.add_argument("results", type=Path, help="what pytest --junitxml wrote for the slow tests")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "figures.md")
    options = parser.parse_args()
    suite = next(ElementTree.parse(options.results).iter("testsuite")).attrib
    passed = int(suite["tests"]) - sum(int(suite[kind]) for kind in ("failures", "errors", "skipped"))
    tests = f"{passed} passed, {int(suite['failures']) + int(suite['errors'])} failed, {suite['skipped']} skipped"
    rows = list(recorded_rows(options.results))
    for benchmark in BENCHMARKS:
        rows += rows_of(benchmark, run_benchmark(benchmark))
    text = table(rows, tests)
    options.out.write_text(text, encoding="utf-8")
    print(text)
    sys.exit(any(row.verdict == "NO" for row in rows))


if __name__ == "__main__":
    main()
