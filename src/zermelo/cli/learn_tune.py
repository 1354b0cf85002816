"""zermelo learn tune: better weights for a heuristic, or the honest answer that none were found."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import (
    FILE,
    check_resume,
    compiling,
    json_option,
    print_json,
    print_table,
    step_bar,
    tell_written,
)
from zermelo.language import gettext

if TYPE_CHECKING:
    from zermelo.learn.tuning import Tuning, Verdict


@click.command()
@click.argument("heuristic")
@click.option("--game", "game_text", help="With its options, as hex(size=7); else the one that HEURISTIC names.")
@click.option("--method", type=click.Choice(["texel", "spsa", "both"]), default="both", show_default=True)
@click.option("--depth", type=click.IntRange(1, 64), default=2, show_default=True, help="Plies of all searches.")
@click.option("--games", type=click.IntRange(10), default=1000, show_default=True, help="To learn from (texel).")
@click.option("--data", type=click.Path(dir_okay=False), help="A file of games instead, as match --save writes it.")
@click.option("--iterations", type=click.IntRange(1), default=200, show_default=True, help="Steps by play (spsa).")
@click.option("--pairs", type=click.IntRange(1), default=10, show_default=True, help="Pairs of games in a step.")
@click.option("--perturbation", type=click.FloatRange(0.001, 2), default=0.4, show_default=True, help="Of a weight.")
@click.option("--step", type=click.FloatRange(0.001, 10), default=0.6, show_default=True, help="First step (spsa).")
@click.option("--elo", type=click.FloatRange(1), default=20, show_default=True, help="Gain that the test looks for.")
@click.option("--judge-pairs", type=click.IntRange(10), default=2000, show_default=True, help="Of the test, at most.")
@click.option("--measure-pairs", type=click.IntRange(10), default=500, show_default=True, help="To measure the gain.")
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same result.")
@click.option("--out", type=FILE, help="Write the weights here: FILE.json.")
@click.option("--state", "state_file", type=FILE, help="Keep what is found here.")
@click.option("--resume", is_flag=True, help="Go on from --state; settings are those of the file.")
@json_option
def tune(
    heuristic: str,
    game_text: str | None,
    method: str,
    depth: int,
    games: int,
    data: str | None,
    iterations: int,
    pairs: int,
    perturbation: float,
    step: float,
    elo: float,
    judge_pairs: int,
    measure_pairs: int,
    threads: int,
    seed: int,
    out: Path | None,
    state_file: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Tune a heuristic's named weights, and judge whether they are better.

    texel: by logistic regression of results on what the heuristic sees, over games of its own or of a file. spsa: by
    play, both sides being slightly changed versions of it. both: the second begins where the first ended. Then new
    weights meet old ones on openings of their own, until the tournament's sequential test decides.

    \b
    zermelo learn tune connect4/lines2
    zermelo learn tune reversi/report --iterations 500 --out tuned.json --state tuning.json
    zermelo learn tune reversi/report --state tuning.json --resume
    zermelo match reversi --first "alphabeta(heuristic=tuned.json)" --second "alphabeta(heuristic=seed)"
    """
    from zermelo.games import find_game
    from zermelo.learn.tuning import Found, Settings, Tuning
    from zermelo.tournaments.sprt import Sprt

    check_resume(resume, "--state", state_file)
    if out is not None and out.suffix != ".json":
        raise click.UsageError(
            gettext("--out {out}: a player reads tuned weights from a file that is called .json").format(out=out)
        )
    if resume and state_file is not None:
        found = Found.load(state_file)
    else:
        name, slash, _ = heuristic.partition("/")
        if game_text is None and (not slash or heuristic.partition("(")[0].endswith(".py")):
            raise click.UsageError(
                gettext("of which game is {heuristic}? Write it as connect4/lines2, or add --game connect4").format(
                    heuristic=heuristic
                )
            )
        game = find_game(game_text or name)
        settings = Settings(
            heuristic,
            str(game),
            method,
            depth,
            games,
            data or "",
            iterations,
            pairs,
            perturbation,
            step,
            Sprt(0, elo),
            judge_pairs,
            measure_pairs,
            seed,
        )
        found = Found(settings)
    tuning = Tuning(found, state_file, threads)
    with compiling(gettext("the {title} search").format(title=gettext(tuning.game.title))), step_bar() as progress:
        verdict = tuning.run(progress)
    if out is not None and verdict.accepted:
        from zermelo.evaluation.weight_files import write_weights

        write_weights(out, tuning.weight_file(verdict))
        tell_written(out)
    _report(tuning, verdict, as_json)


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
        [gettext("weight"), gettext("old"), gettext("new")],
        [[n, f"{old[n]:g}", f"{verdict.weights[n]:g}"] for n in old],
    )
    click.echo("")
    if texel is not None:
        click.echo(
            gettext("texel: loss {old_loss:.4f}, then {new_loss:.4f}, on games not learned from").format(
                old_loss=texel["old_loss"], new_loss=texel["new_loss"]
            )
        )
    low, high = tuning.settings.sprt.bounds
    click.echo(
        gettext("test: {sprt}: {judged_pairs} pairs, {ratio:+.2f} [{low:.2f}, {high:.2f}]").format(
            sprt=tuning.settings.sprt, judged_pairs=verdict.judged_pairs, ratio=verdict.ratio, low=low, high=high
        )
    )
    if size is not None:
        click.echo(gettext("match: {size} in {games} games on other openings").format(size=size, games=size.games))
    click.echo(str(verdict))
