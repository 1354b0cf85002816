"""zermelo learn features, fit and export: from datasets to models that play."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from zermelo.cli.common import compiling, print_json, print_table, read_game, step_bar, write_file
from zermelo.cli.options import FILE, FOLDER, game_argument, json_option, option, takes
from zermelo.language import _


@click.command()
@game_argument
@json_option
def features(game: str, as_json: bool) -> None:
    """List the feature sets of a game.

    A feature set is a list of numbers that models can see of a position.
    """
    from zermelo.learn.describe import known_features

    sets = known_features(read_game(game))
    if as_json:
        print_json({name: {"features": list(one.names), "about": one.text} for name, one in sets.items()})
        return
    print_table(
        [_("set"), _("size"), _("about")], [[n, str(len(s)), _(s.text).splitlines()[0]] for n, s in sets.items()]
    )
    for name, one in sets.items():
        click.echo(f"\n{name}: {_(one.text)}\n")
        click.echo(click.wrap_text(", ".join(one.names), 100, "    ", "    "))


@dataclass(eq=False, repr=False)
class Training:
    """How models are fitted."""

    sets: str | None = option(
        "--features",
        metavar="SETS",
        help="Feature sets that models see, separated by commas, such as heat,threats. Every model has a default.",
    )
    rounds: int = option(
        "--rounds",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help="Number of passes over the data when nets and tables are trained.",
    )
    rate: float = option(
        "--rate",
        type=click.FloatRange(0, min_open=True),
        default=0.02,
        show_default=True,
        help="Learning rate of the net.",
    )
    hidden: tuple[int, int] = option(
        "--hidden",
        nargs=2,
        type=click.IntRange(1, 1024),
        default=(32, 16),
        show_default=True,
        help="Number of units in the two hidden layers of the net.",
    )
    gap: float = option(
        "--gap",
        type=click.FloatRange(0),
        default=0.0,
        show_default=True,
        help="Points added between wins and losses when the net is trained. A larger gap predicts the winner better, "
        "and the length of the game worse.",
    )
    seed: int = option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the random generator that splits the data and starts the models.",
    )
    ridge: float = option(
        "--ridge",
        type=click.FloatRange(0),
        default=10.0,
        show_default=True,
        help="Penalty for large entries of a table, as a number of positions: an entry that was seen less often stays "
        "small.",
    )
    start: Path | None = option(
        "--start",
        type=FILE,
        metavar="FILE",
        help="Heuristic file with a table to start from. What is fitted are changes to it, so entries that the data "
        "seldom show stay as they are.",
    )


@dataclass(eq=False, repr=False)
class Folders:
    """Where `fit` writes files."""

    keep: Path | None = option(
        "--keep", type=FOLDER, metavar="FOLDER", help="Folder to write the models to, for `zermelo learn export`."
    )
    pictures: Path | None = option(
        "--pictures", type=FOLDER, metavar="FOLDER", help="Folder to write SVG pictures of the predictions to."
    )


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--model", "names", multiple=True, help="Model to fit. May be given several times. The default is all models."
)
@click.option(
    "--extra",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="Dataset that is used for training only. May be given several times.",
)
@takes("training", Training)
@takes("folders", Folders)
@json_option
def fit(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    extra: tuple[Path, ...],
    training: Training,
    folders: Folders,
    as_json: bool,
) -> None:
    """Fit models to datasets, and test them.

    The test uses positions that the models have not seen. Of the positions in FILES, 80% are used for training, 10% for
    validation and 10% for the test. All moves of a position stay in the same part, and no position of the last two
    parts, nor its mirror image, is used for training.

    The table shows the mean squared error, R², how often the winner is right (sign), how often win, draw or loss is
    right, the measure of the Connect 4 report, and how often the move with the best prediction is a perfect move. Some
    of them are repeated for quiet positions, in which nobody can win with the next move.

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
    parts = split(data, more, training.seed)
    sets = tuple(training.sets.split(",")) if training.sets else ()
    results = []
    with compiling(_("what the models need")), step_bar() as show:
        for number, name in enumerate(chosen):
            show(_("fitting"), number, len(chosen))
            setting = Setting(
                sets,
                training.rounds,
                training.rate,
                *training.hidden,
                training.gap,
                training.seed,
                training.ridge,
                training.start,
            )
            label = _("fitting {name}").format(name=name)
            setting.progress = lambda done, error, label=label: show(label, done, training.rounds)
            results.append(fitting.fit(parts, name, setting))
            if folders.keep is not None:
                make_folder(folders.keep)
                made = {"command": shlex.join(["zermelo", *sys.argv[1:]]), "training_rows": len(parts.training)}
                write_fitted(folders.keep / f"{name}.npz", *fitting.keep(results[-1], parts, made))
    if folders.pictures is not None:
        make_folder(folders.pictures)
        for result in results:
            if result.fitted.in_points:
                write_file(folders.pictures / f"{result.name}.svg", drawing.predicted_against_exact(result, parts.test))
        write_file(folders.pictures / "error-by-ply.svg", drawing.error_by_ply(results, parts.test))
    if as_json:
        rows = {name: len(getattr(parts, name)) for name in ("training", "validation", "test")}
        print_json({"game": str(data.game), "rows": rows, "models": [result.as_dict for result in results]})
        return
    click.echo(
        _(
            "{training:,} examples for training, {validation:,} for validation and {test:,} for the test. "
            "Results of the test:\n"
        ).format(training=len(parts.training), validation=len(parts.validation), test=len(parts.test))
    )
    print_table(*drawing.table(results, data.game))


@click.command()
@click.argument("model", type=FILE)
@click.option("--out", type=FILE, metavar="FILE", help="File to write. The default is MODEL-heuristic.npz.")
@click.option(
    "--bits",
    type=click.Choice(["8", "16", "32"]),
    default="32",
    show_default=True,
    help="Number of bits of each weight of a net.",
)
@json_option
def export(model: Path, out: Path | None, bits: str, as_json: bool) -> None:
    """Write a fitted model as a heuristic that any search can use.

    MODEL is a file that `zermelo learn fit --keep` wrote. The values of the heuristic are compared with the predictions
    of the model on a thousand test positions, and the speed of the heuristic is measured.

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
            "wrote {path} ({size:,.0f} kB). It differs from the model by at most {difference:.3f} points "
            "on {positions} positions, and makes {per_second:,.0f} evaluations per second."
        ).format(
            path=path,
            size=checked.size / 1000,
            difference=checked.greatest_difference,
            positions=checked.positions,
            per_second=checked.per_second,
        )
    )
