"""zermelo learn: exact data, models that play, weights that tune themselves."""

from pathlib import Path

import click

from zermelo.cli.common import compiling, counting_bar, game_argument, json_option, print_json, print_table, read_game


@click.group()
def learn() -> None:
    """Learn to judge positions: make data, fit models to it, and let them play."""


FILE = click.Path(dir_okay=False, path_type=Path)


@learn.command()
@game_argument
@click.option("--examples", type=click.IntRange(1), default=200_000, show_default=True, help="Rows: moves scored.")
@click.option("--out", type=FILE, help="File to write, .parquet or .npz.  [default: GAME.parquet]")
@click.option(
    "--sampler",
    type=click.Choice(["random", "careful", "noisy", "best"]),
    default="random",
    show_default=True,
    help="See above.",
)
@click.option("--plies", nargs=2, type=click.IntRange(0), default=(5, 35), show_default=True, help="Least and most.")
@click.option("--noise", type=click.FloatRange(0, 1), default=0.2, show_default=True, help="Chance of a random move.")
@click.option("--player", default="alphabeta(depth=3)", show_default=True, help="Who plays the noisy games.")
@click.option(
    "--labels",
    type=click.Choice(["auto", "exact", "search"]),
    default="auto",
    show_default=True,
    help="Scores: exact where the solver can, always, or never.",
)
@click.option("--depth", type=click.IntRange(1, 60), default=6, show_default=True, help="Plies of searched scores.")
@click.option("--heuristic", help="Of searched scores.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Another seed, other positions.")
@click.option("--threads", type=click.IntRange(1), help="As many as there are cores, if not given.")
@json_option
def dataset(
    game: str,
    examples: int,
    out: Path | None,
    sampler: str,
    plies: tuple[int, int],
    noise: float,
    player: str,
    labels: str,
    depth: int,
    heuristic: str | None,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Positions, and what each is worth to the player to move.

    Positions are sampled: after random moves, as in seed 003 (random); the same without blunders that lose to the next
    move (careful); from games of a player with some noise (noisy), or of perfect moves with some noise (best). All
    moves of each are scored, and each gives a row: the position it leads to. Of positions that mirror each other one is
    taken. Interrupted with Ctrl-C, the same command goes on.

    \b
    zermelo learn dataset connect4 --examples 200000
    zermelo learn dataset connect4 --sampler best --plies 8 41 --out games.parquet
    zermelo learn dataset reversi --plies 10 58 --examples 50000
    """
    from zermelo.learn.dataset import Plan, make_dataset
    from zermelo.learn.labels import Labeller
    from zermelo.learn.sampling import Sampler

    chosen = read_game(game)
    plan = Plan(
        chosen,
        examples,
        Sampler(sampler, *plies, noise=noise, player=player),
        Labeller(labels, depth, heuristic),
        seed,
    )
    path = out or Path(f"{chosen.name}.parquet")
    with compiling(f"what {chosen.title} needs"), counting_bar("scoring", examples) as show:
        data = make_dataset(plan, path, threads=threads, progress=show)
    if as_json:
        print_json(data.about)
        return
    about = data.about
    click.echo(
        f"wrote {path}: {len(data):,} examples of {about['parents']:,} positions, {data.exact.mean():.0%} exact, "
        f"in {about['seconds']:.0f} s ({about['processor_seconds']:.0f} s of processor time)"
    )


@learn.command()
@game_argument
@json_option
def features(game: str, as_json: bool) -> None:
    """What models may see of a game's positions: sets of numbers, named and explained."""
    from zermelo.learn.describe import known_features

    sets = known_features(read_game(game))
    if as_json:
        print_json({name: {"features": list(one.names), "about": one.text} for name, one in sets.items()})
        return
    print_table(["set", "size", "what it is"], [[n, str(len(s)), s.text.splitlines()[0]] for n, s in sets.items()])
    for name, one in sets.items():
        click.echo(f"\n{name}: {one.text}\n")
        click.echo(click.wrap_text(", ".join(one.names), 100, "    ", "    "))
