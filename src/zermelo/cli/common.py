"""What the commands share: how they take games and players, and how they speak. Imports nothing heavy."""

import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.language import _, speaking

if TYPE_CHECKING:
    from zermelo.position import Game, Position


def read_game(text: str) -> "Game":
    """A game by its text; the path of a file that holds a game will do too."""
    from zermelo import games

    return games.read_game(text)


def usual_game(fits: Callable[["Game"], bool], missing: str) -> "Game":
    """The first game of the catalogue that fits a command which was told none; missing: what to say without one."""
    from zermelo.errors import GameError
    from zermelo.games import first_game

    found = first_game(fits)
    if found is None:
        raise GameError(missing)
    return found


def read_position(game: "Game", text: str | None) -> "Position":
    """A position by its text, the start if there is none."""
    return game.position(text) if text else game.start()


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns in line, numbers to the right."""
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    right = [all(_is_number(row[i]) for row in rows if row[i]) for i in range(len(heading))]
    for number, row in enumerate([heading, *rows]):
        cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        click.echo("  ".join(cells).rstrip())
        if number == 0:
            click.echo("  ".join("-" * width for width in widths))


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").lstrip("+-").rstrip("%").isdigit()


def write_file(path: Path, text: str) -> None:
    """Write a picture or a table, and say so on stderr."""
    from zermelo.files.whole import cannot_write

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from None
    tell_written(path)


def tell_written(path: Path) -> None:
    click.echo(_("wrote {path}").format(path=path), err=True)


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Say on stderr that something is compiled, if it is: the user waits two or three seconds then, once."""
    from zermelo.core import announcing

    with announcing(lambda: click.echo(_("compiling {what}, once...").format(what=what), err=True)):
        yield


@contextlib.contextmanager
def step_bar() -> Iterator[Any]:
    """A bar for work in several parts; gives a function to call with the part's name, what is done, and of how much."""
    import time

    if not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}
        began = time.monotonic()

        def step(what: str, done: int, of: int) -> None:
            for other in tasks.keys() - {what}:
                bar.update(tasks[other], visible=False)
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of, visible=False)
            bar.update(tasks[what], completed=done, total=of, visible=time.monotonic() - began > 2)

        yield step


@contextlib.contextmanager
def progress_bar(label: str, total: int) -> Iterator[Any]:
    """A bar on stderr, shown after two seconds; gives a function to call after each step."""
    steps = itertools.count(1)  # counts rightly for several threads, too
    with step_bar() as show:
        yield lambda: show(label, next(steps), total)


def check_resume(resume: bool, option: str, file: Path | None) -> None:
    """What can be gone on with is never begun again by mistake; option: the one that names the file."""
    if resume and file is None:
        raise click.UsageError(_("--resume goes on from a file: say which one with {option}").format(option=option))
    if file is not None and file.exists() and not resume:
        raise click.UsageError(_("{file} exists: go on from it (--resume), or name another file").format(file=file))


def _for_machines(context: click.Context, _option: click.Parameter, wanted: bool) -> bool:
    """JSON reads the same whatever the user's language."""
    if wanted:
        context.with_resource(speaking("en"))
    return wanted


json_option = click.option("--json", "as_json", is_flag=True, callback=_for_machines, help="Print JSON, for machines.")
FILE = click.Path(dir_okay=False, path_type=Path)
svg_option = click.option("--svg", "svg_file", type=FILE, metavar="FILE", help="Draw it to a file.")
game_argument = click.argument("game")
position_argument = click.argument("position", required=False)
