"""zermelo solve: exact values of positions."""

import sys
from collections.abc import Iterator

import click

from zermelo.cli.common import compiling, read_game, step_bar
from zermelo.cli.options import game_argument, json_option
from zermelo.language import _


@click.command()
@game_argument
@click.argument("positions", nargs=-1)
@click.option("--weak", is_flag=True, help="Find only who wins, which is quicker.")
@click.option("--all", "all_moves", is_flag=True, help="Print all the best moves instead of one.")
@click.option("--seconds", type=click.FloatRange(min=0.001), help="Time limit per position, in seconds.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads, for games whose solver can use several.")
@click.option(
    "--tables",
    type=click.IntRange(1),
    metavar="PIECES",
    help="First make tables of all endgames with up to this many pieces, in games that have them (Onitama: 4 to 6). "
    "They are kept for all later commands. Six pieces take minutes, 5 GB of memory and 3 GB in the cache folder.",
)
@json_option
def solve(
    game: str,
    positions: tuple[str, ...],
    weak: bool,
    all_moves: bool,
    seconds: float | None,
    threads: int | None,
    tables: int | None,
    as_json: bool,
) -> None:
    """Find the exact values of positions.

    Give the positions as arguments, or on standard input, one per line. For every position it prints one line: the
    position, its value for the player to move (the score of the game, or win, draw or loss), and a best move. If a line
    is not a position, an empty line is printed for it and the error goes to standard error. So line n of the output
    always answers line n of the input.

    \b
    zermelo solve connect4 324443 --all
    zermelo solve reversi < positions.txt
    zermelo solve onitama "..B../.b.b./...../.r.r./..R.. boar,ox elephant,horse crab r" --tables 6
    """
    import json

    from zermelo.errors import ZermeloError
    from zermelo.solving.exact import solve as find
    from zermelo.solving.registry import make_tables

    chosen = read_game(game)
    failed = False
    with compiling(_("the {title} solver").format(title=_(chosen.title))):
        for number, text in enumerate(positions or _lines(), 1):
            if not text or text.startswith("#"):
                click.echo("")
                continue
            try:
                position = chosen.position(text)
                if tables is not None:
                    with step_bar() as show:
                        make_tables(position, tables, lambda done, total: show(_("endgames"), done, total))
                found = find(position, weak=weak, all_moves=all_moves, seconds=seconds, threads=threads)
            except ZermeloError as error:
                where = "" if positions else _("line {number}: ").format(number=number)
                click.echo(f"zermelo: {where}{error}", err=True)
                click.echo("null" if as_json else "")
                failed = True
                continue
            moves = [chosen.move_text(position.state, move) for move in found.moves]
            if as_json:
                scores = {chosen.move_text(position.state, move): score for move, score in found.scores.items()}
                answer = {
                    "position": str(position),
                    "score": found.score if found.complete else None,
                    "value": found.value if found.complete else None,
                    "moves": moves,
                    "scores": scores,
                    "plies": found.plies,
                    "nodes": found.nodes,
                    "seconds": found.seconds,
                    "complete": found.complete,
                }
                click.echo(json.dumps(answer, ensure_ascii=False))
            else:
                value = found.word if weak and found.complete else found.value
                click.echo(f"{position} {value} {' '.join(moves)}".rstrip())
    if failed:
        sys.exit(2)


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        raise click.UsageError(_("give positions as arguments, or on standard input, one per line"))
    yield from (line.strip() for line in sys.stdin)
