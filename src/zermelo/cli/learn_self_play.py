"""zermelo learn selfplay: a table from nothing but games against itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import (
    FILE,
    check_resume,
    compiling,
    game_argument,
    json_option,
    print_json,
    step_bar,
    svg_option,
    tell_written,
    write_file,
)
from zermelo.cli.interrupts import time_to_save
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.learn.self_play import SelfPlay

WIDTH = 40
SAVE_SECONDS = 60.0
"""Time after Ctrl-C to finish the games that have begun and to write the checkpoint."""


@click.command()
@game_argument
@click.option("--games", type=click.IntRange(1), default=100_000, show_default=True, help="To play, in all.")
@click.option("--every", type=click.IntRange(1), help="Games between two measurements: a twentieth, if not said.")
@click.option(
    "--depth", type=click.IntRange(1, 16), default=1, show_default=True, help="Plies that a player looks ahead."
)
@click.option("--opening-plies", type=click.IntRange(0), default=6, show_default=True, help="Of chance, at most.")
@click.option("--exploration", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="Moves of chance.")
@click.option(
    "--lambda", "trace_decay", type=click.FloatRange(0, 1), default=0.7, show_default=True, help="Of TD(lambda)."
)
@click.option("--rate", type=click.FloatRange(0, 10), default=0.5, show_default=True, help="First step size.")
@click.option(
    "--threads", type=click.IntRange(1, 64), help="As many as there are cores. With 1, a seed fixes the result."
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--against", multiple=True, help="A heuristic, random, or perfect; may be repeated.")
@click.option(
    "--match-depth", type=click.IntRange(1, 64), default=2, show_default=True, help="Plies of both, in matches."
)
@click.option("--pairs", type=click.IntRange(1), default=50, show_default=True, help="Of games in each match.")
@click.option("--out", type=FILE, help="Write the table here: FILE.npz.")
@click.option("--bits", type=click.Choice(["8", "16"]), default="8", show_default=True, help="Of an entry in --out.")
@click.option("--checkpoint", type=FILE, help="Keep the state of learning here.")
@click.option("--resume", is_flag=True, help="Go on from --checkpoint; its settings hold.")
@svg_option
@json_option
def selfplay(
    game: str,
    games: int,
    every: int | None,
    depth: int,
    opening_plies: int,
    exploration: float,
    trace_decay: float,
    rate: float,
    threads: int | None,
    seed: int,
    against: tuple[str, ...],
    match_depth: int,
    pairs: int,
    out: Path | None,
    bits: str,
    checkpoint: Path | None,
    resume: bool,
    svg_file: Path | None,
    as_json: bool,
) -> None:
    """Learn to judge a game's positions by playing it, beginning with no knowledge but the rules.

    The table of the game's patterns is learned by TD(lambda). Now and then it is measured in matches against fixed
    opponents, at equal depth; the curve is drawn as it grows, and to a file with --svg.

    \b
    zermelo learn selfplay tictactoe --games 5000
    zermelo learn selfplay connect4 --games 500000 --against parity12 --checkpoint c4.ckpt --out c4.npz --svg c4.svg
    zermelo learn selfplay connect4 --games 900000 --checkpoint c4.ckpt --resume --out c4.npz
    zermelo match connect4 --first "alphabeta(heuristic=c4.npz)" --second "alphabeta(heuristic=parity12)"
    """
    import os

    from zermelo.evaluation.table_files import write_table
    from zermelo.learn.opponents import Opponents
    from zermelo.learn.self_play import CHUNK, SelfPlay, Settings

    check_resume(resume, "--checkpoint", checkpoint)
    if out is not None and out.suffix != ".npz":
        raise click.UsageError(_("--out {out}: a player reads a table from a file that is called .npz").format(out=out))
    if resume and checkpoint is not None:
        learning = SelfPlay.load(checkpoint)
    else:
        learning = SelfPlay(Settings(game, depth, opening_plies, exploration, trace_decay, rate, seed))
    names = against or (learning.game.default_heuristic, "random")
    opponents = Opponents(learning.game, names, match_depth, pairs)
    last = max(1, games // CHUNK)
    chunks = max(1, (every or games // 20) // CHUNK)
    workers = threads or os.cpu_count() or 1
    with compiling(_("the learning of {title}").format(title=_(learning.game.title))), step_bar() as progress:
        while learning.chunks < last:
            following = min(chunks, last - learning.chunks)
            done = learning.chunks
            played = 0

            def step(done: int = done) -> None:
                nonlocal played
                played += 1
                progress(_("chunks of games"), done + played, last)

            with time_to_save(SAVE_SECONDS if checkpoint is not None else 0.0):
                try:
                    error = learning.run(following, workers, step)
                finally:
                    if checkpoint is not None:
                        learning.save(checkpoint)
            learning.measure(opponents, error)
            _show(learning.curve[-1])
            if checkpoint is not None:
                learning.save(checkpoint)
    if out is not None:
        write_table(out, learning.table_file(), int(bits))
        tell_written(out)
    if svg_file is not None:
        write_file(svg_file, learning.chart())
    _report(learning, as_json)


def _show(point: dict[str, Any]) -> None:
    """One line of the curve, on stderr while it grows."""
    click.echo(_("{games:>10,} games, error {error:.4f}").format(games=point["games"], error=point["error"]), err=True)
    for name, score in point["scores"].items():
        full = round(WIDTH * score["value"])
        bar = "█" * full + "·" * (WIDTH - full)
        click.echo(
            " " * 11 + _("{bar} {score:6.1%} against {name}").format(bar=bar, score=score["value"], name=name), err=True
        )


def _report(learning: "SelfPlay", as_json: bool) -> None:
    if as_json:
        print_json({"game": str(learning.game), "games": learning.games, "curve": learning.curve})
        return
    if not learning.curve:
        return
    click.echo(_("{games:,} games of {title}").format(games=learning.games, title=_(learning.game.title)))
    for name, score in learning.curve[-1]["scores"].items():
        click.echo(
            _("against {name}: {value:.1%} [{low:.1%}, {high:.1%}]").format(
                name=name, value=score["value"], low=score["low"], high=score["high"]
            )
        )
