"""zermelo solve: exact values."""

import sys
from collections.abc import Iterator

import click

from zermelo.cli.common import compiling, game_argument, json_option, read_game
from zermelo.language import _


@click.command()
@game_argument
@click.argument("positions", nargs=-1)
@click.option("--weak", is_flag=True, help="Only win, draw or loss: quicker.")
@click.option("--all", "all_moves", is_flag=True, help="Every best move.")
@click.option("--seconds", type=click.FloatRange(min=0.001), help="At most so long for each.")
@click.option("--threads", type=click.IntRange(1), help="Where the game's solver can use several.")
@json_option
def solve(
    game: str,
    positions: tuple[str, ...],
    weak: bool,
    all_moves: bool,
    seconds: float | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Exact values of positions, given as arguments or one a line on standard input.

    One line out for each line in: the position, its value for the player to move (the game's score, or win, draw,
    loss) and a best move. A bad line is named on stderr and leaves an empty line; so input and output stay aligned.

    \b
    zermelo solve connect4 324443 --all
    zermelo solve reversi < positions.txt
    """
    import json

    from zermelo.errors import ZermeloError
    from zermelo.solving.exact import solve as find

    chosen = read_game(game)
    failed = False
    with compiling(_("the {title} solver").format(title=_(chosen.title))):
        for number, text in enumerate(positions or _lines(), 1):
            if not text or text.startswith("#"):
                click.echo("")
                continue
            try:
                position = chosen.position(text)
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
                told = {
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
                click.echo(json.dumps(told, ensure_ascii=False))
            else:
                value = found.word if weak and found.complete else found.value
                click.echo(f"{position} {value} {' '.join(moves)}".rstrip())
    if failed:
        sys.exit(2)


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        raise click.UsageError(_("give positions as arguments, or one a line on standard input"))
    yield from (line.strip() for line in sys.stdin)
