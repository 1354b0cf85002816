"""zermelo study: the experiments of the course reports, played again."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling, compiling_search, print_table, progress_bar, read_game, usual_game
from zermelo.cli.options import Openings, Output, output_options, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.position import Game

optional_game = click.argument("game", required=False)
heuristics_option = click.option(
    "--heuristic",
    "names",
    multiple=True,
    help="Heuristic or search to compare: a name, or FILE.py:NAME. May be given several times. The default is all "
    "heuristics of the game.",
)


def _pairs_option(default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--pairs",
        type=click.IntRange(2),
        default=default,
        show_default=True,
        help="Number of openings in each match. Each is played twice, with sides swapped.",
    )


@click.group()
def study() -> None:
    """Repeat the experiments of the course reports.

    Each command prints a table and can draw it.
    """


@study.command()
@optional_game
@click.option(
    "--position", "positions", multiple=True, help="Position to begin a game from. May be given several times."
)
@click.option("--heuristic", help="Heuristic of both searches. The default is the usual one of the game.")
@click.option(
    "--depth",
    type=click.IntRange(1, 64),
    help="Depth of both searches, in plies. The default is 4, or the whole tree for an explicit game tree.",
)
@click.option(
    "--runs",
    type=click.IntRange(1),
    help="Number of timed runs. The default is 5 games, or 20 searches of an explicit game tree.",
)
@click.option("--search", "own_search", help="A search of your own to compare with them, as FILE.py:NAME.")
@output_options
def pruning(
    game: str | None,
    positions: tuple[str, ...],
    heuristic: str | None,
    depth: int | None,
    runs: int | None,
    own_search: str | None,
    output: Output,
) -> None:
    """Measure what alpha-beta saves over minimax.

    An explicit game tree is searched 20 times with each. In other games, whole games are played from the start and from
    an advanced position, or from the positions that you give: first minimax plays both sides, then alpha-beta does,
    with the same heuristic and depth, and a search of your own, if you name one. (Section 1.1.2 of the Reversi report.)

    \b
    zermelo study pruning tree/theory
    zermelo study pruning connect4 --depth 5 --svg pruning.svg
    zermelo study pruning connect4 --search mine.py:my_alphabeta
    """
    from zermelo.analysis import searcher
    from zermelo.position import random_playout
    from zermelo.studies import pruning as work

    chosen = (
        read_game(game)
        if game
        else usual_game(lambda one: one.is_explicit_tree, _("the catalogue has no game tree; name a game"))
    )
    starts = [chosen.position(text) for text in positions]
    if not starts and not chosen.is_explicit_tree:
        # An advanced position, as in the report: two thirds through a random game.
        length = len(random_playout(chosen.start(), 1).path)
        starts = [random_playout(chosen.start(), 1, 2 * length // 3)]
    own = None if own_search is None else searcher(own_search, chosen)
    name = "" if own is None else own.text_without("depth", "heuristic")
    methods = 2 if own is None else 3
    with (
        compiling(_("the {title} searches").format(title=_(chosen.title))),
        progress_bar(_("searching"), methods * (len(starts) + 1)) as step,
    ):
        results = work.study(
            chosen, [*starts, chosen.start()], heuristic=heuristic, depth=depth, runs=runs, own=own, progress=step
        )

    def print_results() -> None:
        print_table(*work.table(results, name))
        if not all(result.same_moves for result in results):
            click.echo(_("warning: the searches did not play the same moves"), err=True)

    output.show(lambda: work.chart(results, chosen, name), lambda: work.to_dict(results), print_results)


def _compared(game: str | None, names: tuple[str, ...]) -> "tuple[Game, list[str]]":
    """The game and the heuristics to compare: those that are named, or the first game's, or all."""
    if game:
        chosen = read_game(game)
    else:
        chosen = usual_game(lambda one: not one.is_explicit_tree, _("the catalogue has no game"))
    return chosen, list(names) or list(chosen.heuristics)


@study.command(name="random")
@optional_game
@heuristics_option
@click.option(
    "--games",
    type=click.IntRange(2),
    default=100,
    show_default=True,
    help="Number of games of each heuristic. It moves first in half of them.",
)
@click.option(
    "--depth", type=click.IntRange(1, 64), default=4, show_default=True, help="Depth of the search, in plies."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random player.")
@output_options
def random_games(game: str | None, names: tuple[str, ...], games: int, depth: int, seed: int, output: Output) -> None:
    """Let each heuristic play against random moves.

    The scores have confidence intervals. (Section 2.5 of the Connect 4 report.)
    """
    from zermelo.studies import random_games as work

    chosen, tried = _compared(game, names)
    with compiling_search(chosen), progress_bar(_("playing"), games * len(tried)) as step:
        results = work.study(chosen, tried, games=games, depth=depth, seed=seed, progress=step)
    output.show(
        lambda: work.chart(results, chosen), lambda: work.to_dict(results), lambda: print_table(*work.table(results))
    )


@study.command()
@optional_game
@heuristics_option
@_pairs_option(50)
@click.option(
    "--depth", type=click.IntRange(1, 64), default=3, show_default=True, help="Depth of all searches, in plies."
)
@takes("openings", Openings, plies=4)
@output_options
def ladder(
    game: str | None, names: tuple[str, ...], pairs: int, depth: int, openings: Openings, output: Output
) -> None:
    """Let all heuristics play each other at the same depth.

    Each opening is played twice, with sides swapped. The error bars are 95% confidence intervals over these pairs. (The
    Reversi and Onitama reports compare their heuristics.)
    """
    from zermelo.studies import ladder as work

    chosen, tried = _compared(game, names)
    if len(tried) < 2:
        raise click.UsageError(
            _("a ladder needs at least two heuristics; {title} has only {tried}").format(
                title=_(chosen.title), tried=", ".join(tried)
            )
        )
    total = pairs * len(tried) * (len(tried) - 1) // 2
    with compiling_search(chosen), progress_bar(_("playing"), total) as step:
        found = work.study(
            chosen, tried, pairs=pairs, depth=depth, plies=openings.plies, seed=openings.seed, progress=step
        )

    def print_ladder() -> None:
        print_table(*work.table(found))
        click.echo("")
        for pairing in found.pairings:
            click.echo(f"{pairing.verdict:<45} {pairing.rate}")

    output.show(lambda: work.chart(found, chosen), lambda: work.to_dict(found), print_ladder)


@study.command()
@optional_game
@click.option(
    "--size", "sizes", multiple=True, type=int, help="Size of the board. May be given several times.  [default: 7, 11]"
)
@click.option(
    "--depth",
    "depths",
    multiple=True,
    type=click.IntRange(1, 64),
    help="Depth of the search, in plies. May be given several times.  [default: 3, 4, 5]",
)
@click.option(
    "--top-moves",
    "beams",
    multiple=True,
    type=click.IntRange(1),
    help="Number of moves searched in each position. May be given several times.  [default: 7, 10, 15]",
)
@_pairs_option(8)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Seed of the random generator that makes positions and openings.",
)
@output_options
def beam(
    game: str | None,
    sizes: tuple[int, ...],
    depths: tuple[int, ...],
    beams: tuple[int, ...],
    pairs: int,
    seed: int,
    output: Output,
) -> None:
    """Measure what depth and top_moves cost and gain.

    The table shows time and nodes per move, and the score against the usual player of the Hex report, which searches
    the 10 best moves to depth 3. (Section 2.3 of that report.)
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
    with compiling_search(games[0]), progress_bar(_("settings"), total) as step:
        found = work.study(games, depths, beams, pairs=pairs, seed=seed, progress=step)
    output.show(lambda: work.chart(found), lambda: work.to_dict(found), lambda: print_table(*work.table(found)))


@study.command()
@_pairs_option(10)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=3_500_000,
    show_default=True,
    help="Maximum number of positions that a player searches per move.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="Depth of the strategies' searches, in plies.",
)
@takes("openings", Openings, plies=6)
@output_options
def ninjas(pairs: int, nodes: int, depth: int, openings: Openings, output: Output) -> None:
    """Let six strategies play against three ninjas in Parcheckers.

    This is table 1 of the Parcheckers report, with error bars. With the depth and the nodes of the report, a game takes
    a second or two and the whole table ten minutes. With --depth 4 it is quicker.
    """
    from zermelo.studies import strategies as work

    chosen = usual_game(
        lambda one: work.table_of(one) is not None, _("no game of the catalogue has a table of strategies")
    )
    total = work.matches(chosen)
    with compiling_search(chosen), progress_bar(_("matches"), total) as step:
        found = work.study(
            chosen, pairs=pairs, plies=openings.plies, seed=openings.seed, nodes=nodes, depth=depth, progress=step
        )

    def print_matches() -> None:
        print_table(*work.table(found))
        for match, (one, other) in found.table.DIRECT.items():
            click.echo("\n" + _("{one} against {other}: {rate}").format(one=one, other=other, rate=found.direct[match]))

    output.show(lambda: work.chart(found), lambda: work.to_dict(found), print_matches)
