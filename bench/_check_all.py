"""Run all checks one after another, then write docs/figures.md (`make check-all`). About an hour on two quiet cores.

    python bench/_check_all.py                          # everything
    python bench/_check_all.py --list                   # the steps
    python bench/_check_all.py fuzz wheel benchmarks    # some steps again; the table names the commit of each step

A step that fails does not stop the others. Their results stay in build/checks, one file for each step. The exit status
is 1 if a step failed or a figure is not what it must be.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

from _common import tell
from _coverage import print_coverage
from _figures import BENCHMARKS, CHECKS, ROOT, commit_now, make_table

NO_COMPILER = {"NUMBA_DISABLE_JIT": "1"}
# All tests except those of documents, other programs and the browser, which do not depend on what is compiled.
PLAIN = [
    f"tests/{name}"
    for name in (
        "core",
        "boards",
        "evaluation",
        "games",
        "searches",
        "solving",
        "players",
        "tournaments",
        "learn",
        "cli",
        "fuzz",
        "test_analysis.py",
        "test_calls.py",
        "test_match.py",
        "web/test_api.py",
        "web/test_why_tree.py",
        "web/test_hub.py",
    )
]


class Step(NamedTuple):
    """A command, and where its standard output goes: to the terminal, or to a file in build/checks."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = {}
    output: str = ""


def tests(name: str, *options: str) -> list[str]:
    """The command that runs tests and writes their results to a file, from which the table is made."""
    return [sys.executable, "-m", "pytest", f"--junitxml={CHECKS / name}.xml", *options]


def slow(name: str, *folders: str) -> Step:
    """A step of long tests, which run one after another and print one line each."""
    return Step(name, tests(name, "-m", "slow", "-v", "--no-header", "--durations=10", *folders))


def steps() -> list[Step]:
    coverage = ["--cov", f"--cov-report=json:{CHECKS / 'coverage.json'}", "--cov-report="]
    return [
        Step("tests", tests("tests", "-n", "2")),
        Step("plain", tests("plain", "-n", "2", *coverage, *PLAIN), NO_COMPILER),
        Step("ruff", [sys.executable, "-m", "ruff", "check", "."]),
        Step("format", [sys.executable, "-m", "ruff", "format", "--check", "."]),
        Step("types", [sys.executable, "-m", "mypy"]),
        Step("site", [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "docs", "build/docs"]),
        slow(
            "rules",
            "tests/games/hex/test_hex.py",
            "tests/games/reversi/test_reversi.py",
            "tests/searches/test_perft.py",
            "tests/searches/test_reproducible.py",
        ),
        slow(
            "solvers",
            "tests/games/connect4/test_connect4_solver.py",
            "tests/games/hex/test_hex_solver.py",
            "tests/games/onitama/test_onitama_endgames.py",
            "tests/solving",
        ),
        slow("strength", "tests/games/parcheckers/test_parcheckers_heuristics.py", "tests/learn"),
        slow("luck", "tests/tournaments"),
        slow("workshop", "tests/web"),
        slow("exercises", "tests/exercises"),
        slow("fuzz", "tests/fuzz"),
        slow("apart", "tests/test_games_apart.py"),
        slow("wheel", "tests/test_package.py"),
        *(
            Step(name, [sys.executable, f"bench/{name}.py", "--json"], output=f"bench-{name}.json")
            for name in BENCHMARKS
        ),
    ]


def run_step(step: Step) -> int:
    """Run a step and return its exit status. What it writes for people is shown while it runs."""
    environment = os.environ | step.environment
    if not step.output:
        return subprocess.run(step.command, cwd=ROOT, env=environment, check=False).returncode
    with (CHECKS / step.output).open("w", encoding="utf-8") as file:
        return subprocess.run(step.command, cwd=ROOT, env=environment, stdout=file, check=False).returncode


def main() -> None:
    known = steps()
    parser = argparse.ArgumentParser(description="All checks, then the table of all figures")
    parser.add_argument("only", nargs="*", help="names of steps, or benchmarks; by default, all")
    parser.add_argument("--list", action="store_true", help="the steps")
    options = parser.parse_args()
    if options.list:
        print("\n".join(step.name for step in known))
        return
    wanted = {name for word in options.only for name in (BENCHMARKS if word == "benchmarks" else [word])}
    unknown = wanted - {step.name for step in known}
    if unknown:
        parser.error(f"there is no step {', '.join(sorted(unknown))}; --list names them")
    chosen = [step for step in known if not wanted or step.name in wanted]
    CHECKS.mkdir(parents=True, exist_ok=True)
    if not wanted:
        for file in CHECKS.iterdir():
            file.unlink()
    done = []
    for number, step in enumerate(chosen, 1):
        tell(f"\n[{number}/{len(chosen)}] {step.name}: {' '.join(step.command[1:])}")
        began = time.monotonic()
        status = run_step(step)
        minutes = (time.monotonic() - began) / 60
        tell(f"[{number}/{len(chosen)}] {step.name}: {'done' if status == 0 else 'FAILED'} in {minutes:.1f} min")
        done.append({"step": step.name, "status": status, "minutes": round(minutes, 1), "commit": commit_now()})
    notes = CHECKS / "steps.json"
    earlier = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else []
    done = [step for step in earlier if step["step"] not in {one["step"] for one in done}] + done
    notes.write_text(json.dumps(done), encoding="utf-8")
    if (CHECKS / "coverage.json").exists():
        print_coverage(CHECKS / "coverage.json")
    text, holds = make_table(CHECKS)
    if {step.name for step in known} <= {step["step"] for step in done}:
        (ROOT / "docs" / "figures.md").write_text(text, encoding="utf-8")
    print(text)
    failed = [step["step"] for step in done if step["status"] and step["step"] not in BENCHMARKS]
    if failed:
        tell(f"failed: {', '.join(map(str, failed))}")
    sys.exit(not holds or bool(failed))


if __name__ == "__main__":
    main()
