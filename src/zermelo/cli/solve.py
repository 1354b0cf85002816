"""zermelo solve: exact values of positions."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling, read_game, step_bar
from zermelo.cli.options import FILE, Elsewhere, elsewhere_options, game_argument, json_option, option, takes
from zermelo.cli.solutions import Answer, Asked, answer_of, answers_of, read
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.position import Game


@dataclass(eq=False, repr=False)
class Wanted:
    """What is to be found out, and how."""

    weak: bool = option("--weak", is_flag=True, help="Find only who wins, which is quicker.")
    all_moves: bool = option("--all", is_flag=True, help="Print all the best moves instead of one.")
    seconds: float | None = option(
        "--seconds", type=click.FloatRange(min=0.001), help="Time limit per position, in seconds."
    )
    threads: int | None = option(
        "--threads", type=click.IntRange(1), help="Number of threads, for games whose solver can use several."
    )
    tables: int | None = option(
        "--tables",
        type=click.IntRange(1),
        metavar="PIECES",
        help="First make tables of all endgames with up to this many pieces, in games that have them "
        "(Onitama: 4 to 6). They are kept for all later commands. Six pieces take minutes, 5 GB of memory and 3 GB in "
        "the cache folder.",
    )

    def asked(self, game: str, threads: int | None) -> Asked:
        return Asked(game, self.weak, self.all_moves, self.seconds, threads, self.tables)


@click.command()
@game_argument
@click.argument("positions", nargs=-1)
@takes("wanted", Wanted)
@elsewhere_options
@click.option(
    "--state",
    type=FILE,
    metavar="FILE",
    help="Keep what is solved in this file until all positions are. If the command is interrupted, give it again.",
)
@json_option
def solve(
    game: str,
    positions: tuple[str, ...],
    wanted: Wanted,
    elsewhere: Elsewhere,
    state: Path | None,
    as_json: bool,
) -> None:
    """Find the exact values of positions.

    Give the positions as arguments, or on standard input, one per line. For every position it prints one line: the
    position, its value for the player to move (the score of the game, or win, draw or loss), and a best move. If a line
    is not a position, an empty line is printed for it and the error goes to standard error. So line n of the output
    always answers line n of the input.

    With --workers or --scheduler, processes or the machines of a Dask cluster solve the positions, each with one
    thread. The answers are the same, and come in the same order. Tables stay on the machine that made them.

    \b
    zermelo solve connect4 324443 --all
    zermelo solve reversi < positions.txt
    zermelo solve "hex(size=7)" --workers 4 --state openings.state < openings.txt
    zermelo solve onitama "..B../.b.b./...../.r.r./..R.. boar,ox elephant,horse crab r" --tables 6
    """
    chosen = read_game(game)
    texts: Iterator[str] = iter(positions) if positions else _lines()
    with compiling(_("the {title} solver").format(title=_(chosen.title))):
        if elsewhere.is_chosen or state is not None:
            asked = wanted.asked(game, 1 if elsewhere.is_chosen else wanted.threads)
            answers = _in_pieces(list(texts), asked, elsewhere, wanted.threads, state)
        else:
            answers = _one_by_one(chosen, texts, wanted.asked(game, wanted.threads))
        failed = False
        for number, answer in enumerate(answers, 1):
            if answer is not None and "error" in answer:
                where = "" if positions else _("line {number}: ").format(number=number)
                click.echo(f"zermelo: {where}{answer['error']}", err=True)
                failed = True
            click.echo(_line_of(answer, as_json))
    if failed:
        sys.exit(2)


def _line_of(answer: Answer | None, as_json: bool) -> str:
    if answer is None:
        return ""
    if "error" in answer:
        return "null" if as_json else ""
    word = answer.pop("word")
    if as_json:
        return json.dumps(answer, ensure_ascii=False)
    return f"{answer['position']} {word} {' '.join(answer['moves'])}".rstrip()


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        raise click.UsageError(_("give positions as arguments, or on standard input, one per line"))
    yield from (line.strip() for line in sys.stdin)


def _is_remark(text: str) -> bool:
    return not text or text.startswith("#")


def _one_by_one(game: "Game", texts: Iterator[str], asked: Asked) -> Iterator[Answer | None]:
    """The answers as soon as the texts are there; None for remarks."""
    for text in texts:
        position = None if _is_remark(text) else read(game, text)
        if position is None or isinstance(position, str):
            yield None if position is None else {"error": position}
            continue
        with step_bar() as show:
            answer = answer_of(position, asked, lambda done, total, show=show: show(_("endgames"), done, total))  # type: ignore[misc]
        yield answer


def _in_pieces(
    texts: Sequence[str], asked: Asked, elsewhere: Elsewhere, threads: int | None, state: Path | None
) -> Iterator[Answer | None]:
    """The same by a crew, or by this process if only the answers are to be kept."""
    from zermelo.pieces.crews import Threads

    # A bar would disturb answers that are printed to the same terminal.
    bar = nullcontext(None) if sys.stdout.isatty() else step_bar(beside_output=True)
    with elsewhere.crew(threads) if elsewhere.is_chosen else Threads(1) as crew, bar as show:
        questions = [text for text in texts if not _is_remark(text)]
        progress = None if show is None else lambda done, total: show(_("solving"), done, total)
        answers = answers_of(questions, asked, crew, state, progress)
        for text in texts:
            yield None if _is_remark(text) else next(answers)
        for _answer in answers:  # nothing is left: the file of finished pieces is removed
            raise AssertionError
