"""zermelo publish: pages that play without a server, for any web host, a mail or a USB stick."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import print_json, tell_written, working
from zermelo.cli.options import json_option, option, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.publish.sites import ReportPlan, SitePlan


@dataclass(eq=False, repr=False)
class Output:
    """Where the site goes."""

    out: Path = option(
        "--out",
        type=click.Path(path_type=Path),
        required=True,
        metavar="PATH",
        help="Folder to write; with --single-file, the HTML file to write.",
    )
    single: bool = option("--single-file", is_flag=True, help="Write one HTML file that has everything inside.")


@dataclass(eq=False, repr=False)
class Shown:
    """What the page of a game shows."""

    players: tuple[str, ...] = option(
        "--player",
        multiple=True,
        metavar="PLAYER",
        help='A player to publish, such as "engine(heuristic=mine.py:mine)", or with a title: "Mine = engine(...)". '
        "It may be given several times. The default is the engine with half a second for a move.",
    )
    title: str | None = option("--title", help="Title of the page. The default is the name of the game.")
    scores: bool = option("--scores", is_flag=True, help="Show what every move is worth from the beginning.")


@click.command()
@click.argument("target", metavar="GAME")
@takes("shown", Shown)
@takes("output", Output)
@json_option
def publish(target: str, shown: Shown, output: Output, as_json: bool) -> None:
    """Write pages that play without a server.

    The rules, the search and the heuristic become WebAssembly, and the page has the lab's own board. Put the folder on
    any web host, or open its index.html from a disk. Instead of a GAME, a file such as site.toml may name several
    games, players and tournaments; the site is then a gallery.

    A folder is replaced only if it holds a site that was published before.

    \b
    zermelo publish connect4 --out site
    zermelo publish connect4 --player "engine(heuristic=mine.py:mine)" --out site
    zermelo publish reversi --single-file --out reversi.html
    zermelo publish site.toml --out site
    """
    from zermelo.publish.sites import check_titles, single_file, site_files
    from zermelo.publish.writing import check_file, check_folder, write_site

    plan = _plan(target, shown)
    check_titles(plan)
    if output.single and (len(plan.pages) != 1 or plan.reports):
        raise click.UsageError(_("--single-file takes one game; a gallery needs a folder"))
    (check_file if output.single else check_folder)(output.out)
    with working() as tell:
        for note in plan.notes:
            tell(note)
        if output.single:
            page = single_file(plan.pages[0], tell).encode()
            _write_file(output.out, page)
            told: dict[str, Any] = {"file": str(output.out), "bytes": len(page)}
        else:
            site = site_files(plan, tell)
            write_site(output.out, site.files)
            told = {"folder": str(output.out), "pages": site.pages, "bytes": sum(map(len, site.files.values()))}
    if as_json:
        print_json(told)
    else:
        tell_written(output.out)
        if not output.single:
            text = _("open {file} in a browser, or put the folder on a web host")
            click.echo(text.format(file=output.out / "index.html"))


def _plan(target: str, shown: Shown) -> "SitePlan":
    from zermelo.publish.sites import SitePlan, page_plan, read_site

    if not target.endswith(".toml"):
        page = page_plan(target, shown.players, title=shown.title or "", analysis=shown.scores)
        return SitePlan(page.title or _(page.game.title), (page,))
    if shown.players or shown.title or shown.scores:
        raise click.UsageError(_("--player, --title and --scores are for one game; write them into the file instead"))
    return read_site(Path(target), {"tournament": _tournament, "arena": _arena})


def _write_file(path: Path, data: bytes) -> None:
    from zermelo.files.whole import write_whole

    write_whole(path, lambda file: file.write(data))


def _tournament(table: Mapping[str, Any], path: Path) -> "ReportPlan":
    """A tournament's report, whose contestants can be played against if they can be published."""
    from zermelo.publish.reports import tournament_plan

    return tournament_plan(table, path)


def _arena(table: Mapping[str, Any], path: Path) -> "ReportPlan":
    """The results of an arena: its final, or another of its tournaments."""
    from zermelo.arena.exports import report_html, report_name
    from zermelo.cli.arena_results import opened
    from zermelo.publish.reports import arena_plan

    folder, wanted = path.parent / str(table.get("folder", ".")), table.get("tournament")

    def html(above: str) -> str:
        with opened(folder) as (records, settings):
            return report_html(records, settings, wanted, above=above)

    with opened(folder) as (records, settings):
        report_name(records.store, wanted)  # an error if there are no results yet
        title = settings.title
    return arena_plan(table, path, title, html)
