"""zermelo arena export, report and final: marks, games, results, and the last tournament of a class."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import print_json, write_file
from zermelo.cli.options import FILE, FOLDER, json_option, option, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.arena.records import Records
    from zermelo.arena.settings import ArenaSettings

tournament_option = click.option(
    "--tournament",
    metavar="NAME",
    help="The ladder, a round such as round-3, or the final. The default is the final once it has been played, and the "
    "ladder before that.",
)


@dataclass(eq=False, repr=False)
class Files:
    """What to write, and where."""

    csv: Path | None = option("--csv", type=FILE, metavar="FILE", help="Write a table of marks, as CSV.")
    marks: Path | None = option(
        "--marks",
        type=FILE,
        metavar="RUBRIC",
        help="Rubric for the marks, a TOML file. The default is the one that arena.toml names, or the usual one.",
    )
    games: Path | None = option("--games", type=FILE, metavar="FILE", help="Write the games, one per line, as JSON.")
    report: Path | None = option("--report", type=FILE, metavar="FILE", help="Write a report as one HTML file.")
    names: bool = option("--names", is_flag=True, help="Show real names in the report, even if the arena hides them.")


@click.command()
@click.argument("folder", type=FOLDER, metavar="ARENA")
@takes("files", Files)
@tournament_option
def export(folder: Path, files: Files, tournament: str | None) -> None:
    """Write marks, games or a report of an arena to files.

    A FILE of `-` stands for standard output. Without --tournament, --games writes the games of all tournaments.

    \b
    zermelo arena export reversi-2026 --csv marks.csv --marks rubric.toml
    zermelo arena export reversi-2026 --games games.jsonl --report report.html
    """
    from zermelo.arena.exports import games_jsonl, marks_csv, report_html, report_name, rubric_of
    from zermelo.arena.rounds import is_final_due

    if files.csv is None and files.games is None and files.report is None:
        raise click.UsageError(_("say what to write: --csv, --games or --report"))
    with opened(folder) as (records, settings):
        if files.csv is not None:
            _write(files.csv, marks_csv(records, settings, rubric_of(records, settings, files.marks)))
            if is_final_due(records):
                click.echo(_("the final is still being played; export the marks again when it is over"), err=True)
        if files.games is not None:
            names = records.store.names() if tournament is None else [report_name(records.store, tournament)]
            _write(files.games, "".join(games_jsonl(records.store, names)))
        if files.report is not None:
            _write(files.report, report_html(records, settings, tournament, "names" if files.names else None))
        written = [name for name in ("csv", "games", "report") if getattr(files, name) is not None]
        records.audit("teacher", "exports", {"what": ", ".join(written)})


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        click.echo(text, nl=False)
    else:
        write_file(path, text)


@click.command()
@click.argument("folder", type=FOLDER, metavar="ARENA")
@tournament_option
@json_option
def report(folder: Path, tournament: str | None, as_json: bool) -> None:
    """Print the results of an arena.

    The names are those that the class sees.
    """
    from zermelo.arena.exports import arena_report

    with opened(folder) as (records, settings):
        found = arena_report(records, settings, tournament)
        if as_json:
            print_json(found.to_dict())
        else:
            click.echo(str(found))


@click.command()
@click.argument("folder", type=FOLDER, metavar="ARENA")
@click.option(
    "--number",
    type=click.IntRange(0, 10**18),
    help="Random number that decides openings and seeds, if the class has drawn one. The default is drawn here.",
)
@click.option("--yes", is_flag=True, help="Do not ask before freezing.")
def final(folder: Path, number: int | None, yes: bool) -> None:
    """Freeze an arena and order its final.

    Nothing more can be handed in. The final is played from the beginning, by the running server or by
    `zermelo arena work`. The random number and a digest of every contestant's code are noted down before the first
    game, so that anybody can check that nothing was chosen afterwards. If you give the command again, it says how far
    the final is.
    """
    from zermelo.arena.rounds import order_final

    with opened(folder) as (records, settings):
        ordered, table = records.flag("final"), records.published("final")[1]
        if ordered is None:
            if not yes:
                text = _("Freeze {title} and play the final? Students cannot hand in any more.")
                click.confirm(text.format(title=settings.title), abort=True, err=True)
            drawn = order_final(records.store, records, settings, "teacher", number)
            click.echo(_("the final is ordered; its random number is {number}").format(number=drawn))
        elif table.get("ended") is None:
            games = records.store.counts("final")[0] if "final" in records.store.names() else 0
            text = _("the final is being played: {games} games so far; its random number is {number}")
            click.echo(text.format(games=games, number=ordered["number"]))
        else:
            text = _("the final has been played, with the random number {number}; see it with: zermelo arena report")
            click.echo(text.format(number=ordered["number"]))


@contextlib.contextmanager
def opened(folder: Path) -> "Iterator[tuple[Records, ArenaSettings]]":
    """The records and the settings of an arena, while a command uses them."""
    from zermelo.arena import opening
    from zermelo.arena.settings import read_settings

    settings = read_settings(folder)
    with opening.opened(settings) as records:
        yield records, settings
