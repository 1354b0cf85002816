"""zermelo learn book: an opening book for the solver of a game that has one."""

import os
from pathlib import Path

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
    """Solve all openings of a game, of mirror images one, so that nobody needs to wait for them.

    Connect 4 has such books. It may be stopped at any time (Ctrl-C) and called again: nothing is solved twice. A book
    of 6 stones on the usual board has 8,231 positions at its end, and takes about 20 minutes of processor time; one
    more stone doubles that.

    \b
    zermelo learn book connect4 --stones 8
    zermelo learn book "connect4(columns=8, rows=7)" --stones 4 --seconds 600
    """
    from zermelo.core.parts import part_of
    from zermelo.errors import GameError

    chosen = read_game(game)
    building = part_of(type(chosen).__module__, "building")
    if building is None:
        raise GameError(_("{title} has no opening books").format(title=_(chosen.title)))
    with compiling(_("the solver")), step_bar() as show:
        made = building.build_book_of(
            chosen,
            stones,
            out,
            lambda done, total: show(_("solving"), done, total),
            threads=threads or os.cpu_count() or 1,
            seconds=seconds,
        )
    size = made.path.stat().st_size
    if as_json:
        found = {"file": str(made.path), "stones": made.stones, "positions": made.positions, "waiting": made.waiting}
        print_json(found | {"bytes": size})
        return
    click.echo(
        _("{path}: {positions:,} positions, {size:,} bytes").format(
            path=made.path, positions=sum(made.positions), size=size
        )
    )
    if made.waiting:
        click.echo(
            _("{waiting:,} positions with {depth} stones are still to be solved: call it again.").format(
                waiting=made.waiting, depth=made.stones
            )
        )
