"""Checks of the workshop's files, as `zermelo check` makes them, each in a process of its own (see check/asking.py)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.check.asking import Checker
from zermelo.check.reports import ERROR, WARNING, Report, Settings
from zermelo.check.search_mistakes import MISTAKES
from zermelo.core.clock import run_stoppable
from zermelo.games.sandboxed import limits_of
from zermelo.language import _
from zermelo.web.searches import Report as Tell
from zermelo.web.workbench import CHECK_SECONDS


def check_work(path: Path, sandbox: bool = False) -> Callable[[Tell], None]:
    """What checks a file, perhaps in a sandbox, and tells each step, {"name", "done", "of"}, and each report."""

    def work(tell: Tell) -> None:
        def step(name: str, done: int, of: int) -> None:
            tell(("step", {"name": name, "done": done, "of": of}))

        with Checker(path.resolve(), Settings(seconds=CHECK_SECONDS), limits_of(sandbox)) as checker:

            def stop() -> None:  # the next thing that is told then ends the work
                if checker.process is not None:
                    checker.process.process.kill()

            def run() -> None:
                for report in checker.reports(tell=step):
                    tell(("report", shown(report, path)))

            run_stoppable(run, stop)

    return work


def shown(report: Report, path: Path) -> dict[str, Any]:
    """A report for the page. Doubts are left out if it is wrong anyway."""
    told = [found for found in report.findings if report.is_right or found.level != WARNING]
    name = report.facts.get("mistake")
    mistake = _("probably: {mistake}").format(mistake=_(MISTAKES[name])) if name in MISTAKES else ""
    folder = f"{path.resolve().parent}/"
    findings = [
        {"level": found.level, "text": lines[0], "more": [line for line in lines[1:] if line != mistake]}
        for found in told
        for lines in [found.text.replace(folder, "").splitlines()]
    ]
    return {
        "kind": report.kind,
        "name": report.name,
        "right": report.is_right,
        "about": report.about,
        "lines": report.lines if report.is_right else [],
        "findings": findings,
        "mistake": mistake,
        "nodes": report.facts.get("nodes"),
        "counterexample": counterexample(report),
    }


def counterexample(report: Report) -> dict[str, Any] | None:
    """The smallest tree on which a search is wrong, and how to search it."""
    if report.is_right or "tree" not in report.facts or not any(f.level == ERROR for f in report.findings):
        return None
    low, high = report.facts.get("window", (None, None))
    return {
        "tree": report.facts["tree"],
        "depth": report.facts["depth"],
        "alpha": _finite(low),
        "beta": _finite(high),
    }


def _finite(bound: float | None) -> float | None:
    """A bound; None if it is infinite, which JSON cannot say."""
    return None if bound is None or abs(bound) == float("inf") else bound
