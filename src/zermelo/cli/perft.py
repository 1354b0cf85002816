"""zermelo perft: count move sequences, to test rules and measure speed."""

import time

import click

from zermelo.cli.common import compiling, print_json, print_table, read_game, read_position
from zermelo.cli.options import game_argument, json_option, position_argument
from zermelo.language import _


@click.command()
@game_argument
@position_argument
@click.option(
    "--depth", type=click.IntRange(0, 60), default=6, show_default=True, help="Length of the sequences, in plies."
)
@click.option("--divide", "by_move", is_flag=True, help="Also print the number of sequences that begin with each move.")
@json_option
def perft(game: str, position: str | None, depth: int, by_move: bool, as_json: bool) -> None:
    """Count the move sequences of a given length.

    Games that end earlier are not counted, except in Reversi, where each counts as one, as in the published tables.

    \b
    zermelo perft connect4 --depth 8
    zermelo perft connect4 324443 --depth 5 --divide
    """
    from zermelo.searches import perft as search

    chosen = read_game(game)
    start = read_position(chosen, position)
    with compiling(_("the rules of {title}").format(title=_(chosen.title))):
        search.perft(start.state, min(depth, 1))
        began = time.perf_counter()
        ended = int(chosen.perft_counts_ended)
        counts = search.divide(start.state, depth, ended) if by_move and depth > 0 else {}
        total = sum(counts.values()) if counts else search.perft(start.state, depth, ended)
    seconds = time.perf_counter() - began
    named = {chosen.move_text(start.state, move): count for move, count in counts.items()}
    if as_json:
        data = {"game": str(chosen), "position": str(start), "depth": depth, "count": total, "seconds": seconds}
        print_json(data | ({"divide": named} if by_move else {}))
        return
    if named:
        print_table([_("move"), _("count")], [[move, str(count)] for move, count in named.items()])
    click.echo(f"{total}")
    click.echo(
        _("depth {depth}, {seconds:.3f} s, {millions:.1f} million sequences per second").format(
            depth=depth, seconds=seconds, millions=total / max(seconds, 1e-9) / 1e6
        ),
        err=True,
    )
