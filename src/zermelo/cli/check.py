"""zermelo check: does what you have written keep its promise?"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.check_marks import Marking, give_marks
from zermelo.cli.common import print_json, read_game, step_bar
from zermelo.cli.options import json_option, option, takes
from zermelo.language import _, ngettext

if TYPE_CHECKING:
    from zermelo.check.asking import Tell
    from zermelo.check.reports import Report

WRONG = 1
"""The exit status if something is wrong with a file."""


@dataclass(eq=False, repr=False)
class Trial:
    """How thoroughly a file is tried."""

    game: str | None = option(
        "--game", help="Game to try heuristics on, with its options. The default is the first game that fits."
    )
    positions: int = option(
        "--positions",
        type=click.IntRange(1, 100_000),
        default=100,
        show_default=True,
        help="Number of positions to try.",
    )
    seed: int = option(
        "--seed", type=int, default=1, show_default=True, help="Seed of the random generator that makes the positions."
    )
    seconds: float = option(
        "--seconds",
        type=click.FloatRange(min=0.1),
        default=30.0,
        show_default=True,
        help="Time limit for compiling a heuristic, and for evaluating one position, in seconds.",
    )


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@takes("trial", Trial)
@takes("marking", Marking)
@json_option
def check(files: tuple[str, ...], trial: Trial, marking: Marking, as_json: bool) -> int:
    """Find out what is wrong with code of your own.

    Each heuristic of a FILE.py is compiled and tried on a hundred positions of its game, taken from all parts of random
    games. You can also name one thing in a file, FILE.py:NAME, or a folder.

    It shows where a heuristic fails, how fast it is, whether its values change sign when the sides change places, and
    whether compiled code and plain Python give the same values. A search is compared with minimax on thousands of small
    trees and on positions of every game; if it is wrong, the smallest tree that shows it is drawn and saved, and known
    mistakes are named. A class of players plays a few games against random moves. A game in a file is held to the
    contract that everything else relies on, in random games. An endless loop is stopped. The exit status is 0 if
    everything is right, 1 if something is wrong, and 2 if there is nothing to check.

    With --marks, the files are students' work, and a rubric says how many points each item is worth. Each file, or each
    folder in a folder, belongs to one student. It runs in a sandbox (bubblewrap) and is tested on hidden cases, which
    are made from a secret number. The exit status is then 0 whatever the marks are, or 1 if one is below --pass.

    \b
    zermelo check mine.py
    zermelo check mine.py:corners --game "reversi(rows=6, columns=6)"
    zermelo check mine.py:my_alphabeta mine.py:MyPlayer
    zermelo check breakthrough.py
    zermelo check handed-in/ --json
    zermelo check handed-in/ --marks rubric.toml --csv marks.csv
    """
    marking.check_alone()
    if marking.rubric is not None:
        return give_marks([_one_named(text) for text in files], marking, as_json)
    reports: list[tuple[str, Report]] = []
    with step_bar() as tell:
        for file, report in _all_reports(files, trial, tell):
            reports.append((file, report))
            if not as_json:
                _show(file, report)
    wrong = sum(not report.is_right for _file, report in reports)
    if as_json:
        print_json([{"file": file, **report.as_json()} for file, report in reports])
    elif len(reports) > 1:
        text = ngettext("{wrong} of {number} is wrong", "{wrong} of {number} are wrong", wrong)
        click.echo(text.format(wrong=wrong, number=len(reports)))
    return WRONG if wrong else 0


def _all_reports(files: tuple[str, ...], trial: Trial, tell: "Tell") -> "Iterator[tuple[str, Report]]":
    from zermelo.check.asking import check_file
    from zermelo.check.reports import Settings

    if trial.game is not None:
        read_game(trial.game)  # a game that does not exist is a mistake on the command line, not in the file
    settings = Settings(trial.positions, trial.seed, trial.seconds, trial.game)
    for path, name in [found for text in files for found in _named(text)]:
        for report in check_file(path, settings, name, tell):
            yield str(path), report


def _named(text: str) -> list[tuple[Path, str | None]]:
    """The files that a text names, and the one thing in it that is meant, if any."""
    from zermelo.errors import FileError

    path = Path(text).expanduser()
    if path.is_dir():
        inside = sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))
        if not inside:
            raise FileError("{path}: this folder has no Python files", path=path)
        return [(file, None) for file in inside]
    return [_one_named(text)]


def _one_named(text: str) -> tuple[Path, str | None]:
    """The file or folder that a text names, and the one thing in it that is meant, if any."""
    from zermelo.check.asking import user_file

    path = Path(text).expanduser()
    if path.is_dir():
        return path, None
    file, colon, name = text.rpartition(":")
    if colon and file.endswith(".py"):
        path, chosen = Path(file).expanduser(), name
    else:
        path, chosen = path, None
    return user_file(str(path)), chosen


def _show(file: str, report: "Report") -> None:
    """Print what was found out about one thing. Doubts are left out if it is wrong anyway."""
    from zermelo.check.reports import WARNING

    result = _("right") if report.is_right else _("wrong")
    name = file if report.kind == "file" else f"{file}:{report.name}"
    click.echo(f"{name}: {result}" + (f" ({report.about})" if report.about else ""))
    shown = report.lines if report.is_right else []
    told = [finding.text for finding in report.findings if report.is_right or finding.level != WARNING]
    for line in [*shown, *"\n".join(told).splitlines(), *_saved(file, report)]:
        click.echo(f"  {line}")


def _saved(file: str, report: "Report") -> list[str]:
    """Save the tree on which a search is wrong, and say how to look at it."""
    if report.is_right or "tree" not in report.facts:
        return []
    from zermelo.files.whole import write_whole

    path = Path(f"{report.name}-counterexample.toml")
    write_whole(path, lambda out: out.write(report.facts["tree"].encode()))
    depth = max(1, report.facts["depth"])
    command = f"zermelo trace {path} --search {file}:{report.name} --depth {depth}"
    return [_("saved in {path}; look at it with {command}").format(path=path, command=command)]
