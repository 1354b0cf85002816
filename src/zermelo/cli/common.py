"""What the commands share: how they read games and positions, and how they print. It imports nothing heavy."""

import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.position import Game, Position


def read_game(text: str) -> "Game":
    """The game that a text names; the text may also be the path of a file that holds a game."""
    from zermelo import games

    return games.read_game(text)


def usual_game(fits: Callable[["Game"], bool], missing: str) -> "Game":
    """The first game of the catalogue that fits, for a command that was given none; `missing` is the error text."""
    from zermelo.errors import GameError
    from zermelo.games import first_game

    found = first_game(fits)
    if found is None:
        raise GameError(missing)
    return found


def read_position(game: "Game", text: str | None) -> "Position":
    """The position that a text describes, or the start of the game without a text."""
    return game.position(text) if text else game.start()


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns; columns of numbers are aligned to the right."""
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
    """Write a text to a file, and say so on standard error."""
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
    """Say on standard error when something is compiled, because the user waits a few seconds then."""
    from zermelo.core import announcing

    with announcing(lambda: click.echo(_("compiling {what}; this happens only once...").format(what=what), err=True)):
        yield


@contextlib.contextmanager
def compiling_search(game: "Game") -> Iterator[None]:
    """The same for a search of a game."""
    with compiling(_("the {title} search").format(title=_(game.title))):
        yield


@contextlib.contextmanager
def step_bar(beside_output: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar for work in several parts; gives a function of a part's name, its steps done, and its steps.

    beside_output: what is printed meanwhile goes to standard output, and not to the bar's terminal.
    """
    import time

    if not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=not beside_output) as bar:
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
def progress_bar(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, shown after two seconds; gives a function to call after each step."""
    steps = itertools.count(1)  # several threads may call it
    with step_bar() as show:
        yield lambda: show(label, next(steps), total)


@contextlib.contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """For work whose length nobody knows; gives a function that says on standard error what comes next.

    At a terminal, a bar that moves and the time that has passed stand below what was said.
    """
    if not sys.stderr.isatty():
        yield lambda text: click.echo(text, err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeElapsedColumn

    with Progress(BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        bar.add_task("", total=None)
        yield lambda text: bar.console.print(text, markup=False, highlight=False, soft_wrap=True)


def check_resume(resume: bool, option: str, file: Path | None) -> None:
    """Never overwrite by mistake a file from which work can continue; `option` is the one that names the file."""
    if resume and file is None:
        raise click.UsageError(_("--resume continues from a file; name it with {option}").format(option=option))
    if file is not None and file.exists() and not resume:
        raise click.UsageError(
            _("{file} exists; add --resume to continue from it, or name another file").format(file=file)
        )
