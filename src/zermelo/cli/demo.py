"""zermelo demo: what `make run` shows."""

import sys

import click

from zermelo.language import _


@click.command(hidden=True)
@click.pass_context
def demo(context: click.Context) -> None:
    """A game of Connect 4 at the terminal; without one, a short match between two heuristics."""
    from zermelo.cli.match import match
    from zermelo.cli.play import play

    if sys.stdin.isatty() and sys.stdout.isatty():
        context.invoke(play, game="connect4", position=None, first="human", second="alphabeta(depth=10)")
        return
    click.echo(_("No terminal to play at, so two heuristics play each other instead.\n"))
    context.invoke(
        play,
        game="connect4",
        position="44",
        first="alphabeta(heuristic=lines2_diagonals, depth=8)",
        second="alphabeta(heuristic=centre, depth=8)",
    )
    click.echo(_("\nTwenty games from ten openings, taking turns to begin:"))
    context.invoke(
        match,
        game="connect4",
        position=None,
        first="alphabeta(heuristic=lines2_diagonals, depth=6)",
        second="alphabeta(heuristic=centre, depth=6)",
        games=20,
        random_plies=4,
        seed=1,
        save=None,
        as_json=False,
    )
