"""zermelo puzzle: find the only move that wins."""

import datetime
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling_search, print_json, read_game, step_bar
from zermelo.cli.options import json_option
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.puzzles import Puzzle


@click.command()
@click.argument("game", required=False)
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Day of the puzzle, such as 2026-11-18.")
@click.option("--id", "id_", help="Puzzle to show, such as connect4-17, instead of today's.")
@click.option("--list", "listed", is_flag=True, help="List the puzzles of a GAME, the easiest first.")
@click.option("--answer", is_flag=True, help="Print the answer too, and do not ask for a move.")
@click.option("--make", type=click.IntRange(1), help="Number of new puzzles to make for a GAME.")
@click.option("--seed", default=0, show_default=True, help="Number that starts the random generator of --make.")
@json_option
def puzzle(
    game: str | None,
    date: datetime.datetime | None,
    id_: str | None,
    listed: bool,
    answer: bool,
    make: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Find the only move that wins.

    In every puzzle exactly one move wins, and all others do not: solvers have proved it. Without options you get the
    puzzle of the day, of the GAME if you name one. At a terminal you are asked for your move.

    --make searches games of weak players for new puzzles and prints them as JSON Lines. The same seed gives the same
    puzzles.

    \b
    zermelo puzzle
    zermelo puzzle reversi
    zermelo puzzle connect4 --list
    zermelo puzzle --id reversi-12 --answer
    zermelo puzzle "hex(size=5)" --make 10 --seed 7 > mine.jsonl
    """
    from zermelo.puzzles import daily_puzzle, find_puzzle, puzzles_of

    if (listed or make) and game is None:
        raise click.UsageError(_("name a game, such as connect4"))
    if make:
        assert game is not None
        _make(game, make, seed)
        return
    if listed:
        assert game is not None
        _list(puzzles_of(read_game(game)), as_json)
        return
    day = (date or datetime.datetime.now()).date()
    shown = find_puzzle(id_) if id_ else daily_puzzle(day, game)
    if as_json:
        print_json(_described(shown) | ({"move": shown.move} if answer else {}))
        return
    _show(shown)
    if answer:
        click.echo(_("The winning move is {move}.").format(move=shown.move))
    else:
        _ask(shown)


def _described(shown: "Puzzle") -> "dict[str, object]":
    return {
        "id": shown.id,
        "game": shown.game,
        "position": shown.position,
        "depth": shown.depth,
        "rating": shown.rating,
    }


def _list(found: "list[Puzzle]", as_json: bool) -> None:
    from zermelo.cli.common import print_table

    if as_json:
        print_json([_described(one) for one in found])
        return
    rows = [[one.id, str(one.rating), str(one.depth), one.position] for one in found]
    print_table([_("puzzle"), _("rating"), _("depth"), _("position")], rows)


def _show(shown: "Puzzle") -> None:
    here = shown.start
    click.echo(_("Puzzle {id}, rated {rating}").format(id=shown.id, rating=shown.rating))
    click.echo("\n" + here.board() + "\n")
    click.echo(_("{player} to move. One move wins. Which one?").format(player=_(here.game.players[here.to_move - 1])))


def _ask(shown: "Puzzle") -> None:
    """Ask for moves until the winning one is found; an empty answer gives up."""
    import sys

    from zermelo.errors import ZermeloError

    here = shown.start
    if not sys.stdin.isatty():
        return
    while True:
        text = click.prompt(_("Your move (empty to see the answer)"), default="", show_default=False).strip()
        if not text:
            click.echo(_("The winning move is {move}.").format(move=shown.move))
            return
        try:
            move = here.game.move_text(here.state, here.game.parse_move(here.state, text))
        except ZermeloError as error:
            click.echo(str(error))
            continue
        if move == shown.move:
            click.echo(_("Right! {move} wins.").format(move=move))
            return
        click.echo(_("{move} does not win. Try again.").format(move=move))


def _make(game: str, count: int, seed: int) -> None:
    from zermelo.puzzles.making import Order, make_puzzles

    chosen = read_game(game)
    with compiling_search(chosen), step_bar() as step:
        label = _("puzzles")
        found = make_puzzles(chosen, Order(count=count, seed=seed), lambda made, of: step(label, made, of))
    for one in found:
        click.echo(one.to_json())
    if len(found) < count:
        click.echo(_("only {found} puzzles were found").format(found=len(found)), err=True)
