"""zermelo trace: a search, step by step."""

import dataclasses
from dataclasses import dataclass

import click

from zermelo.cli.common import compiling, read_game, read_position
from zermelo.cli.options import Output, game_argument, option, output_options, position_argument, takes
from zermelo.language import _


@dataclass(eq=False, repr=False)
class AlphaBeta:
    """The options of alpha-beta, which minimax does not have."""

    tolerance: float = option(
        "--tolerance",
        type=click.FloatRange(0),
        default=0,
        help="Also cut when the window, beta - alpha, is narrower than this number of points.",
    )
    order: str | None = option("--order", help="Heuristic that sorts the moves in the first plies.")
    order_plies: int | None = option(
        "--order-plies", type=click.IntRange(0), help="Number of plies in which moves are sorted."
    )
    top_moves: int | None = option(
        "--top-moves", type=click.IntRange(1), help="Search only this number of moves, the first in the ordering."
    )


@click.command()
@game_argument
@position_argument
@click.option(
    "--depth",
    type=click.IntRange(1, 64),
    help="Depth of the search, in plies. The default is 2, or the whole tree for an explicit game tree.",
)
@click.option("--heuristic", help="Heuristic: a name, or FILE.py:NAME. The default is the usual one of the game.")
@click.option("--minimax", "plain", is_flag=True, help="Use minimax instead of alpha-beta.")
@click.option("--search", "own", metavar="FILE.py:NAME", help="Use a search of your own instead of alpha-beta.")
@takes("options", AlphaBeta)
@output_options
def trace(
    game: str,
    position: str | None,
    depth: int | None,
    heuristic: str | None,
    plain: bool,
    own: str | None,
    options: AlphaBeta,
    output: Output,
) -> None:
    """Follow a search step by step.

    It prints every position in the order of the visits, with its window and its value, and says what was cut and why.

    \b
    zermelo trace tree/course
    zermelo trace my-tree.toml --svg tree.svg
    zermelo trace tictactoe "X../.O./... x" --depth 2 --top-moves 3
    zermelo trace connect4 44 --search mine.py:my_alphabeta --depth 2
    """
    from zermelo.players import AlphaBetaPlayer, MinimaxPlayer, OwnSearchPlayer, SearchPlayer
    from zermelo.tracing import trace_search

    chosen = read_game(game)
    start = read_position(chosen, position)
    depth = depth or (64 if chosen.is_explicit_tree else 2)
    if (plain or own) and any(dataclasses.astuple(options)):
        raise click.UsageError(_("--tolerance, --order, --order-plies and --top-moves need the built-in alpha-beta"))
    if plain and own:
        raise click.UsageError(_("choose --minimax or --search, not both"))
    player: SearchPlayer
    if own:
        player = OwnSearchPlayer(heuristic, depth, function=own)
    elif plain:
        player = MinimaxPlayer(heuristic, depth)
    else:
        player = AlphaBetaPlayer(heuristic, depth, **dataclasses.asdict(options))
    with compiling(_("the {title} search with its trace").format(title=_(chosen.title))):
        traced = trace_search(start, player)

    def print_lines() -> None:
        if not output.svg_file:
            click.echo("\n".join(traced.lines()))

    output.show(traced.svg, traced.to_dict, print_lines)
