"""zermelo analyse: what each move is worth."""

import click

from zermelo.cli.common import (
    compiling,
    game_argument,
    json_option,
    position_argument,
    print_json,
    read_game,
    read_position,
)
from zermelo.language import _


@click.command()
@game_argument
@position_argument
@click.option("--depth", type=click.IntRange(1, 100), help="Plies to look ahead.")
@click.option("--nodes", type=click.IntRange(1), help="Positions to visit at most.")
@click.option("--seconds", type=click.FloatRange(min=0.001), help="Time to take; 1 if nothing is said.")
@click.option("--heuristic", help="Its name, or FILE.py:NAME; the game's usual one if not said.")
@json_option
def analyse(
    game: str,
    position: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    heuristic: str | None,
    as_json: bool,
) -> None:
    """Give every legal move its score for the player to move, and the line expected.

    Where the game's own solver has the answer at hand, as in Connect 4, it is exact; --heuristic asks the search.

    \b
    zermelo analyse connect4 324443 --depth 8
    zermelo analyse tictactoe "X../.O./... x" --json
    """
    from zermelo.analysis import deepen
    from zermelo.searches.budget import Budget

    chosen = read_game(game)
    start = read_position(chosen, position)
    with compiling(_("the {title} search").format(title=_(chosen.title))):
        for result in deepen(start, Budget(depth, nodes, seconds), heuristic=heuristic):
            if not as_json and result.seconds > 0.2:
                click.echo(
                    _("depth {depth}: {move} {text}").format(
                        depth=result.depth, move=result.best.move, text=result.best.text
                    ),
                    err=True,
                )
    if as_json:
        moves = [
            {
                "move": m.move,
                "score": m.score.number,
                "text": m.text,
                "exact": m.exact,
                "line": list(m.line),
                "nodes": m.nodes,
            }
            for m in result.moves
        ]
        print_json(
            {
                "game": str(chosen),
                "position": str(start),
                "to_move": start.to_move,
                "depth": result.depth,
                "nodes": result.nodes,
                "seconds": result.seconds,
                "heuristic": result.heuristic,
                "moves": moves,
            }
        )
        return
    click.echo(start.board())
    player = _(chosen.players[start.to_move - 1])
    told = (
        _("{player} to move, depth {depth}, by {heuristic}:") if result.depth else _("{player} to move, {heuristic}:")
    )
    click.echo("\n" + told.format(player=player, depth=result.depth, heuristic=_(result.heuristic)))
    click.echo(str(result))
    click.echo(_("{nodes} nodes, {seconds:.3f} s").format(nodes=result.nodes, seconds=result.seconds), err=True)
