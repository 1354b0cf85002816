"""zermelo analyse: what each move is worth."""

import click

from zermelo.cli.common import compiling_search, print_json, read_game, read_position
from zermelo.cli.options import game_argument, json_option, position_argument
from zermelo.language import _


@click.command()
@game_argument
@position_argument
@click.option("--depth", type=click.IntRange(1, 100), help="Maximum depth of the search, in plies.")
@click.option("--nodes", type=click.IntRange(1), help="Maximum number of positions to visit.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    help="Time limit, in seconds. It is 1 second if no limit at all is given.",
)
@click.option("--heuristic", help="Heuristic: a name, or FILE.py:NAME. The default is the usual one of the game.")
@click.option(
    "--player",
    help="Player whose search scores the moves: minimax, alphabeta, or FILE.py:NAME, with its options in parentheses.",
)
@json_option
def analyse(
    game: str,
    position: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    heuristic: str | None,
    player: str | None,
    as_json: bool,
) -> None:
    """Show what every legal move is worth.

    For every move it prints the score for the player to move, and how the game would go on. Scores are exact where the
    game's own solver finds them quickly, as in Connect 4. With --heuristic, they come from the search. With --player,
    they come from the player's own search of the position after each move.

    \b
    zermelo analyse connect4 324443 --depth 8
    zermelo analyse connect4 324443 --player "mine.py:my_alphabeta(depth=6)"
    zermelo analyse tictactoe "X../.O./... x" --json
    """
    from zermelo.analysis import deepen, deepen_by, searcher
    from zermelo.searches.budget import Budget

    chosen = read_game(game)
    start = read_position(chosen, position)
    budget = Budget(depth, nodes, seconds)
    with compiling_search(chosen):
        if player is None:
            results = deepen(start, budget, heuristic=heuristic)
        else:
            results = deepen_by(searcher(player, chosen, heuristic), start, budget)
        for result in results:
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
                "unit": result.unit,
                "moves": moves,
            }
        )
        return
    click.echo(start.board())
    mover = _(chosen.players[start.to_move - 1])
    heading = (
        _("{player} to move, depth {depth}, by {heuristic}:") if result.depth else _("{player} to move, {heuristic}:")
    )
    source = _(result.heuristic)
    if result.unit == chosen.result_unit:
        source = _("{heuristic}, in {unit}").format(heuristic=source, unit=_(result.unit))
    click.echo("\n" + heading.format(player=mover, depth=result.depth, heuristic=source))
    click.echo(str(result))
    click.echo(_("{nodes} nodes, {seconds:.3f} s").format(nodes=result.nodes, seconds=result.seconds), err=True)
