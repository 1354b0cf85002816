"""zermelo warm: compile in advance."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import print_json, print_table, read_game
from zermelo.cli.interrupts import time_to_save
from zermelo.cli.options import json_option
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.position import Game
    from zermelo.warming.crew import Crew

LONGEST_NAMES = 30
"""Characters of the names of games beside the bar."""


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--workers", type=click.IntRange(1), help="Number of processes. The default is one per processor core, 4 at most."
)
@json_option
def warm(games: tuple[str, ...], workers: int | None, as_json: bool) -> None:
    """Compile in advance what the usual players need.

    Without a GAME, all games are prepared. What has been compiled is kept in the cache folder, so later commands begin
    at once. What is there already is not compiled again, and two commands at once share the work.

    \b
    zermelo warm
    zermelo warm hex "hex(size=7)"
    zermelo warm breakthrough.py
    """
    from zermelo.core import JIT
    from zermelo.core.cache import cache_folder, is_writable
    from zermelo.errors import ResourceError
    from zermelo.warming.crew import GRACE, Crew
    from zermelo.warming.usual import usual_games

    if not JIT:
        raise ResourceError("nothing is compiled while NUMBA_DISABLE_JIT is set")
    if not is_writable():
        raise ResourceError("{path}: the cache folder cannot be written", path=cache_folder())
    chosen = [read_game(text) for text in dict.fromkeys(games)] or usual_games()
    crew = Crew(chosen, workers or min(4, os.cpu_count() or 1))
    with _shown(crew) as show, time_to_save(GRACE, says=None):
        crew.run(show)
    _print(crew, as_json)
    if any(game.faults for game in crew.games):
        sys.exit(1)


def _print(crew: "Crew", as_json: bool) -> None:
    if as_json:
        keys = ("game", "functions", "seconds", "faults")
        print_json(
            [
                dict(zip(keys, (str(one.game), one.functions, round(one.seconds, 2), one.faults), strict=True))
                for one in crew.games
            ]
        )
        return
    rows = [[str(one.game), str(one.functions), f"{one.seconds:.1f}"] for one in crew.games]
    print_table([_("game"), _("functions compiled"), _("seconds of processor time")], rows)
    for one in crew.games:
        for fault in one.faults:
            click.echo(f"zermelo: {one.game}: {fault}", err=True)


@contextlib.contextmanager
def _shown(crew: "Crew") -> Iterator[Callable[[], None]]:
    """Gives a function to call when there is news. It shows which games are being compiled, and how far they are."""
    if not sys.stderr.isatty():
        told: set[Game] = set()

        def tell() -> None:
            for game in crew.now:
                if game not in told:
                    told.add(game)
                    click.echo(_("compiling {what}").format(what=_(game.title)), err=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def show() -> None:
            names = ", ".join(_(game.title) for game in crew.now)
            bar.update(task, completed=crew.share, description=names[:LONGEST_NAMES])

        yield show
