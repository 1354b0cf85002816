"""zermelo learn book: opening books, for games whose solver uses them."""

from pathlib import Path

import click

from zermelo.cli.common import compiling, print_json, read_game, step_bar
from zermelo.cli.options import FILE, Elsewhere, elsewhere_options, game_argument, json_option, threads_option
from zermelo.language import Message, _


@click.command()
@game_argument
@click.option(
    "--stones",
    type=click.IntRange(0),
    default=6,
    show_default=True,
    help="Number of stones up to which positions are solved.",
)
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="File of the book. The default is the one in your data folder, where the solver looks for it.",
)
@threads_option
@elsewhere_options
@click.option(
    "--seconds", type=click.FloatRange(min=0), help="Time limit, in seconds. The next call continues from there."
)
@json_option
def book(
    game: str,
    stones: int,
    out: Path | None,
    threads: int | None,
    elsewhere: Elsewhere,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Make an opening book.

    It solves all openings of a game once, so that nobody has to wait for them later. Connect 4 has such books. Of two
    positions that mirror each other, only one is solved. You can stop the command with Ctrl-C at any time and run it
    again: nothing is solved twice, and the solver already uses what is known. The book is the same whether threads,
    processes or the machines of a Dask cluster solve the positions. On the usual board there are 8,231
    positions with 6 stones, 27,109 with 7 and 91,295 with 8. Those with 7 take about 20 minutes of processor time, once
    those with 6 are known.

    \b
    zermelo learn book connect4 --stones 8
    zermelo learn book "connect4(columns=8, rows=7)" --stones 4 --seconds 600
    """
    from zermelo.core.parts import part_of
    from zermelo.errors import GameError

    chosen = read_game(game)
    building = part_of(type(chosen).__module__, "building")
    if building is None:
        raise GameError("{title} has no opening books", title=Message(chosen.title))
    with compiling(_("the solver")), step_bar() as show, elsewhere.crew(threads) as crew:
        made = building.build_book_of(
            chosen,
            stones,
            out,
            lambda done, total: show(_("solving"), done, total),
            crew=crew,
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
        text = _("{waiting:,} positions are still to be solved. Run the command again to continue.")
        click.echo(text.format(waiting=made.waiting))
