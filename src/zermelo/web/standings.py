"""A tournament's results as the pages show them."""

from dataclasses import asdict
from typing import Any

from zermelo.tournaments.pages import rating_chart
from zermelo.tournaments.report import make_report
from zermelo.tournaments.store import Store

LATEST = 8
"""Number of games in the list of the latest games."""


def progress_of(store: Store, name: str, done: int, total: int, seconds_left: float | None) -> dict[str, Any]:
    """How many games are done, how long the rest will take, and the latest games."""
    return {
        "done": done,
        "total": max(total, done),
        "seconds_left": None if seconds_left is None else round(seconds_left, 1),
        "latest": [asdict(result) for result in store.results(name, LATEST, latest=True)],
    }


def report_of(store: Store, name: str) -> dict[str, Any]:
    """The standings, with a plot of the ratings for a wide page and one for a narrow page."""
    report = make_report(store, name)
    charts = {"wide": rating_chart(report), "narrow": rating_chart(report, narrow=True)}
    return report.to_dict() | {"verdict": report.verdict(), "charts": charts}
