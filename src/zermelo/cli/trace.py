"""zermelo trace: a search, step by step."""

from pathlib import Path

import click

from zermelo.cli.common import (
    compiling,
    game_argument,
    json_option,
    position_argument,
    print_json,
    read_game,
    read_position,
    svg_option,
    write_file,
)
from zermelo.language import _


@click.command()
@game_argument
@position_argument
@click.option("--depth", type=click.IntRange(1, 64), help="Plies; all of a tree, 2 of a game, if not said.")
@click.option("--heuristic", help="Its name, or FILE.py:NAME.")
@click.option("--minimax", "plain", is_flag=True, help="Minimax instead of alpha-beta.")
@click.option("--tolerance", type=click.IntRange(0), default=0, help="Also cut once beta - alpha is below this.")
@click.option("--order", help="A heuristic that sorts the moves of the first plies.")
@click.option("--order-plies", type=click.IntRange(0), help="How many plies are sorted.")
@click.option("--top-moves", type=click.IntRange(1), help="Search only so many, the best by the ordering.")
@svg_option
@json_option
def trace(
    game: str,
    position: str | None,
    depth: int | None,
    heuristic: str | None,
    plain: bool,
    tolerance: int,
    order: str | None,
    order_plies: int | None,
    top_moves: int | None,
    svg_file: Path | None,
    as_json: bool,
) -> None:
    """Print each position in visiting order with its window, its value, and what was cut and why.

    \b
    zermelo trace tree/course
    zermelo trace my-tree.toml --svg tree.svg
    zermelo trace tictactoe "X../.O./... x" --depth 2 --top-moves 3
    """
    from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
    from zermelo.tracing import trace_search

    chosen = read_game(game)
    start = read_position(chosen, position)
    depth = depth or (64 if chosen.is_explicit_tree else 2)
    if plain:
        if tolerance or order or order_plies or top_moves:
            raise click.UsageError(
                _("minimax looks at everything: --tolerance, --order and --top-moves are alpha-beta's")
            )
        player: AlphaBetaPlayer | MinimaxPlayer = MinimaxPlayer(heuristic, depth)
    else:
        player = AlphaBetaPlayer(heuristic, depth, tolerance, order, order_plies, top_moves)
    with compiling(_("the {title} search, traced").format(title=_(chosen.title))):
        traced = trace_search(start, player)
    if svg_file:
        write_file(svg_file, traced.svg())
    if as_json:
        print_json(traced.to_dict())
    elif not svg_file:
        for line in traced.lines():
            click.echo(line)
