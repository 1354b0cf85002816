"""zermelo study: the reports' tables, played again."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import (
    compiling,
    json_option,
    print_json,
    print_table,
    progress_bar,
    read_game,
    svg_option,
    usual_game,
    write_file,
)
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.position import Game


@click.group()
def study() -> None:
    """The reports' experiments as commands: each prints its table and draws it."""


@study.command()
@click.argument("game", required=False)
@click.option("--position", "positions", multiple=True, help="Also from this position; may be repeated.")
@click.option("--heuristic", help="Both searches use it.")
@click.option("--depth", type=click.IntRange(1, 64), help="Plies: 4, or all of a tree.")
@click.option("--runs", type=click.IntRange(1), help="Runs to time: 5 games, or 20 searches of a tree.")
@svg_option
@json_option
def pruning(
    game: str | None,
    positions: tuple[str, ...],
    heuristic: str | None,
    depth: int | None,
    runs: int | None,
    svg_file: Path | None,
    as_json: bool,
) -> None:
    """What alpha-beta saves over minimax (the Reversi report, 1.1.2).

    For a tree: 20 searches with each. For a game: whole games from the start and from an advanced position (or those
    you give), both sides played by minimax, then both by alpha-beta, with the same heuristic and depth.

    \b
    zermelo study pruning tree/theory
    zermelo study pruning connect4 --depth 5 --svg pruning.svg
    """
    from zermelo.position import random_playout
    from zermelo.studies import pruning as work

    chosen = (
        read_game(game)
        if game
        else usual_game(lambda one: one.is_explicit_tree, _("the catalogue has no game tree: name a game"))
    )
    starts = [chosen.position(text) for text in positions]
    if not starts and not chosen.is_explicit_tree:
        # An advanced position, as in the report: two thirds through a random game.
        length = len(random_playout(chosen.start(), 1).path)
        starts = [random_playout(chosen.start(), 1, 2 * length // 3)]
    with (
        compiling(_("the {title} searches").format(title=_(chosen.title))),
        progress_bar(_("searching"), 2 * len(starts) + 2) as step,
    ):
        results = work.study(
            chosen, [*starts, chosen.start()], heuristic=heuristic, depth=depth, runs=runs, progress=step
        )
    if svg_file:
        write_file(svg_file, work.chart(results, chosen))
    if as_json:
        print_json(work.to_dict(results))
        return
    print_table(*work.table(results))
    if not all(result.same_moves for result in results):
        click.echo(_("warning: the two searches did not play the same moves"), err=True)


def _compared_game() -> "Game":
    """The game whose heuristics are compared if none is named."""
    return usual_game(lambda one: not one.is_explicit_tree, _("the catalogue has no game"))


@study.command(name="random")
@click.argument("game", required=False)
@click.option(
    "--heuristic", "names", multiple=True, help="Only this one; may be repeated. All of the game's otherwise."
)
@click.option("--games", type=click.IntRange(2), default=100, show_default=True, help="Half with each side.")
@click.option("--depth", type=click.IntRange(1, 64), default=4, show_default=True, help="Plies.")
@click.option("--seed", type=int, default=1, show_default=True, help="For the random player.")
@svg_option
@json_option
def random_games(
    game: str | None, names: tuple[str, ...], games: int, depth: int, seed: int, svg_file: Path | None, as_json: bool
) -> None:
    """Each heuristic against random moves, with a confidence interval (the Connect 4 report, 2.5)."""
    from zermelo.studies import random_games as work

    chosen = read_game(game) if game else _compared_game()
    tried = list(names) or list(chosen.heuristics)
    with (
        compiling(_("the {title} search").format(title=_(chosen.title))),
        progress_bar(_("playing"), games * len(tried)) as step,
    ):
        results = work.study(chosen, tried, games=games, depth=depth, seed=seed, progress=step)
    if svg_file:
        write_file(svg_file, work.chart(results, chosen))
    if as_json:
        print_json(work.to_dict(results))
    else:
        print_table(*work.table(results))


@study.command()
@click.argument("game", required=False)
@click.option(
    "--heuristic", "names", multiple=True, help="Only these (FILE.py:NAME will do); all of the game's otherwise."
)
@click.option("--pairs", type=click.IntRange(2), default=50, show_default=True, help="Openings of each pairing.")
@click.option("--depth", type=click.IntRange(1, 64), default=3, show_default=True, help="Plies, the same for all.")
@click.option("--random-plies", type=click.IntRange(0), default=4, show_default=True, help="Plies of an opening.")
@click.option("--seed", type=int, default=1, show_default=True, help="For the openings.")
@svg_option
@json_option
def ladder(
    game: str | None,
    names: tuple[str, ...],
    pairs: int,
    depth: int,
    random_plies: int,
    seed: int,
    svg_file: Path | None,
    as_json: bool,
) -> None:
    """All heuristics against each other at equal depth: who really beats whom (the Reversi and Onitama reports).

    Two games on each opening, colours swapped; the error bars are 95% intervals over pairs.
    """
    from zermelo.studies import ladder as work

    chosen = read_game(game) if game else _compared_game()
    tried = list(names) or list(chosen.heuristics)
    if len(tried) < 2:
        raise click.UsageError(
            _("a ladder needs two heuristics; {title} has {tried}").format(
                title=_(chosen.title), tried=", ".join(tried)
            )
        )
    total = pairs * len(tried) * (len(tried) - 1) // 2
    with compiling(_("the {title} search").format(title=_(chosen.title))), progress_bar(_("playing"), total) as step:
        found = work.study(chosen, tried, pairs=pairs, depth=depth, plies=random_plies, seed=seed, progress=step)
    if svg_file:
        write_file(svg_file, work.chart(found, chosen))
    if as_json:
        print_json(work.to_dict(found))
        return
    print_table(*work.table(found))
    click.echo("")
    for pairing in found.pairings:
        click.echo(f"{pairing.verdict:<45} {pairing.rate}")


@study.command()
@click.argument("game", required=False)
@click.option("--size", "sizes", multiple=True, type=int, help="Board sizes; 7 and 11 if not said.")
@click.option("--depth", "depths", multiple=True, type=click.IntRange(1, 64), help="Depths; 3, 4 and 5 if not said.")
@click.option("--top-moves", "beams", multiple=True, type=click.IntRange(1), help="Beams; 7, 10, 15 if not said.")
@click.option("--pairs", type=click.IntRange(2), default=8, show_default=True, help="Openings of each match.")
@click.option("--seed", type=int, default=1, show_default=True, help="For positions and openings.")
@svg_option
@json_option
def beam(
    game: str | None,
    sizes: tuple[int, ...],
    depths: tuple[int, ...],
    beams: tuple[int, ...],
    pairs: int,
    seed: int,
    svg_file: Path | None,
    as_json: bool,
) -> None:
    """What depth and top_moves cost and bring (the Hex report, 2.3).

    Time and nodes a move, and the score against the report's usual player (depth 3, the 10 best moves).
    """
    from zermelo.games import find_game
    from zermelo.studies import beam as work

    game = (
        game
        or usual_game(
            lambda one: "size" in one.option_limits, _("no game of the catalogue has boards of several sizes")
        ).name
    )
    games = [find_game(game, size=size) for size in sizes or (7, 11)]
    depths, beams = depths or (3, 4, 5), beams or (7, 10, 15)
    total = len(games) * len(depths) * len(beams)
    with compiling(_("the {title} search").format(title=_(games[0].title))), progress_bar(_("settings"), total) as step:
        found = work.study(games, depths, beams, pairs=pairs, seed=seed, progress=step)
    if svg_file:
        write_file(svg_file, work.chart(found))
    if as_json:
        print_json(work.to_dict(found))
    else:
        print_table(*work.table(found))


@study.command()
@click.option("--pairs", type=click.IntRange(2), default=10, show_default=True, help="Starting positions.")
@click.option("--nodes", type=click.IntRange(1), default=3_500_000, show_default=True, help="A move, for all.")
@click.option("--depth", type=click.IntRange(1, 64), default=8, show_default=True, help="Plies of the strategies.")
@click.option("--random-plies", type=click.IntRange(0), default=6, show_default=True, help="Plies before a start.")
@click.option("--seed", type=int, default=1, show_default=True, help="For the starts.")
@svg_option
@json_option
def ninjas(
    pairs: int, nodes: int, depth: int, random_plies: int, seed: int, svg_file: Path | None, as_json: bool
) -> None:
    """Six strategies against three ninjas in Parcheckers (the Parcheckers report, table 1), with error bars.

    With the report's depth and nodes a game takes a second or two, the table ten minutes; --depth 4 is quicker.
    """
    from zermelo.studies import strategies as work

    chosen = usual_game(
        lambda one: work.table_of(one) is not None, _("no game of the catalogue has a table of strategies")
    )
    total = work.matches(chosen)
    with compiling(_("the {title} search").format(title=_(chosen.title))), progress_bar(_("matches"), total) as step:
        found = work.study(chosen, pairs=pairs, plies=random_plies, seed=seed, nodes=nodes, depth=depth, progress=step)
    if svg_file:
        write_file(svg_file, work.chart(found))
    if as_json:
        print_json(work.to_dict(found))
        return
    print_table(*work.table(found))
    for match, (one, other) in found.table.DIRECT.items():
        click.echo("\n" + _("{one} against {other}: {rate}").format(one=one, other=other, rate=found.direct[match]))
