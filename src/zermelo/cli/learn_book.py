"""zermelo learn book: an opening book for the Connect 4 solver."""

import os
from pathlib import Path
from typing import Any

import click

from zermelo.cli.common import FILE, compiling, game_argument, json_option, print_json, read_game, step_bar
from zermelo.language import _


@click.command()
@game_argument
@click.option("--stones", type=click.IntRange(0), default=6, show_default=True, help="Positions with up to so many.")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="The book.  [default: the one that the solver looks into, in your data folder]",
)
@click.option("--threads", type=click.IntRange(1), help="[default: one for each core]")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after so long; the next call goes on from there.")
@json_option
def book(game: str, stones: int, out: Path | None, threads: int | None, seconds: float | None, as_json: bool) -> None:
    """Solve all openings of Connect 4, of mirror images one, so that nobody needs to wait for them.

    It may be stopped at any time (Ctrl-C) and called again: nothing is solved twice. A book of 6 stones on the usual
    board has 8,231 positions at its end, and takes about 20 minutes of processor time; one more stone doubles that.

    \b
    zermelo learn book connect4 --stones 8
    zermelo learn book "connect4(columns=8, rows=7)" --stones 4 --seconds 600
    """
    from zermelo.errors import FileError, GameError
    from zermelo.games.connect4 import Connect4Game
    from zermelo.games.connect4.book import own_path
    from zermelo.games.connect4.building import build_book

    chosen = read_game(game)
    if not isinstance(chosen, Connect4Game):
        raise GameError(_("{name} has no opening book: only connect4 has").format(name=chosen.name))
    columns, rows = chosen.size
    path = out or own_path(columns, rows)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            _("{folder} cannot be made: {reason}").format(folder=path.parent, reason=error.strerror)
        ) from None
    with compiling(_("the solver")), step_bar() as show:
        made = build_book(
            stones,
            path,
            lambda done, total: show(_("solving"), done, total),
            columns=columns,
            rows=rows,
            threads=threads or os.cpu_count() or 1,
            seconds=seconds,
        )
    _tell(path, made, as_json)


def _tell(path: Path, made: Any, as_json: bool) -> None:
    waiting, size = len(made.levels[-1].unknown), path.stat().st_size
    if as_json:
        positions = [len(level.keys) for level in made.levels]
        print_json({"file": str(path), "stones": made.depth, "positions": positions, "waiting": waiting, "bytes": size})
        return
    click.echo(
        _("{path}: {positions:,} positions, {size:,} bytes").format(
            path=path, positions=sum(len(level.keys) for level in made.levels), size=size
        )
    )
    if waiting:
        click.echo(
            _("{waiting:,} positions with {depth} stones are still to be solved: call it again.").format(
                waiting=waiting, depth=made.depth
            )
        )
