"""zermelo tournament: who is stronger, and how certain that is. (One module: its commands share their options.)"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import compiling, print_json, print_table, read_game, write_file
from zermelo.cli.options import FILE, JSON, Output, option, output_options, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.tournaments.plan import Plan
    from zermelo.tournaments.report import Report
    from zermelo.tournaments.run import Progress
    from zermelo.tournaments.store import Store

store_argument = click.argument("store", metavar="FILE.toml|STORE")
name_option = click.option("--name", help="Name of the tournament, if the store contains several.")


@dataclass(frozen=True)
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
    scheduler: str | None = option(
        "--scheduler", metavar="tcp://HOST:PORT", help="Address of a Dask cluster to play the games on."
    )
    html: Path | None = option(
        "--html", type=FILE, metavar="FILE", help="Also write the report to this file, as an HTML page."
    )
    as_json: bool = option("--json", **JSON)


@dataclass(frozen=True)
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
        if "plies" in found:
            found["openings"] = {"plies": found.pop("plies")}
        return found


@click.group()
def tournament() -> None:
    """Run tournaments, and tests of who is stronger.

    Games are played in fair pairs, ratings have error bars, and tests stop as soon as the result is clear.
    """


@tournament.command()
@click.argument("what", nargs=-1, required=True, metavar="FILE.toml | GAME CONTESTANT CONTESTANT...")
@click.option(
    "--format",
    "form",
    help="Format: round robin, gauntlet, swiss, knockout or ladder.  [default: round robin]",
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    help="Number of pairs of games for every two players who meet.  [default: 10]",
)
@takes("quick", Quick)
@takes("running", Running)
def run(what: tuple[str, ...], form: str | None, pairs: int | None, quick: Quick, running: Running) -> None:
    """Play a tournament.

    It is described in a file, or on the command line. A contestant is a player, a heuristic, a file of heuristics, or a
    folder of such files. The games of cup.toml are kept in cup.db, in the same folder. A tournament without a file is
    kept only if --store is given.

    \b
    zermelo tournament run cup.toml
    zermelo tournament run connect4 lines2 parity12 "random" --depth 4 --pairs 50
    zermelo tournament run reversi students/ --depth 3 --format swiss
    """
    from zermelo.tournaments.plan import make_plan, read_plan

    given = {name: value for name, value in (("format", form), ("pairs", pairs)) if value is not None}
    settings = quick.settings | given
    if len(what) > 1:
        plan = make_plan(what[1:], str(read_game(what[0])), **settings)[0]
        ledger = _open(quick.store)
    else:
        if settings:
            raise click.UsageError(
                _("set {name} in the tournament file, not on the command line").format(name=next(iter(settings)))
            )
        plan = read_plan(Path(what[0]))
        ledger = _open(quick.store or _store_of(what[0]))
    _begin(ledger, plan)
    _play(ledger, plan.name, running)


@tournament.command()
@store_argument
@name_option
@takes("running", Running)
def resume(store: str, name: str | None, running: Running) -> None:
    """Continue a tournament that was interrupted.

    No game is lost, and none is played twice. The tournament continues with the settings it began with. If FILE.toml
    has changed since then, the changes are listed and ignored. A store that was made on another machine may contain
    code. You are asked before this code runs; without a terminal, you need --trust.
    """
    ledger = _open(_store_of(store), must_exist=True)
    if store.endswith(".toml") and Path(store).is_file():
        from zermelo.tournaments.changes import changes_since
        from zermelo.tournaments.trust import check_plan

        plan = ledger.plan(name)[0]
        check_plan(plan, ledger.where)
        for change in changes_since(plan, Path(store)):
            click.echo(_("ignored: {change}").format(change=change), err=True)
    _play(ledger, name, running)


@dataclass(frozen=True)
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


@tournament.command()
@click.argument("game")
@click.argument("new")
@click.argument("old")
@takes("test", Test)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Maximum number of pairs of games.",
)
@takes("quick", Quick)
@takes("running", Running)
def sprt(game: str, new: str, old: str, test: Test, pairs: int, quick: Quick, running: Running) -> None:
    """Test whether NEW is stronger than OLD.

    This is a sequential probability ratio test (SPRT): it plays pairs of games until the answer is clear, and no
    longer.

    \b
    zermelo tournament sprt connect4 "lines2(three=9)" lines2 --depth 4 --elo1 30
    """
    from zermelo.tournaments.plan import make_plan

    settings = {"format": "sprt", "sprt": test.settings, "pairs": pairs} | quick.settings
    plan = make_plan([new, old], str(read_game(game)), **settings)[0]
    ledger = _open(quick.store)
    _begin(ledger, plan)
    _play(ledger, plan.name, running)


@tournament.command()
@store_argument
@name_option
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="Write the report to this file, as an HTML page that needs no other files.",
)
@click.option(
    "--games", type=click.IntRange(0), default=60, show_default=True, help="Number of games that the HTML page shows."
)
@output_options
def report(store: str, name: str | None, html: Path | None, games: int, output: Output) -> None:
    """Print the results of a tournament.

    It prints the standings, the crosstable and the pairings, also while the tournament is still being played.
    """
    from zermelo.tournaments.pages import html_report, rating_chart
    from zermelo.tournaments.report import make_report

    found = make_report(_open(_store_of(store), must_exist=True), name)
    if html:
        write_file(html, html_report(found, games))
    output.show(lambda: rating_chart(found), found.to_dict, lambda: _print(found))


@tournament.command()
@store_argument
@click.argument("file", type=FILE)
@name_option
def export(store: str, file: Path, name: str | None) -> None:
    """Write all games of a tournament to a file.

    FILE gets one game per line, as JSON. `-` stands for standard output.
    """
    ledger = _open(_store_of(store), must_exist=True)
    lines = [game.json for game in ledger.games(ledger.plan(name)[0].name)]
    text = "".join(f"{line}\n" for line in lines)
    if str(file) == "-":
        click.echo(text, nl=False)
    else:
        write_file(file, text)


@tournament.command(name="import")
@store_argument
@click.argument("file", type=FILE)
@name_option
def import_(store: str, file: Path, name: str | None) -> None:
    """Add the games of a file to a tournament.

    FILE has one game per line, as JSON, as `export` writes it. The tournament is created if it does not exist. Its
    report counts these games.
    """
    from zermelo.match import load_records
    from zermelo.tournaments.plan import plan_of_records

    records = load_records(file)
    ledger = _open(_store_of(store))
    if not ledger.names() or (name is not None and name not in ledger.names()):
        ledger.create(plan_of_records(records, name or file.stem), [])
    plan = ledger.plan(name)[0]
    others = {record.game for record in records} - {plan.game}
    if others:
        raise click.UsageError(
            _("{file} contains games of {others}, but this is a tournament of {game}").format(
                file=file, others=", ".join(others), game=plan.game
            )
        )
    click.echo(_("{number} new games").format(number=ledger.import_games(plan.name, records)), err=True)


def _store_of(text: str) -> str:
    """The store of a tournament file is in the same folder."""
    return str(Path(text).with_suffix(".db")) if text.endswith(".toml") else text


def _open(where: str | None, must_exist: bool = False) -> "Store":
    from zermelo.tournaments.store import open_store

    return open_store(where, must_exist)


def _begin(ledger: "Store", plan: "Plan") -> None:
    from zermelo.tournaments.run import begin

    with compiling(_("the evaluation of openings")):
        begin(ledger, plan)


def _play(ledger: "Store", name: str | None, running: Running) -> None:
    from zermelo.tournaments.pages import html_report
    from zermelo.tournaments.report import make_report
    from zermelo.tournaments.run import run as play
    from zermelo.tournaments.trust import check_plan
    from zermelo.tournaments.workers import Processes, Workers

    check_plan(ledger.plan(name)[0], ledger.where)  # first of all, because it may ask a question
    workers: Workers | None = None
    if running.scheduler is not None:
        from zermelo.tournaments.distribute import Cluster

        workers = Cluster(running.scheduler)
    elif running.processes:
        workers = Processes(running.threads or os.cpu_count() or 1)
    with compiling(_("the players")), live_standings() as watch:
        play(ledger, name, threads=running.threads, workers=workers, watch=watch)
    found = make_report(ledger, name)
    if running.html:
        write_file(running.html, html_report(found))
    if running.as_json:
        print_json(found.to_dict())
    else:
        _print(found)


def _print(found: "Report") -> None:
    print_table(*found.standings())
    click.echo()
    print_table(*found.crosstable())
    if found.pairings()[1]:
        click.echo()
        print_table(*found.pairings())
    if found.verdict():
        click.echo(f"\n{found.verdict()}")
    for note in found.notes:
        click.echo(_("note: {note}").format(note=note), err=True)


@contextlib.contextmanager
def live_standings() -> "Iterator[Callable[[Progress], None]]":
    """On a terminal, show games done, time left and the best ten. Gives a function to call after each game."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def watch(progress: "Progress") -> None:
            left = progress.seconds_left
            when = _(", about {duration} left").format(duration=_duration(left)) if left is not None else ""
            table = Table(
                title=_("{done} of {total} games{when}").format(done=progress.done, total=progress.total, when=when),
                title_justify="left",
                box=None,
            )
            table.add_column(_("player"))
            for heading in (_("points"), _("games"), _("score")):
                table.add_column(heading, justify="right")
            for player, points, games in progress.standings[:10]:
                table.add_row(player, f"{points:g}", str(games), f"{points / games:.1%}" if games else "")
            live.update(table)

        yield watch


def _duration(seconds: float) -> str:
    """Seconds in words: 45 s, 3 min, 2 h 10 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
