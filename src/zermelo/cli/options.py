"""Options that several commands take, and options that reach a command together, as one object."""

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import print_json, write_file
from zermelo.language import _, speaking

if TYPE_CHECKING:
    from zermelo.pieces.crews import Crew

Command = Callable[..., Any]

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def option(*flags: str, **attributes: Any) -> Any:
    """A field of a dataclass that is an option of a command: what `click.option` takes, without the field's name.

    Such classes are made whenever the program starts, and most of that time would go into methods that nobody calls.
    Therefore they are written `@dataclass(eq=False, repr=False)`.
    """
    return dataclasses.field(metadata={"flags": flags, "attributes": attributes})


def takes(name: str, kind: type, **defaults: Any) -> Callable[[Command], Command]:
    """A decorator: the command takes the options of a dataclass, and gets one object of it as the argument `name`.

    Some commands have other defaults than the dataclass gives: they are named here.
    """
    fields = dataclasses.fields(kind)

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def grouped(**given: Any) -> Any:
            values = {field.name: given.pop(field.name) for field in fields}
            return command(**given, **{name: kind(**values)})

        for field in reversed(fields):
            attributes = field.metadata["attributes"] | (
                {"default": defaults[field.name]} if field.name in defaults else {}
            )
            grouped = click.option(*field.metadata["flags"], field.name, **attributes)(grouped)
        return grouped

    return decorate


def _for_programs(context: click.Context, _option: click.Parameter, wanted: bool) -> bool:
    """JSON is the same whatever the user's language."""
    if wanted:
        context.with_resource(speaking("en"))
    return wanted


JSON: dict[str, Any] = {"is_flag": True, "callback": _for_programs, "help": "Print JSON, for other programs to read."}
SVG: dict[str, Any] = {"type": FILE, "metavar": "FILE", "help": "Draw the result to this SVG file."}


@dataclass(eq=False, repr=False)
class Output:
    """Where a command's result goes: always to standard output, and to an SVG file if one is given."""

    svg_file: Path | None = option("--svg", **SVG)
    as_json: bool = option("--json", **JSON)

    def show(self, drawing: Callable[[], str], data: Callable[[], Any], text: Callable[[], None]) -> None:
        """Draw the result if an SVG file was asked for, then print it as JSON or as text."""
        if self.svg_file:
            write_file(self.svg_file, drawing())
        if self.as_json:
            print_json(data())
        else:
            text()


@dataclass(eq=False, repr=False)
class Openings:
    """How the games of a match begin."""

    plies: int = option(
        "--random-plies",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Number of random moves in each opening.",
    )
    seed: int = option(
        "--seed", type=int, default=1, show_default=True, help="Seed of the random generator that makes the openings."
    )


@dataclass(eq=False, repr=False)
class Elsewhere:
    """Who does the work, if it is not the threads of this process."""

    workers: int | None = option(
        "--workers",
        type=click.IntRange(1),
        metavar="N",
        help="Do the work in this number of separate processes on this machine, instead of threads.",
    )
    scheduler: str | None = option(
        "--scheduler", metavar="tcp://HOST:PORT", help="Address of a Dask cluster to do the work on."
    )

    @property
    def is_chosen(self) -> bool:
        return self.workers is not None or self.scheduler is not None

    def crew(self, threads: int | None) -> "Crew":
        """Those who do the work: threads of this process, unless the user wants others."""
        if sum(one is not None for one in (threads, self.workers, self.scheduler)) > 1:
            raise click.UsageError(_("choose only one of --threads, --workers and --scheduler"))
        if self.scheduler is not None:
            from zermelo.pieces.cluster import Cluster

            return Cluster(self.scheduler)
        from zermelo.pieces.crews import Processes, Threads

        return Threads(threads) if self.workers is None else Processes(self.workers)


elsewhere_options = takes("elsewhere", Elsewhere)
json_option = click.option("--json", "as_json", **JSON)
output_options = takes("output", Output)
game_argument = click.argument("game")
position_argument = click.argument("position", required=False)
threads_option = click.option(
    "--threads", type=click.IntRange(1), help="Number of threads. The default is one per processor core."
)
