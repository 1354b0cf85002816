"""The options that the commands of `zermelo tournament` share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from zermelo.cli.options import FILE, JSON, option


@dataclass(eq=False, repr=False)
class Running:
    """How games are played, and what is printed at the end."""

    threads: int | None = option(
        "--threads",
        type=click.IntRange(1),
        help="Number of games played at the same time. The default is one per processor core.",
    )
    processes: bool = option(
        "--processes",
        is_flag=True,
        help="Run all players in separate processes, and not only those from files.",
    )
    sandbox: bool = option(
        "--sandbox",
        is_flag=True,
        help="Run the files of contestants in a sandbox (bubblewrap), where they reach no other files and no network.",
    )
    scheduler: str | None = option(
        "--scheduler", metavar="tcp://HOST:PORT", help="Address of a Dask cluster to play the games on."
    )
    html: Path | None = option(
        "--html", type=FILE, metavar="FILE", help="Also write the report to this file, as an HTML page."
    )
    as_json: bool = option("--json", **JSON)


@dataclass(eq=False, repr=False)
class Quick:
    """Settings of a tournament that has no file."""

    depth: int | None = option(
        "--depth",
        type=click.IntRange(1, 64),
        help="Depth of the search, in plies, for players that set no limit themselves.",
    )
    nodes: int | None = option(
        "--nodes",
        type=click.IntRange(1),
        help="Maximum number of positions searched per move, for players that set no limit themselves.",
    )
    seconds: float | None = option(
        "--seconds", type=click.FloatRange(0.001), help="Time limit per move for all players, in seconds."
    )
    move_limit: float | None = option(
        "--move-limit",
        type=click.FloatRange(0.001),
        help="Time limit per move of a player from a file, in seconds, if there is no --seconds.  [default: 30]",
    )
    search: str | None = option("--search", help="Search that plays the heuristics.  [default: alphabeta]")
    plies: int | None = option(
        "--plies",
        type=click.IntRange(0),
        help="Number of random moves in each opening. The default depends on the number of openings needed.",
    )
    varied: bool = option(
        "--varied", is_flag=True, help="Begin each opening with another deal of the cards, in games that have cards."
    )
    seed: int | None = option(
        "--seed", type=int, help="Seed of the random generator, for openings and random players.  [default: 1]"
    )
    store: str | None = option(
        "--store",
        metavar="FILE|URL",
        help="Database in which the tournament is kept, so that it can be resumed: a file, or a PostgreSQL address.",
    )

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that were given, except the store, as a tournament file would have them."""
        found = {name: value for name, value in vars(self).items() if value is not None and name != "store"}
        openings = {"kind": "varied"} if found.pop("varied") else {}
        openings |= {"plies": found.pop("plies")} if "plies" in found else {}
        return found | ({"openings": openings} if openings else {})


@dataclass(eq=False, repr=False)
class Test:
    """What a sequential test decides between."""

    elo0: float = option(
        "--elo0",
        type=float,
        default=0.0,
        show_default=True,
        help="Gain, in Elo points, at which NEW is rejected: it is no stronger than this.",
    )
    elo1: float = option(
        "--elo1",
        type=float,
        default=20.0,
        show_default=True,
        help="Gain, in Elo points, at which NEW is accepted: it is at least this much stronger.",
    )
    alpha: float = option(
        "--alpha",
        type=float,
        default=0.05,
        show_default=True,
        help="Probability of accepting a NEW that is no stronger than --elo0.",
    )
    beta: float = option(
        "--beta",
        type=float,
        default=0.05,
        show_default=True,
        help="Probability of rejecting a NEW that is stronger by --elo1.",
    )
    logistic: bool = option("--logistic", is_flag=True, help="Use the usual (logistic) Elo instead of normalised Elo.")

    @property
    def settings(self) -> dict[str, Any]:
        """The table `sprt` of a tournament file."""
        found = vars(self).copy()
        return found | {"model": "logistic" if found.pop("logistic") else "normalised"}
