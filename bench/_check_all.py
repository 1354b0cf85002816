"""Run the checks one after another, and write docs/figures.md (`make check-all`). An hour or more on two quiet cores.

    python bench/_check_all.py                          # the steps that have no result for the present code
    python bench/_check_all.py --again                  # all steps
    python bench/_check_all.py --list                   # the steps, and what is known of each
    python bench/_check_all.py fuzz wheel benchmarks    # these steps

The result of a step stays in build/checks, with the commit and the date, and docs/figures.md is written after each step
from all that is there. So the run can be interrupted and continued. A step runs again when it has failed, or when the
files that it is about have changed. A step that fails does not stop the others. The exit status is 1 if a step failed
or a figure is not what it must be.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from _common import tell
from _coverage import print_coverage
from _figures import BENCHMARKS, CHECKS, ROOT, commit_now, kept_steps, make_table

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


ENGINE = tuple(
    f"src/zermelo/{name}"
    for name in (
        "core",
        "boards",
        "games",
        "evaluation",
        "searches",
        "solving",
        "players",
        "rules.py",
        "position.py",
        "match.py",
    )
)
"""What plays and solves games: the rest of the package can change without a figure of strength or speed."""
ALL = ("src", "tests", "pyproject.toml")


class Step(NamedTuple):
    """A command, and where its standard output goes: to the terminal, or to a file in build/checks."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = {}
    output: str = ""
    about: tuple[str, ...] = ALL  #: if one of these files changes, an earlier result does not count any more

    def digest(self) -> str:
        """A number that changes when one of these files does."""
        found = sha256()
        for folder in self.about:
            place = ROOT / folder
            for file in sorted(place.rglob("*") if place.is_dir() else [place]):
                if file.is_file() and "__pycache__" not in file.parts:
                    found.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
        return found.hexdigest()[:16]


def tests(name: str, *options: str) -> list[str]:
    """The command that runs tests and writes their results to a file, from which the table is made."""
    return [sys.executable, "-m", "pytest", f"--junitxml={CHECKS / name}.xml", *options]


def slow(name: str, *folders: str, about: tuple[str, ...] = ENGINE) -> Step:
    """A step of long tests, which run one after another and print one line each."""
    command = tests(name, "-m", "slow", "-v", "--no-header", "--durations=10", *folders)
    return Step(name, command, about=(*about, *folders))


def steps() -> list[Step]:
    coverage = ["--cov", f"--cov-report=json:{CHECKS / 'coverage.json'}", "--cov-report="]
    return [
        Step("tests", tests("tests", "-n", "2"), {"ZERMELO_ALL_CASES": "1"}),
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
            "tests/games/hex/test_hex_won.py",
            "tests/games/onitama/test_onitama_endgames.py",
            "tests/solving",
            "tests/puzzles",
        ),
        slow(
            "strength",
            "tests/games/test_defaults.py",
            "tests/games/parcheckers/test_parcheckers_heuristics.py",
            "tests/learn",
            about=(*ENGINE, "src/zermelo/learn"),
        ),
        slow("pieces", "tests/pieces", about=("src",)),
        slow("luck", "tests/tournaments", about=("src/zermelo/tournaments",)),
        slow("workshop", "tests/web/test_workshop.py", "tests/web/test_first_use.py", about=("src",)),
        slow("notebook", "tests/notebook", about=("src",)),
        slow(
            "exercises",
            "tests/exercises",
            about=("src/zermelo/exercises", "src/zermelo/searches", "src/zermelo/games/tree"),
        ),
        slow("classes", "tests/arena", about=("src",)),  # `arena` is a benchmark
        slow("published", "tests/publish", about=("src", "bench/_published.py")),
        slow("fuzz", "tests/fuzz", about=("src",)),
        slow("apart", "tests/test_games_apart.py", about=ALL),
        slow("wheel", "tests/test_package.py", about=("src", "pyproject.toml")),
        slow("translations", "tests/test_docs.py", about=("src", "docs", "README.es.md")),
        slow("interrupts", "tests/cli/test_interrupts.py", about=("src",)),
        *(
            Step(
                name,
                [sys.executable, f"bench/{name}.py", "--json"],
                output=f"bench-{name}.json",
                about=(*ENGINE, f"bench/{name}.py"),
            )
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


def keep(step: Step, status: int, minutes: float, digest: str) -> None:
    """Note what a step came to, for the table and for the next run."""
    note: dict[str, Any] = {"step": step.name, "status": status, "minutes": round(minutes, 1), "commit": commit_now()}
    note |= {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M}", "digest": digest}
    notes = [one for one in kept_steps(CHECKS).values() if one["step"] != step.name]
    (CHECKS / "steps.json").write_text(json.dumps([*notes, note], indent=1), encoding="utf-8")


def state_of(step: Step, notes: Mapping[str, Mapping[str, Any]]) -> str:
    """What is known of a step: one or two words, and none if it has a result for the present code."""
    note = notes.get(step.name)
    if note is None:
        return "not run"
    if note["status"]:
        return "failed"
    return "" if note["digest"] == step.digest() else "older than the code"


def write_page(known: list[Step]) -> bool:
    """Write docs/figures.md from all results that are kept. Are all figures what they must be?"""
    notes = kept_steps(CHECKS)
    page = ROOT / "docs" / "figures.md"
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    text, holds = make_table(CHECKS, {step.name: state_of(step, notes) for step in known}, before)
    page.write_text(text, encoding="utf-8")
    return holds


def main() -> None:
    known = steps()
    parser = argparse.ArgumentParser(description="All checks, and the table of all figures")
    parser.add_argument("only", nargs="*", help="names of steps, or benchmarks; by default, those without a result")
    parser.add_argument("--again", action="store_true", help="run all steps, also those that have a result")
    parser.add_argument("--list", action="store_true", help="the steps, and what is known of each")
    options = parser.parse_args()
    CHECKS.mkdir(parents=True, exist_ok=True)
    notes = kept_steps(CHECKS)
    if options.list:
        print("\n".join(f"{step.name:<20} {state_of(step, notes) or 'done'}" for step in known))
        return
    wanted = {name for word in options.only for name in (BENCHMARKS if word == "benchmarks" else [word])}
    unknown = wanted - {step.name for step in known}
    if unknown:
        parser.error(f"there is no step {', '.join(sorted(unknown))}; --list names them")
    chosen = [step for step in known if (step.name in wanted if wanted else options.again or state_of(step, notes))]
    failed = []
    for number, step in enumerate(chosen, 1):
        tell(f"\n[{number}/{len(chosen)}] {step.name}: {' '.join(step.command[1:])}")
        began, digest = time.monotonic(), step.digest()
        status = run_step(step)
        minutes = (time.monotonic() - began) / 60
        tell(f"[{number}/{len(chosen)}] {step.name}: {'done' if status == 0 else 'FAILED'} in {minutes:.1f} min")
        keep(step, status, minutes, digest)
        write_page(known)
        if status and step.name not in BENCHMARKS:
            failed.append(step.name)
    if (CHECKS / "coverage.json").exists():
        print_coverage(CHECKS / "coverage.json")
    holds = write_page(known)
    if failed:
        tell(f"failed: {', '.join(failed)}")
    sys.exit(not holds or bool(failed))


if __name__ == "__main__":
    main()
