"""zermelo learn tune: better weights for a heuristic or a search, or the answer that none were found."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import check_resume, compiling_search, print_json, print_table, step_bar, tell_written
from zermelo.cli.options import FILE, Elsewhere, elsewhere_options, json_option, option, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.learn.tuning import Tuning, Verdict
    from zermelo.position import Game


@dataclass(eq=False, repr=False)
class Training:
    """How the weights are tuned: these are fields of `tuning.Settings`."""

    method: str = option(
        "--method",
        type=click.Choice(["texel", "spsa", "both"]),
        default="both",
        show_default=True,
        help="Method: regression on the results of games (texel), steps by play (spsa), or one after the other.",
    )
    depth: int = option(
        "--depth", type=click.IntRange(1, 64), default=2, show_default=True, help="Depth of all searches, in plies."
    )
    games: int = option(
        "--games",
        type=click.IntRange(10),
        default=1000,
        show_default=True,
        help="Number of games that texel plays to learn from.",
    )
    data: str = option(
        "--data",
        type=click.Path(dir_okay=False),
        default="",
        metavar="FILE",
        help="File of games that texel learns from instead, as written by `zermelo match --save`.",
    )
    iterations: int = option(
        "--iterations", type=click.IntRange(1), default=200, show_default=True, help="Number of steps of spsa."
    )
    pairs: int = option(
        "--pairs",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        help="Number of pairs of games in each step of spsa.",
    )
    perturbation: float = option(
        "--perturbation",
        type=click.FloatRange(0.001, 2),
        default=0.4,
        show_default=True,
        help="Change of a weight that spsa tries, as a share of the size of the weight.",
    )
    step: float = option(
        "--step",
        type=click.FloatRange(0.001, 10),
        default=0.6,
        show_default=True,
        help="Size of the first step of spsa, as a share of the size of the weights.",
    )
    seed: int = option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        help="Seed of the random generator. The same seed gives the same result.",
    )


@dataclass(eq=False, repr=False)
class Judging:
    """How the new weights are compared with the old ones."""

    elo: float = option(
        "--elo",
        type=click.FloatRange(1),
        default=20,
        show_default=True,
        help="Gain that the final test looks for, in normalised Elo points.",
    )
    judge_pairs: int = option(
        "--judge-pairs",
        type=click.IntRange(10),
        default=2000,
        show_default=True,
        help="Maximum number of pairs of games in the final test.",
    )
    measure_pairs: int = option(
        "--measure-pairs",
        type=click.IntRange(10),
        default=500,
        show_default=True,
        help="Number of pairs of games that measure the gain after the test.",
    )


@dataclass(eq=False, repr=False)
class Files:
    """The files that are written, and whether to continue from one."""

    out: Path | None = option(
        "--out", type=FILE, metavar="FILE.json", help="File to write the weights to, if they are better."
    )
    state_file: Path | None = option(
        "--state", type=FILE, metavar="FILE", help="File in which the state of tuning is saved, to be resumed."
    )
    resume: bool = option("--resume", is_flag=True, help="Continue from the saved state, with the settings in it.")


@click.command()
@click.argument("heuristic")
@click.option(
    "--game",
    "game_text",
    help="Game with its options, such as hex(size=7). The default is the game that HEURISTIC names.",
)
@takes("training", Training)
@takes("judging", Judging)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    help="Number of games played at the same time.  [default: 1]",
)
@elsewhere_options
@takes("files", Files)
@json_option
def tune(
    heuristic: str,
    game_text: str | None,
    training: Training,
    judging: Judging,
    threads: int | None,
    elsewhere: Elsewhere,
    files: Files,
    as_json: bool,
) -> None:
    """Tune the weights of a heuristic or of a search of your own.

    The method texel fits the weights to the results of games, by logistic regression. The method spsa changes the
    weights slightly, plays the changed versions against each other, and moves towards the better one. With both, spsa
    begins where texel ended. Then a sequential test decides whether the new weights are better: they play the old ones,
    on other openings. The weights of a search, FILE.py:NAME, are tuned by spsa alone. The result does not depend on who
    plays the games: threads, processes or the machines of a Dask cluster.

    \b
    zermelo learn tune connect4/lines2
    zermelo learn tune reversi/report --iterations 500 --out tuned.json --state tuning.json
    zermelo learn tune reversi/report --state tuning.json --resume
    zermelo match reversi --first "alphabeta(heuristic=tuned.json)" --second "alphabeta(heuristic=report)"
    zermelo learn tune "mine.py:my_search(heuristic=lines2, depth=4)" --game connect4 --out tuned.json
    zermelo match connect4 --first "tuned.json(depth=4, heuristic=lines2)" --second "mine.py:my_search(depth=4)"
    """
    from zermelo.learn.tuning import Found, Settings, Tuning
    from zermelo.tournaments.sprt import Sprt

    check_resume(files.resume, "--state", files.state_file)
    if files.out is not None and files.out.suffix != ".json":
        raise click.UsageError(
            _("--out {out}: the name must end in .json, so that players can read the weights").format(out=files.out)
        )
    if files.resume and files.state_file is not None:
        found = Found.load(files.state_file)
    else:
        found = Found(
            Settings(
                heuristic,
                str(_game(heuristic, game_text)),
                sprt=Sprt(0, judging.elo),
                judge_pairs=judging.judge_pairs,
                measure_pairs=judging.measure_pairs,
                **asdict(training),
            )
        )
    with elsewhere.crew(threads or (None if elsewhere.is_chosen else 1)) as crew:
        tuning = Tuning(found, files.state_file, crew)
        with compiling_search(tuning.game), step_bar() as progress:
            verdict = tuning.run(progress)
    if files.out is not None and verdict.accepted:
        from zermelo.evaluation.weight_files import write_weights

        write_weights(files.out, tuning.weight_file(verdict))
        tell_written(files.out)
    _report(tuning, verdict, as_json)


def _game(heuristic: str, game_text: str | None) -> "Game":
    """The game whose positions the heuristic judges."""
    from zermelo.games import find_game

    name, slash, _rest = heuristic.partition("/")
    if game_text is None and (not slash or heuristic.partition("(")[0].endswith(".py")):
        raise click.UsageError(
            _("{heuristic} does not say which game it is for; write it as connect4/lines2, or add --game").format(
                heuristic=heuristic
            )
        )
    return find_game(game_text or name)


def _report(tuning: "Tuning", verdict: "Verdict", as_json: bool) -> None:
    old, size = tuning.old.weights, verdict.size
    texel = tuning.found.texel
    if as_json:
        print_json(
            {
                "heuristic": tuning.settings.heuristic,
                "accepted": verdict.accepted,
                "verdict": str(verdict),
                "old": old,
                "new": verdict.weights,
                "loss": None if texel is None else {"old": texel["old_loss"], "new": texel["new_loss"]},
                "sprt": {"test": str(tuning.settings.sprt), "pairs": verdict.judged_pairs, "ratio": verdict.ratio},
                "elo": None if size is None else size.elo,
                "elo_error": None if size is None else size.elo_error,
                "games": 0 if size is None else size.games,
            }
        )
        return
    print_table(
        [_("weight"), _("old"), _("new")],
        [[n, f"{old[n]:g}", f"{verdict.weights[n]:g}"] for n in old],
    )
    click.echo("")
    if texel is not None:
        click.echo(
            _("texel: the loss on games that were not learned from went from {old_loss:.4f} to {new_loss:.4f}").format(
                old_loss=texel["old_loss"], new_loss=texel["new_loss"]
            )
        )
    low, high = tuning.settings.sprt.bounds
    click.echo(
        _(
            "test: {sprt}; after {judged_pairs} pairs the log-likelihood ratio is {ratio:+.2f} [{low:.2f}, {high:.2f}]"
        ).format(sprt=tuning.settings.sprt, judged_pairs=verdict.judged_pairs, ratio=verdict.ratio, low=low, high=high)
    )
    if size is not None:
        click.echo(_("match: {size} in {games} games on other openings").format(size=size, games=size.games))
    click.echo(str(verdict))
