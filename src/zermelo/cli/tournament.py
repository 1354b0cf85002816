"""zermelo tournament: who is stronger, and how sure that is."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from zermelo.cli.common import FILE, compiling, json_option, print_json, print_table, svg_option, write_file
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.tournaments.plan import Plan
    from zermelo.tournaments.run import Progress
    from zermelo.tournaments.store import Store

Command = Callable[..., None]

store_argument = click.argument("store", metavar="FILE.toml|STORE")
name_option = click.option("--name", help="Which tournament, if the store holds several.")


class Running(NamedTuple):
    """How games are played, and what is told at the end."""

    threads: int | None
    processes: bool
    scheduler: str | None
    html: Path | None
    as_json: bool


def running_options(command: Command) -> Command:
    """The options of Running, which the command gets as one."""
    options = [
        click.option("--threads", type=click.IntRange(1), help="Games at a time; all cores by default."),
        click.option("--processes", is_flag=True, help="Run all players in processes, not only those from files."),
        click.option("--scheduler", metavar="tcp://...", help="Play on a Dask cluster."),
        click.option("--html", type=FILE, metavar="FILE", help="Also write the report as a page."),
        json_option,
    ]

    @functools.wraps(command)
    def with_running(**given: Any) -> None:
        command(running=Running(**{name: given.pop(name) for name in Running._fields}), **given)

    for option in reversed(options):
        with_running = option(with_running)
    return with_running


def quick_options(command: Command) -> Command:
    """Settings of a tournament that has no file."""
    options = [
        click.option("--depth", type=click.IntRange(1, 64), help="Of those who set no budget of their own."),
        click.option("--nodes", type=click.IntRange(1), help="The same, by positions searched."),
        click.option("--seconds", type=click.FloatRange(0.001), help="For each move of everyone."),
        click.option(
            "--move-limit",
            type=click.FloatRange(0.001),
            help="Time limit for a move of a player from a file, in seconds, if --seconds sets none: 30 by default.",
        ),
        click.option("--search", help="What plays the heuristics: alphabeta by default."),
        click.option("--plies", type=click.IntRange(0), help="Random plies of an opening; by default, enough."),
        click.option("--seed", type=int, help="For openings and chance: 1 by default."),
        click.option("--store", metavar="FILE|URL", help="Keep it here, so that it can be resumed."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def tournament() -> None:
    """Tournaments: fair pairs of games, ratings with error bars, and tests that stop when it is decided."""


@tournament.command()
@click.argument("what", nargs=-1, required=True, metavar="FILE.toml | GAME CONTESTANT CONTESTANT...")
@click.option("--format", "form", help="round robin (default), gauntlet, swiss, knockout or ladder.")
@click.option("--pairs", type=click.IntRange(1), help="Of games, for every two who meet: 10 by default.")
@quick_options
@running_options
def run(
    what: tuple[str, ...],
    form: str | None,
    pairs: int | None,
    store: str | None,
    running: Running,
    **quick: Any,
) -> None:
    """Play a tournament: the one in a file, or quickly one without.

    A contestant is a player, a heuristic, a file of heuristics or a folder of files. Of a file cup.toml everything is
    kept in cup.db, next to it; without a file, only with --store.

    \b
    zermelo tournament run cup.toml
    zermelo tournament run connect4 lines2 parity12 "random" --depth 4 --pairs 50
    zermelo tournament run reversi students/ --depth 3 --format swiss
    """
    from zermelo.tournaments.plan import make_plan, read_plan

    settings = _given(quick) | _given({"format": form, "pairs": pairs})
    if len(what) > 1:
        plan = make_plan(what[1:], _game_text(what[0]), **settings)[0]
        ledger = _open(store)
    else:
        if settings:
            raise click.UsageError(_("{name} is set in the file, not here").format(name=next(iter(settings))))
        plan = read_plan(Path(what[0]))
        ledger = _open(store or _store_of(what[0]))
    _begin(ledger, plan)
    _play(ledger, plan.name, running)


@tournament.command()
@store_argument
@name_option
@running_options
def resume(store: str, name: str | None, running: Running) -> None:
    """Go on with a tournament that was interrupted; nothing is lost, nothing is played twice.

    It goes on as it was begun: what has changed in FILE.toml since then is told, and ignored. A store that was not
    made on this machine may bring code. You are asked before it runs; without a terminal, --trust says yes.
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


@tournament.command()
@click.argument("game")
@click.argument("new")
@click.argument("old")
@click.option("--elo0", type=float, default=0.0, show_default=True, help="No stronger than this: rejected.")
@click.option("--elo1", type=float, default=20.0, show_default=True, help="At least so much stronger: accepted.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often a bad one may be accepted.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often a good one may be rejected.")
@click.option("--logistic", is_flag=True, help="Usual Elo instead of normalised.")
@click.option("--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="Not more than these.")
@quick_options
@running_options
def sprt(
    game: str,
    new: str,
    old: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    logistic: bool,
    pairs: int,
    store: str | None,
    running: Running,
    **quick: Any,
) -> None:
    """Is NEW stronger than OLD? Plays pairs of games until that is decided, and no longer.

    \b
    zermelo tournament sprt connect4 "lines2(three=9)" lines2 --depth 4 --elo1 30
    """
    from zermelo.tournaments.plan import make_plan

    test = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": "logistic" if logistic else "normalised"}
    plan = make_plan([new, old], _game_text(game), format="sprt", sprt=test, pairs=pairs, **_given(quick))[0]
    ledger = _open(store)
    _begin(ledger, plan)
    _play(ledger, plan.name, running)


@tournament.command()
@store_argument
@name_option
@click.option("--html", type=FILE, metavar="FILE", help="As one page that needs nothing else.")
@click.option("--games", type=click.IntRange(0), default=60, show_default=True, help="To look at in the page.")
@svg_option
@json_option
def report(store: str, name: str | None, html: Path | None, games: int, svg_file: Path | None, as_json: bool) -> None:
    """Standings, crosstable and pairings of a tournament, finished or not."""
    from zermelo.tournaments.pages import html_report, rating_chart
    from zermelo.tournaments.report import make_report

    found = make_report(_open(_store_of(store), must_exist=True), name)
    if html:
        write_file(html, html_report(found, games))
    if svg_file:
        write_file(svg_file, rating_chart(found))
    _print(found, as_json)


@tournament.command()
@store_argument
@click.argument("file", type=FILE)
@name_option
def export(store: str, file: Path, name: str | None) -> None:
    """Write all games of a tournament to a JSONL FILE, one a line; `-` is standard output."""
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
    """Take the games of a JSONL FILE into a tournament, new or old; its report counts them."""
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
            _("{file}: these are games of {others}, not of {game}").format(
                file=file, others=", ".join(others), game=plan.game
            )
        )
    click.echo(_("{number} new games").format(number=ledger.import_games(plan.name, records)), err=True)


# ------------------------------------------------------------------------------------------ what they share


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The settings that were given, as a file would have them."""
    found = {name: value for name, value in options.items() if value is not None}
    if "plies" in found:
        found["openings"] = {"plies": found.pop("plies")}
    return found


def _game_text(text: str) -> str:
    from zermelo.cli.common import read_game

    return str(read_game(text))


def _store_of(text: str) -> str:
    """The store of a tournament file stands next to it."""
    return str(Path(text).with_suffix(".db")) if text.endswith(".toml") else text


def _open(where: str | None, must_exist: bool = False) -> "Store":
    from zermelo.tournaments.store import open_store

    return open_store(where, must_exist)


def _begin(ledger: "Store", plan: "Plan") -> None:
    from zermelo.tournaments.run import begin

    with compiling(_("what judges the openings")):
        begin(ledger, plan)


def _play(ledger: "Store", name: str | None, running: Running) -> None:
    import os

    from zermelo.tournaments.pages import html_report
    from zermelo.tournaments.report import make_report
    from zermelo.tournaments.run import run as play
    from zermelo.tournaments.trust import check_plan
    from zermelo.tournaments.workers import Processes, Workers

    check_plan(ledger.plan(name)[0], ledger.where)  # before anything else is on the screen: it may ask
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
    _print(found, running.as_json)


def _print(found: Any, as_json: bool) -> None:
    if as_json:
        print_json(found.to_dict())
        return
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
    """On a terminal: games done, time left, the best ten so far. Gives a function to call after each game."""
    import sys

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
