"""zermelo tournament: who is stronger, and how certain that is."""

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling, print_json, print_table, read_game, tell_written, write_file
from zermelo.cli.options import FILE, Output, output_options, takes
from zermelo.cli.tournament_live import live_standings
from zermelo.cli.tournament_options import Quick, Running, Test
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.tournaments.plan import Plan
    from zermelo.tournaments.report import Report
    from zermelo.tournaments.store import Store

store_argument = click.argument("store", metavar="FILE.toml|STORE")
name_option = click.option("--name", help="Name of the tournament, if the store contains several.")


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
        plan = make_plan(what[1:], str(read_game(what[0])), sandbox=running.sandbox, **settings)[0]
        ledger = _open(quick.store)
    else:
        if settings:
            raise click.UsageError(
                _("set {name} in the tournament file, not on the command line").format(name=next(iter(settings)))
            )
        plan = read_plan(Path(what[0]), running.sandbox)
        ledger = _open(quick.store or _store_of(what[0]))
    _begin(ledger, plan)
    _play(ledger, plan.name, running)


@tournament.command()
@store_argument
@name_option
@takes("running", Running)
def resume(store: str, name: str | None, running: Running) -> None:
    """Continue a tournament that was interrupted.

    No game is lost, and none is played twice. The tournament continues with the settings it began with, and in the
    sandbox if it began there. If FILE.toml has changed since then, the changes are listed and ignored. A store that was
    made on another machine may contain code. You are asked before this code runs; without a terminal, you need --trust.
    """
    ledger = _open(_store_of(store), must_exist=True)
    if store.endswith(".toml") and Path(store).is_file():
        from zermelo.games.sandboxed import limits_of
        from zermelo.tournaments.changes import changes_since
        from zermelo.tournaments.trust import check_plan

        plan = ledger.plan(name)[0]
        check_plan(plan, ledger.where)
        if running.sandbox:
            plan = dataclasses.replace(plan, sandbox=limits_of(True))
        for change in changes_since(plan, Path(store)):
            click.echo(_("ignored: {change}").format(change=change), err=True)
    _play(ledger, name, running)


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

    settings = {"format": "sprt", "sprt": test.settings, "pairs": pairs, "sandbox": running.sandbox} | quick.settings
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
    from zermelo.files.whole import write_whole

    ledger = _open(_store_of(store), must_exist=True)
    games = ledger.games(ledger.plan(name)[0].name)  # one after another: there may be a million
    if str(file) == "-":
        for game in games:
            click.echo(game.json)
        return
    write_whole(file, lambda out: out.writelines(f"{game.json}\n".encode() for game in games))
    tell_written(file)


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
    from zermelo.tournaments.importing import import_games
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
    click.echo(_("{number} new games").format(number=import_games(ledger, plan.name, records)), err=True)


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
        play(ledger, name, threads=running.threads, workers=workers, watch=watch, sandbox=running.sandbox)
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
    for sentence in found.left_out():
        click.echo(_("{sentence} Use --json to get all of them.").format(sentence=sentence), err=True)
    if found.verdict():
        click.echo(f"\n{found.verdict()}")
    for note in found.notes:
        click.echo(_("note: {note}").format(note=note), err=True)
