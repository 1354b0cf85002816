"""zermelo learn selfplay: a table of patterns, learned only from games against itself."""

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import check_resume, compiling, step_bar, tell_written
from zermelo.cli.interrupts import time_to_save
from zermelo.cli.options import (
    FILE,
    Elsewhere,
    Output,
    game_argument,
    option,
    output_options,
    takes,
)
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.learn.opponents import Opponents
    from zermelo.learn.self_play import SelfPlay
    from zermelo.pieces.kept import Kept

WIDTH = 40
SAVE_SECONDS = 60.0
"""Time after Ctrl-C to finish the games that have begun and to write the checkpoint."""


@dataclass(eq=False, repr=False)
class Learning:
    """How the games are played and what is learned from them: the fields of `self_play.Settings`, except the game."""

    depth: int = option(
        "--depth",
        type=click.IntRange(1, 16),
        default=1,
        show_default=True,
        help="Depth of the search in the games to learn from, in plies.",
    )
    opening_plies: int = option(
        "--opening-plies",
        type=click.IntRange(0),
        default=6,
        show_default=True,
        help="Maximum number of random opening moves.",
    )
    exploration: float = option(
        "--exploration",
        type=click.FloatRange(0, 1),
        default=0.1,
        show_default=True,
        help="Probability of a random move after the opening.",
    )
    trace_decay: float = option(
        "--lambda",
        type=click.FloatRange(0, 1),
        default=0.7,
        show_default=True,
        help="The parameter lambda of TD(lambda): how far back in the game a correction reaches.",
    )
    rate: float = option(
        "--rate", type=click.FloatRange(0, 10), default=0.5, show_default=True, help="Learning rate at the beginning."
    )
    seed: int = option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        help="Seed of the random generator. With one thread, the same seed gives the same table.",
    )
    quiet: bool = option(
        "--quiet",
        is_flag=True,
        help="Follow captures and the like beyond the depth of the search, and learn only from positions without them. "
        "For tables that the engine uses in games with captures.",
    )


@dataclass(eq=False, repr=False)
class Matches:
    """How progress is measured."""

    against: tuple[str, ...] = option(
        "--against",
        multiple=True,
        help="Opponent in the matches: a heuristic, a player, random, or perfect. May be given several times. The "
        "defaults are the usual heuristic of the game and random.",
    )
    match_depth: int = option(
        "--match-depth",
        type=click.IntRange(1, 64),
        default=2,
        show_default=True,
        help="Depth of both players' searches in the matches, in plies.",
    )
    pairs: int = option(
        "--pairs", type=click.IntRange(1), default=50, show_default=True, help="Number of pairs of games in each match."
    )


@dataclass(eq=False, repr=False)
class Files:
    """The files that are written, and whether to continue from one."""

    out: Path | None = option(
        "--out", type=FILE, metavar="FILE.npz", help="File to write the finished table to. A player can use it."
    )
    bits: str = option(
        "--bits",
        type=click.Choice(["8", "16"]),
        default="8",
        show_default=True,
        help="Number of bits of each entry in the finished table.",
    )
    checkpoint: Path | None = option(
        "--checkpoint", type=FILE, metavar="FILE", help="File in which the state of learning is saved, to be resumed."
    )
    resume: bool = option(
        "--resume", is_flag=True, help="Continue from the checkpoint, with the settings that are saved in it."
    )


@dataclass(eq=False, repr=False)
class Crew(Elsewhere):
    """Who plays the games, and how many of them at a time."""

    threads: int | None = option(
        "--threads", type=click.IntRange(1, 64), help="Number of threads. The default is one per processor core."
    )
    together: int | None = option(
        "--together",
        type=click.IntRange(1),
        metavar="N",
        help="Number of chunks of 50 games that begin with the same table. The result then does not depend on who "
        "plays them.  [default: with --workers or --scheduler 16; else threads share one table]",
    )


@click.command()
@game_argument
@click.option(
    "--games", type=click.IntRange(1), default=100_000, show_default=True, help="Total number of games to play."
)
@click.option(
    "--every",
    type=click.IntRange(1),
    help="Number of games between two measurements. The default is a twentieth of all games.",
)
@takes("settings", Learning)
@takes("crew", Crew)
@takes("matches", Matches)
@takes("files", Files)
@output_options
def selfplay(
    game: str,
    games: int,
    every: int | None,
    settings: Learning,
    crew: Crew,
    matches: Matches,
    files: Files,
    output: Output,
) -> None:
    """Learn to evaluate positions by self-play.

    Starting from the rules alone, it learns a table of the game's patterns by TD(lambda). From time to time the table
    plays matches against fixed opponents that search to the same depth, and the results are printed. --svg draws them
    as a curve. With --workers or --scheduler, processes or the machines of a Dask cluster play the games in rounds; the
    same --together gives the same table on one machine and on many.

    \b
    zermelo learn selfplay tictactoe --games 5000
    zermelo learn selfplay connect4 --games 500000 --against parity12 --checkpoint c4.ckpt --out c4.npz --svg c4.svg
    zermelo learn selfplay connect4 --games 900000 --checkpoint c4.ckpt --resume --out c4.npz
    zermelo match connect4 --first "alphabeta(heuristic=c4.npz)" --second "alphabeta(heuristic=parity12)"
    """
    from zermelo.evaluation.table_files import write_table
    from zermelo.learn.opponents import Opponents
    from zermelo.learn.rounds import ROUND, kept_settings, play_rounds
    from zermelo.learn.self_play import SelfPlay, Settings
    from zermelo.pieces.kept import Kept, beside

    check_resume(files.resume, "--checkpoint", files.checkpoint)
    if files.out is not None and files.out.suffix != ".npz":
        raise click.UsageError(
            _("--out {out}: the name must end in .npz, so that players can read the table").format(out=files.out)
        )
    if files.resume and files.checkpoint is not None:
        learning = SelfPlay.load(files.checkpoint)
        if crew.is_chosen and not learning.settings.together:
            raise click.UsageError(
                _("{file} was begun without --together, so only threads can continue it").format(file=files.checkpoint)
            )
    else:
        rounds = crew.together or (ROUND if crew.is_chosen else 0)
        learning = SelfPlay(Settings(game, **asdict(settings), together=rounds))
    names = matches.against or (learning.game.default_heuristic, "random")
    opponents = Opponents(learning.game, names, matches.match_depth, matches.pairs)
    with compiling(_("the learning of {title}").format(title=_(learning.game.title))):
        if learning.settings.together:
            kept = Kept(None if files.checkpoint is None else beside(files.checkpoint), kept_settings(learning))
            with crew.crew(crew.threads) as workers, kept:
                play = partial(play_rounds, learning, crew=workers, kept=kept)
                _learn(learning, opponents, (games, every or games // 20), play, files.checkpoint, kept)
                kept.remove()
        else:
            play = partial(learning.run, threads=crew.threads or os.cpu_count() or 1)
            _learn(learning, opponents, (games, every or games // 20), play, files.checkpoint)
    if files.out is not None:
        write_table(files.out, learning.table_file(), int(files.bits))
        tell_written(files.out)
    result = {"game": str(learning.game), "games": learning.games, "curve": learning.curve}
    output.show(learning.chart, lambda: result, lambda: _print(learning))


def _learn(
    learning: "SelfPlay",
    opponents: "Opponents",
    games: tuple[int, int],
    play: Callable[..., float],
    checkpoint: Path | None,
    kept: "Kept | None" = None,
) -> None:
    """Play until there are `games[0]` games, with a measurement after every `games[1]`; save after each part."""
    from zermelo.learn.rounds import step_of
    from zermelo.learn.self_play import CHUNK

    def save() -> None:
        if checkpoint is not None:
            learning.save(checkpoint)
            if kept is not None:
                kept.forget_all_but(step_of(learning))

    last, chunks = (max(1, number // CHUNK) for number in games)
    with step_bar() as progress:
        while learning.chunks < last:
            done = itertools.count(learning.chunks + 1)

            def step(done: Iterator[int] = done) -> None:
                progress(_("chunks of games"), next(done), last)

            with time_to_save(SAVE_SECONDS if checkpoint is not None else 0.0):
                try:
                    error = play(min(chunks, last - learning.chunks), progress=step)
                finally:
                    save()
            learning.measure(opponents, error)
            _show(learning.curve[-1])
            save()


def _show(point: dict[str, Any]) -> None:
    """Print one point of the curve on standard error."""
    click.echo(_("{games:>10,} games, error {error:.4f}").format(games=point["games"], error=point["error"]), err=True)
    for name, score in point["scores"].items():
        full = round(WIDTH * score["value"])
        bar = "█" * full + "·" * (WIDTH - full)
        click.echo(
            " " * 11 + _("{bar} {score:6.1%} against {name}").format(bar=bar, score=score["value"], name=name), err=True
        )


def _print(learning: "SelfPlay") -> None:
    if not learning.curve:
        return
    click.echo(_("{games:,} games of {title}").format(games=learning.games, title=_(learning.game.title)))
    for name, score in learning.curve[-1]["scores"].items():
        click.echo(
            _("against {name}: {value:.1%} [{low:.1%}, {high:.1%}]").format(
                name=name, value=score["value"], low=score["low"], high=score["high"]
            )
        )
