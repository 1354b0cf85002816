"""The command line. `--help` imports nothing but click; each command imports what it needs when it runs."""

import sys
import warnings
from typing import Any

import click

from zermelo import __version__
from zermelo.cli.groups import LazyGroup
from zermelo.cli.helping import follow_language
from zermelo.cli.interrupts import INTERRUPTED, has_ended, tell_interrupted, watch_interrupts
from zermelo.cli.output import FAILED, OutputFailed, flush_output, watch_output
from zermelo.errors import PlainPythonWarning, ZermeloError
from zermelo.files.trust import ask_by
from zermelo.language import _, marked

COMMANDS = {
    "games": ("listing", marked("List the games.")),
    "rules": ("rules", marked("Explain how a game is played.")),
    "puzzle": ("puzzle", marked("Find the only move that wins.")),
    "heuristics": ("listing", marked("List the heuristics of a GAME, with their weights.")),
    "players": ("listing", marked("List the kinds of players and their options.")),
    "play": ("play", marked("Play a game at the terminal.")),
    "analyse": ("analyse", marked("Show what every legal move is worth.")),
    "check": ("check", marked("Find out what is wrong with code of your own.")),
    "perft": ("perft", marked("Count the move sequences of a given length.")),
    "trace": ("trace", marked("Follow a search step by step.")),
    "exercise": ("exercise", marked("Make exercises: small trees to search by hand.")),
    "solve": ("solve", marked("Find the exact values of positions.")),
    "match": ("match", marked("Play games between two players.")),
    "tournament": ("tournament", marked("Run tournaments, and tests of who is stronger.")),
    "study": ("study", marked("Repeat the experiments of the course reports.")),
    "learn": ("learn", marked("Learn to evaluate positions.")),
    "bench": ("bench", marked("Measure speed, as ratios to other programs.")),
    "engine": ("engine", marked("Run a player as an engine for another program.")),
    "warm": ("warm", marked("Compile in advance what the usual players need.")),
    "serve": ("serve", marked("Run the lab in a browser.")),
    "arena": ("arena", marked("Run a class arena, or hand in to one.")),
    "publish": ("publish", marked("Write pages that play without a server.")),
}
"""The commands: the modules of this folder in which they are, and the first sentences of their help."""


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__)
def cli() -> None:
    """A laboratory for two-player games of perfect information.

    \b
    Try:  zermelo games                              list the games
          zermelo play connect4                      play against alpha-beta
          zermelo analyse connect4 324443            see what each move is worth
          zermelo trace tree/course                  follow alpha-beta step by step
          zermelo study pruning connect4             measure what alpha-beta saves
          zermelo tournament run cup.toml            find out who is stronger, and how certain that is
          zermelo serve --open                       do all of this in a browser

    A GAME is a name, with options in parentheses if you like: connect4, "connect4(columns=5, rows=4)".

    A PLAYER is a kind of player with its options: "alphabeta(depth=6, heuristic=lines2)", random, human.

    A HEURISTIC is a name, or a function in a file of your own: lines2, mine.py:corners.
    """


def _ask(question: str) -> bool:
    """Ask the person at the terminal."""
    click.echo(question, err=True)
    return click.confirm(_("Run this code?"), default=False, err=True)


def _tell_warnings() -> None:
    """Show our own warnings as the program's words, without the line of the library that raised them.

    Python hides the warning for a name of version 0.1, since it is raised inside a library.
    """
    show = warnings.showwarning

    def told(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, (DeprecationWarning, PlainPythonWarning)):
            click.echo(f"zermelo: {message}", err=True)
        else:
            show(message, category, *place)

    warnings.filterwarnings("default", r".* is now .*; the old name goes", DeprecationWarning)
    warnings.showwarning = told  # type: ignore[assignment]


def main() -> None:
    """Run a command. An error that the user can correct is one line on standard error, never a traceback."""
    watch_output()
    watch_interrupts()
    _tell_warnings()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty():
        ask_by(_ask)
    try:
        status = _run()
        flush_output()
    except OutputFailed as failed:
        status = failed.end()
    has_ended(status)
    sys.exit(status)


def _run() -> int:
    """Run the command and return its status."""
    try:
        follow_language(cli)
        status = cli.main(prog_name="zermelo", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except SystemExit as leaving:  # the command has printed its message
        return leaving.code if isinstance(leaving.code, int) else FAILED
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except ZermeloError as error:
        if _was_interrupted(error):
            return _interrupted()
        click.echo(f"zermelo: {error}", err=True)
        return error.exit_status


def _interrupted() -> int:
    tell_interrupted()
    return INTERRUPTED


def _was_interrupted(error: BaseException | None) -> bool:
    """Was it caused by Ctrl-C? Numba, interrupted while compiling, may report an error of the code instead."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False
