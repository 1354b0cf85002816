"""zermelo learn dataset, features, fit and export: from positions to models that play."""

import shlex
import sys
from pathlib import Path

import click

from zermelo.cli.common import (
    FILE,
    compiling,
    game_argument,
    json_option,
    print_json,
    print_table,
    read_game,
    step_bar,
    write_file,
)
from zermelo.language import _

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
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

    Positions are sampled: after random moves, as in the Connect 4 report (random); the same without blunders that
    lose to the next move (careful); from games of a player with some noise (noisy), or of perfect moves with some noise
    (best). All moves of each are scored, and each gives a row: the position it leads to. Of positions that mirror each
    other one is taken. Interrupted with Ctrl-C, the same command goes on.

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
    with compiling(_("what {title} needs").format(title=_(chosen.title))), step_bar() as show:
        data = make_dataset(plan, path, threads=threads, progress=lambda done: show(_("scoring"), done, examples))
    if as_json:
        print_json(data.about)
        return
    about = data.about
    click.echo(
        _(
            "wrote {path}: {examples:,} examples of {positions:,} positions, {share:.0%} "
            "exact, in {seconds:.0f} s ({processor_seconds:.0f} s of processor time)"
        ).format(
            path=path,
            examples=len(data),
            positions=about["parents"],
            share=data.exact.mean(),
            seconds=about["seconds"],
            processor_seconds=about["processor_seconds"],
        )
    )


@click.command()
@game_argument
@json_option
def features(game: str, as_json: bool) -> None:
    """What models may see of a game's positions: sets of numbers, named and explained."""
    from zermelo.learn.describe import known_features

    sets = known_features(read_game(game))
    if as_json:
        print_json({name: {"features": list(one.names), "about": one.text} for name, one in sets.items()})
        return
    print_table(
        [_("set"), _("size"), _("what it is")], [[n, str(len(s)), _(s.text).splitlines()[0]] for n, s in sets.items()]
    )
    for name, one in sets.items():
        click.echo(f"\n{name}: {_(one.text)}\n")
        click.echo(click.wrap_text(", ".join(one.names), 100, "    ", "    "))


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--model", "names", multiple=True, help="Only this one; may be repeated. All of them otherwise.")
@click.option("--features", "sets", help="Feature sets, with commas between: seed,threats. The model's own otherwise.")
@click.option("--extra", multiple=True, type=FILE, help="More data, for training only; may be repeated.")
@click.option("--rounds", type=click.IntRange(1), default=20, show_default=True, help="Of nets and tables.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), default=0.02, show_default=True, help="Of nets.")
@click.option(
    "--hidden", nargs=2, type=click.IntRange(1, 1024), default=(32, 16), show_default=True, help="Of the net."
)
@click.option(
    "--gap",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="Points by which wins and losses are kept apart in a net's training: better at who wins, worse at when.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the split, and of chance in fits."
)
@click.option("--keep", type=FOLDER, help="Folder for the models, for `export`.")
@click.option("--pictures", type=FOLDER, help="Folder for SVG pictures.")
@json_option
def fit(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    sets: str | None,
    extra: tuple[Path, ...],
    rounds: int,
    rate: float,
    hidden: tuple[int, int],
    gap: float,
    seed: int,
    keep: Path | None,
    pictures: Path | None,
    as_json: bool,
) -> None:
    """Fit models to data, and measure them on positions they have not seen.

    Of the positions in FILES 80% are for training, 10% for validation, 10% for the test; all moves of one go together,
    and what is in the last two, or mirrors it, is not trained on. Measures: mean squared error, R², right winner
    (sign), right of win, draw and loss, the report's own test; how often the move predicted best is a perfect one. Of
    quiet positions again: nobody can win with the next move.

    \b
    zermelo learn fit connect4.parquet
    zermelo learn fit connect4.parquet --model net --model boosting --keep models --pictures .
    """
    from zermelo.files.folders import make_folder
    from zermelo.learn import fitting
    from zermelo.learn import pictures as drawing
    from zermelo.learn.dataset_files import joined_datasets, read_dataset
    from zermelo.learn.export import write_fitted
    from zermelo.learn.splitting import split
    from zermelo.learn.trainers import MODELS, Setting

    chosen = list(names) or list(MODELS)
    fitting.check_names(chosen)
    data = joined_datasets([read_dataset(path) for path in files])
    more = joined_datasets([read_dataset(path) for path in extra]) if extra else None
    parts = split(data, more, seed)
    results = []
    with compiling(_("what the models need")), step_bar() as show:
        for number, name in enumerate(chosen):
            show(_("fitting"), number, len(chosen))
            setting = Setting(tuple(sets.split(",")) if sets else (), rounds, rate, *hidden, gap, seed)
            setting.progress = lambda done, error, name=name: show(_("fitting {name}").format(name=name), done, rounds)
            results.append(fitting.fit(parts, name, setting))
            if keep is not None:
                make_folder(keep)
                made = {"command": shlex.join(["zermelo", *sys.argv[1:]]), "training_rows": len(parts.training)}
                write_fitted(keep / f"{name}.npz", *fitting.keep(results[-1], parts, made))
    if pictures is not None:
        make_folder(pictures)
        for result in results:
            if result.fitted.in_points:
                write_file(pictures / f"{result.name}.svg", drawing.predicted_against_exact(result, parts.test))
        write_file(pictures / "error-by-ply.svg", drawing.error_by_ply(results, parts.test))
    if as_json:
        rows = {name: len(getattr(parts, name)) for name in ("training", "validation", "test")}
        print_json({"game": str(data.game), "rows": rows, "models": [result.as_dict for result in results]})
        return
    click.echo(
        _(
            "{training:,} examples for training, {validation:,} for "
            "validation, {test:,} for the test, which this is about:\n"
        ).format(training=len(parts.training), validation=len(parts.validation), test=len(parts.test))
    )
    print_table(*drawing.table(results, data.game))


@click.command()
@click.argument("model", type=FILE)
@click.option("--out", type=FILE, help="File to write.  [default: MODEL-heuristic.npz]")
@click.option(
    "--bits", type=click.Choice(["8", "16", "32"]), default="32", show_default=True, help="Of a net's numbers."
)
@json_option
def export(model: Path, out: Path | None, bits: str, as_json: bool) -> None:
    """Write a fitted model as a heuristic that plays in any search.

    MODEL is a file that `zermelo learn fit --keep` wrote. The heuristic's values, in hundredths of a point, are
    compared with the model's own predictions on a thousand positions of the test, and it is timed.

    \b
    zermelo learn export models/net.npz --bits 8 --out net.npz
    zermelo match connect4 --first "alphabeta(depth=6, heuristic=net.npz)" --second "alphabeta(depth=6)"
    """
    from zermelo.learn.export import export as write_heuristic

    path = out or model.with_name(f"{model.stem}-heuristic.npz")
    with compiling(_("the heuristic")):
        checked = write_heuristic(model, path, int(bits))
    if as_json:
        print_json({"file": str(path)} | checked.as_dict)
        return
    click.echo(
        _(
            "wrote {path}: {size:,.0f} kB; differs from the model by {difference:.3f} "
            "points at most on {positions} positions; {per_second:,.0f} evaluations a second"
        ).format(
            path=path,
            size=checked.size / 1000,
            difference=checked.greatest_difference,
            positions=checked.positions,
            per_second=checked.per_second,
        )
    )
