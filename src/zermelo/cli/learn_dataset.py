"""zermelo learn dataset: positions and their values."""

import time
from dataclasses import dataclass
from pathlib import Path

import click

from zermelo.cli.common import compiling, print_json, read_game, step_bar
from zermelo.cli.options import (
    FILE,
    Elsewhere,
    elsewhere_options,
    game_argument,
    json_option,
    option,
    takes,
    threads_option,
)
from zermelo.language import _


@dataclass(eq=False, repr=False)
class Sampling:
    """Which positions go into a dataset."""

    sampler: str = option(
        "--sampler",
        type=click.Choice(["random", "careful", "noisy", "best", "played"]),
        default="random",
        show_default=True,
        help="How positions are chosen: after random moves, after random moves without blunders, from games of a "
        "player who sometimes errs, from perfect games with some random moves, or from games of the search that finds "
        "the scores.",
    )
    plies: tuple[int, int] = option(
        "--plies",
        nargs=2,
        type=click.IntRange(0),
        default=(5, 35),
        show_default=True,
        metavar="LEAST MOST",
        help="Least and greatest number of plies before a position.",
    )
    noise: float = option(
        "--noise",
        type=click.FloatRange(0, 1),
        default=0.2,
        show_default=True,
        help="Probability of a random move in the games of the samplers noisy, best and played.",
    )
    player: str = option(
        "--player",
        default="alphabeta(depth=3)",
        show_default=True,
        help="Player of the games from which the sampler noisy takes positions.",
    )
    openers: str = option(
        "--openers",
        default="",
        metavar="NAMES",
        help="Heuristics, separated by commas, with which weak players continue the random openings of the sampler "
        "played.",
    )
    seed: int = option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the random generator that samples positions.",
    )


@dataclass(eq=False, repr=False)
class Labels:
    """How the positions of a dataset get their scores."""

    labels: str = option(
        "--labels",
        type=click.Choice(["auto", "exact", "search"]),
        default="auto",
        show_default=True,
        help="Source of the scores: the solver where it can answer and the search elsewhere, always the solver, or "
        "always the search.",
    )
    depth: int = option(
        "--depth",
        type=click.IntRange(1, 60),
        default=6,
        show_default=True,
        help="Depth of the search that finds scores, in plies.",
    )
    reduce: bool = option(
        "--reduce",
        is_flag=True,
        help="Search late moves less deeply at first (late-move reductions), for the sampler played. The scores are "
        "nearly as good and take a third of the time.",
    )
    heuristic: str | None = option(
        "--heuristic", help="Heuristic of the search that finds scores. The default is the usual one of the game."
    )
    exact_from: int | None = option(
        "--exact-from",
        type=click.IntRange(0),
        metavar="PLIES",
        help="Number of plies from which on the game's solver scores positions, however long it takes, for the sampler "
        "played. The default is to solve only those that cost next to nothing.",
    )
    trace_decay: float = option(
        "--lambda",
        type=click.FloatRange(0, 1),
        default=0.7,
        show_default=True,
        help="Share of the next position's score in the score of a position, for the sampler played. With 1, only the "
        "result of the game and exact scores count, and with 0 only the search and exact scores.",
    )


@click.command()
@game_argument
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=200_000,
    show_default=True,
    help="Number of rows, one per scored move.",
)
@click.option("--out", type=FILE, metavar="FILE", help="File to write, .parquet or .npz. The default is GAME.parquet.")
@takes("sampling", Sampling)
@takes("labelling", Labels)
@threads_option
@elsewhere_options
@json_option
def dataset(
    game: str,
    examples: int,
    out: Path | None,
    sampling: Sampling,
    labelling: Labels,
    threads: int | None,
    elsewhere: Elsewhere,
    as_json: bool,
) -> None:
    """Make a dataset of positions and their values.

    A value is what the position is worth to the player to move. All moves of every sampled position are scored. Each
    move gives one row, which holds the position after the move. Of positions that mirror each other, only one is taken.
    If you interrupt the command with Ctrl-C, run it again and it continues. The file is the same, byte for byte,
    whether threads, processes or the machines of a Dask cluster score the positions.

    \b
    zermelo learn dataset connect4 --examples 200000
    zermelo learn dataset connect4 --sampler best --plies 8 41 --out games.parquet
    zermelo learn dataset reversi --plies 10 58 --examples 50000
    zermelo learn dataset reversi --sampler played --plies 16 60 --noise 0.1 --heuristic learned --depth 4
    zermelo learn dataset reversi --sampler played --plies 16 42 --exact-from 42 --heuristic learned --depth 5
    """
    from zermelo.learn.dataset import Plan, make_dataset
    from zermelo.learn.labels import Labeller
    from zermelo.learn.sampling import Sampler

    chosen = read_game(game)
    plan = Plan(
        chosen,
        examples,
        Sampler(
            sampling.sampler,
            *sampling.plies,
            noise=sampling.noise,
            player=sampling.player,
            openers=tuple(name.strip() for name in sampling.openers.split(",") if name.strip()),
        ),
        Labeller(
            labelling.labels,
            labelling.depth,
            labelling.heuristic,
            reduce=labelling.reduce,
            trace_decay=labelling.trace_decay,
            exact_from=labelling.exact_from,
        ),
        sampling.seed,
    )
    path = out or Path(f"{chosen.name}.parquet")
    began, used = time.monotonic(), time.process_time()
    with (
        compiling(_("what {title} needs").format(title=_(chosen.title))),
        step_bar() as show,
        elsewhere.crew(threads) as crew,
    ):
        data = make_dataset(plan, path, crew=crew, progress=lambda done: show(_("scoring"), done, examples))
    seconds, used = time.monotonic() - began, time.process_time() - used
    if as_json:
        print_json(data.about | {"seconds": round(seconds, 1), "processor_seconds": round(used, 1)})
        return
    about = data.about
    click.echo(
        _(
            "wrote {path}: {examples:,} examples from {positions:,} positions, {share:.0%} of them with exact "
            "scores, in {seconds:.0f} s ({processor_seconds:.0f} s of processor time in this process)"
        ).format(
            path=path,
            examples=len(data),
            positions=about["parents"],
            share=data.exact.mean(),
            seconds=seconds,
            processor_seconds=used,
        )
    )
