"""zermelo learn book: opening books, solved where a game's solver uses them, and otherwise made by the engine."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import compiling, compiling_search, print_json, read_game, step_bar
from zermelo.cli.options import (
    FILE,
    Elsewhere,
    elsewhere_options,
    game_argument,
    json_option,
    option,
    takes,
    threads_option,
)
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.pieces.crews import Crew
    from zermelo.position import Game

STONES, POSITIONS, DEPTH = 6, 300, 14


@dataclass(eq=False, repr=False)
class Extent:
    """How much is in the book."""

    stones: int | None = option(
        "--stones",
        type=click.IntRange(0),
        help=f"Number of stones up to which positions are solved (Connect 4). The default is {STONES}.",
    )
    positions: int | None = option(
        "--positions",
        type=click.IntRange(1),
        help=f"Number of positions whose moves are in the book (other games). The default is {POSITIONS}.",
    )
    depth: int | None = option(
        "--depth",
        type=click.IntRange(1, 60),
        help=f"Depth of the searches, in plies (other games). The default is {DEPTH}.",
    )


@click.command()
@game_argument
@takes("extent", Extent)
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="File of the book. The default is the one in your data folder, where solver and engine look for it.",
)
@threads_option
@elsewhere_options
@click.option(
    "--seconds", type=click.FloatRange(min=0), help="Time limit, in seconds. The next call continues from there."
)
@json_option
def book(
    game: str,
    extent: Extent,
    out: Path | None,
    threads: int | None,
    elsewhere: Elsewhere,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Make an opening book.

    In Connect 4 it solves all openings once, so that nobody has to wait for them later. Of two positions that mirror
    each other, only one is solved. The book is the same whether threads, processes or the machines of a Dask cluster
    solve the positions. On the usual board there are 8,231 positions with 6 stones, 27,109 with 7 and 91,295 with 8.
    Those with 7 take about 20 minutes of processor time, once those with 6 are known.

    In other games the engine searches the moves of the first positions, along the best lines and from there to moves
    that are a little worse. engine(book=0.5) then plays those moves that are at most half a point worse than the best.

    You can stop the command with Ctrl-C at any time and run it again: nothing is computed twice, and what is known is
    already used.

    \b
    zermelo learn book connect4 --stones 8
    zermelo learn book "connect4(columns=8, rows=7)" --stones 4 --seconds 600
    zermelo learn book reversi --positions 500 --depth 16
    """
    from zermelo.core.parts import part_of

    chosen = read_game(game)
    building = part_of(type(chosen).__module__, "building")
    unused: dict[str, Any] = {"--positions": extent.positions, "--depth": extent.depth}
    if building is None:  # the engine searches one position after another, in this process
        unused = {"--stones": extent.stones, "--workers": elsewhere.workers, "--scheduler": elsewhere.scheduler}
    for name, value in unused.items():
        if value is not None:
            raise click.UsageError(_("{option} means nothing for {title}").format(option=name, title=_(chosen.title)))
    if building is None:
        found, number = _engine_book(chosen, extent, out, seconds)
    else:
        with elsewhere.crew(threads) as crew:
            found, number = _solved_book(building, chosen, extent, out, crew, seconds)
    path = Path(found["file"])
    size = path.stat().st_size
    if as_json:
        print_json(found | {"bytes": size})
        return
    click.echo(_("{path}: {positions:,} positions, {size:,} bytes").format(path=path, positions=number, size=size))
    if found["waiting"]:
        text = _("{waiting:,} positions are still to be done. Run the command again to continue.")
        click.echo(text.format(waiting=found["waiting"]))


def _solved_book(
    building: Any, game: "Game", extent: Extent, out: Path | None, crew: "Crew", seconds: float | None
) -> tuple[dict[str, Any], int]:
    """What became of the book, and its number of positions."""
    stones = STONES if extent.stones is None else extent.stones
    with compiling(_("the solver")), step_bar() as show:
        made = building.build_book_of(
            game,
            stones,
            out,
            lambda done, total: show(_("solving"), done, total),
            crew=crew,
            seconds=seconds,
        )
    found = {"file": str(made.path), "stones": made.stones, "positions": made.positions, "waiting": made.waiting}
    return found, sum(made.positions)


def _engine_book(game: "Game", extent: Extent, out: Path | None, seconds: float | None) -> tuple[dict[str, Any], int]:
    """The same for a book of the engine."""
    from zermelo.learn.opening_book import build_opening_book

    with compiling_search(game), step_bar() as show:
        made = build_opening_book(
            game,
            out,
            lambda done, total: show(_("searching"), done, total),
            positions=extent.positions or POSITIONS,
            depth=extent.depth or DEPTH,
            seconds=seconds,
        )
    found = {"file": str(made.path), "depth": made.depth, "opened": made.opened, "positions": made.positions}
    return found | {"waiting": made.waiting}, made.positions
