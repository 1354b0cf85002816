"""Compare all figures with their requirements: makes docs/figures.md from what `make check-all` left in build/checks.

Figures of speed come from the benchmarks. The others are recorded by tests, with record_property("figure", [issue,
what, what it must be, what it was]).

    python bench/_figures.py          # print the table again
"""

import ast
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from _common import number
from _coverage import by_folder

ROOT = Path(__file__).parent.parent
CHECKS = ROOT / "build" / "checks"
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
    16: "Contestants' files",
    18: "Boards",
    19: "Searches of one's own",
    20: "The arena",
    21: "Pages without a server",
    25: "Scale",
}
BENCHMARKS = {  # benchmarks, and the issue that asks for their figures
    "connect4_alphabeta": 2,
    "connect4_perft": 2,
    "connect4_solver": 2,
    "startup": 2,
    "games": 3,
    "reversi_endgames": 3,
    "engine": 7,
    "mcts": 7,
    "tournament": 8,
    "tournament_files": 16,
    "own_search": 19,
    "publish": 21,
    "arena_course": 20,
    "learning": 9,
    "web": 10,
    "web_first_use": 10,
    "web_spectators": 10,
    "boards": 18,
    "arena": 20,
    "million": 25,
    "web_memory": 25,
}
TESTS = {  # files of test results in build/checks, and what the tests are about
    "tests": "the tests: all games, searches, players; browser; killed and resumed; cluster",
    "plain": "the tests without the compiler",
    "rules": "long perfts, rules of large boards",
    "solvers": "solvers on hard positions",
    "strength": "floors of strength",
    "pieces": "learning on a cluster, with a worker and the command killed",
    "luck": "error rates of tournaments",
    "workshop": "the workshop's examples, for every game",
    "notebook": "boards and trees in a real JupyterLab",
    "exercises": "exercises by hand: their answers against an independent minimax",
    "classes": "the arena's sandbox and workers",
    "published": "published players against native ones, 200 positions of every game",
    "fuzz": "parsers, on inputs by chance",
    "apart": "the rest of the suite with a game's folder deleted, for every game",
    "wheel": "wheel and source archive in an empty environment",
    "translations": "the blocks of the Spanish pages",
    "interrupts": "Ctrl-C in an endless loop, for more commands",
}
OTHER_ISSUE = {"hex": 4, "onitama": 5, "parcheckers": 6}  # by the first word of a figure's name
# Bounds for figures that are not compared with a peer: the benchmark, the beginning of the name, the unit, the bound.
AT_LEAST = {
    ("games", "parcheckers: perft", "M leaves/s"): 10,
    ("games", "parcheckers: alpha-beta", "M nodes/s"): 5,
    ("mcts", "connect4", "k simulations/s"): 100,
    ("mcts", "reversi", "k simulations/s"): 10,
    ("mcts", "hex", "k simulations/s"): 10,
}
AT_MOST = {
    ("startup", "compiling", "s by the clock"): 4,
    ("startup", "analyse, compiled before", "s by the clock"): 1.5,
    ("startup", "--help", "s by the clock"): 0.2,
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
    """The figures that tests recorded. A failed test counts as a wrong figure. The last row says how many passed."""
    for case in ElementTree.parse(file).iter("testcase"):
        failed = case.find("failure") is not None or case.find("error") is not None
        name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
        told = [entry.get("value", "") for entry in case.iter("property") if entry.get("name") == "figure"]
        for text in told:
            issue, what, wanted, got = ast.literal_eval(text)
            yield Row(int(issue), str(what), str(wanted), str(got), "NO" if failed else "yes")
        if failed and not told:
            yield Row(11, f"`{name}`", "passes", "fails", "NO")
    suite = next(ElementTree.parse(file).iter("testsuite")).attrib
    failures = int(suite["failures"]) + int(suite["errors"])
    passed = int(suite["tests"]) - failures - int(suite["skipped"])
    got = f"{passed} passed, {failures} failed, {suite['skipped']} skipped"
    yield Row(11, TESTS[file.stem], "all pass", got, "NO" if failures or not passed else "yes")


def benchmark_rows(checks: Path) -> Iterator[Row]:
    for name in BENCHMARKS:
        file = checks / f"bench-{name}.json"
        if file.exists():
            lines = file.read_text(encoding="utf-8").strip().splitlines()
            if lines:
                yield from rows_of(name, json.loads(lines[-1])["figures"])
            else:
                yield Row(BENCHMARKS[name], f"`{name}`", "runs", "fails", "NO")


def earlier_rows(checks: Path, page: str) -> Iterator[Row]:
    """The figures of benchmarks that have no result here, as the page has them from an earlier run."""
    issues = {title: issue for issue, title in ISSUES.items()}
    issue = 0
    for line in page.splitlines():
        if line.startswith("## "):
            issue = issues.get(line.removeprefix("## "), 0)
        words = [word.strip() for word in line.split("|")[1:-1]]
        name = words[0].rpartition("(`")[2].removesuffix("`)") if len(words) == 4 else ""
        if issue and name in BENCHMARKS and not (checks / f"bench-{name}.json").exists():
            yield Row(issue, *words)


def coverage_rows(file: Path) -> Iterator[Row]:
    """Coverage for information only: no test is written just to raise a number."""
    for folder, (lines, run) in by_folder(file).items():
        where = "zermelo" if folder == "." else folder
        yield Row(
            11, f"lines of `{where}` run by the tests without the compiler", "", f"{run / lines:.0%} of {lines}", ""
        )


def run_rows(checks: Path) -> Iterator[Row]:
    for step in kept_steps(checks).values():
        if step["step"] not in BENCHMARKS and step["step"] not in TESTS:
            verdict = "NO" if step["status"] else "yes"
            yield Row(11, f"`{step['step']}`", "nothing to complain of", f"status {step['status']}", verdict)


def all_rows(checks: Path) -> list[Row]:
    rows = [row for name in TESTS if (checks / f"{name}.xml").exists() for row in recorded_rows(checks / f"{name}.xml")]
    rows += benchmark_rows(checks)
    rows += run_rows(checks)
    if (checks / "coverage.json").exists():
        rows += coverage_rows(checks / "coverage.json")
    return list(dict.fromkeys(rows))  # tests that run both with and without the compiler record the same figure twice


def make_table(checks: Path, states: Mapping[str, str] | None = None, page: str = "") -> tuple[str, bool]:
    """The text of the page, and whether all figures are what they must be.

    states: what is to be said of each step, such as `not run`; nothing if its result is for the present code.
    page: the page as it was; from it come the figures of benchmarks that have not been run here.
    """
    rows = [*all_rows(checks), *earlier_rows(checks, page)]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    failing = [row.what for row in rows if row.verdict == "NO"]
    lines = [
        "# All figures",
        "",
        "Written by `make check-all`, not by hand. Rates are per second of processor time unless they say otherwise;",
        "only ratios can be compared with those of another run.",
        "",
        f"Measured with {machine}. The last table says when each step ran, and at which commit.",
        "The figures of a benchmark that has not been run are those of an earlier run, for comparison.",
        "",
        f"Does not hold: {'; '.join(failing)}." if failing else "Everything that is judged holds.",
    ]
    for issue, title in ISSUES.items():
        mine = [row for row in rows if row.issue == issue]
        if mine:
            lines += ["", f"## {title}", "", "| what | must be | is | holds |", "|---|---|---|---|"]
            lines += [f"| {row.what} | {row.wanted} | {row.got} | {row.verdict} |" for row in mine]
    return "\n".join([*lines, *_when(checks, states or {}, page)]) + "\n", not failing


def commit_now() -> str:
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip()


def kept_steps(checks: Path) -> dict[str, dict[str, Any]]:
    """What is noted of each step that has run: its exit status, the commit, the date, and how long it took."""
    file = checks / "steps.json"
    notes = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    return {note["step"]: note for note in notes}


def _when(checks: Path, states: Mapping[str, str], page: str) -> list[str]:
    """When each step ran, and at which commit. For steps without a result here, the page may know that."""
    known = {}
    for line in page.splitlines():
        words = [word.strip() for word in line.split("|")[1:-1]]
        if len(words) == 5 and words[0].startswith("`") and words[1]:
            known[words[0].strip("`")] = [*words[1:4], "from an earlier run"]
    notes = kept_steps(checks)
    known |= {n: [note["commit"], note["date"], str(note["minutes"]), states.get(n, "")] for n, note in notes.items()}
    head = ["| step | commit | date (UTC) | minutes | remark |", "|---|---|---|---|---|"]
    rows = [[f"`{name}`", *known.get(name, ["", "", "", states.get(name, "")])] for name in {**states, **known}]
    return ["", "## When each step ran", "", *head, *(f"| {' | '.join(row)} |" for row in rows)]


if __name__ == "__main__":
    page, holds = make_table(CHECKS)
    print(page)
    sys.exit(not holds)
