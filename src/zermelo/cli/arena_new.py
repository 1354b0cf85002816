"""zermelo arena new: the folder of an arena, with its settings and its database."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from zermelo.cli.common import compiling
from zermelo.cli.options import FILE, FOLDER, option, takes
from zermelo.language import _

LINKS = "links.csv"


@dataclass(eq=False, repr=False)
class Rules:
    """The settings that are most often given at once; all others are edited in arena.toml."""

    title: str | None = option("--title", help="Title of the arena. The default is the name of its folder.")
    nodes: int | None = option(
        "--nodes", type=click.IntRange(1), help="Budget: positions searched per move.  [default: 10000]"
    )
    seconds: float | None = option(
        "--seconds", type=click.FloatRange(0.001, 3600), help="Budget: time per move, in seconds."
    )
    depth: int | None = option("--depth", type=click.IntRange(1, 64), help="Budget: depth of the search, in plies.")
    deadline: str | None = option("--deadline", help='When handing in ends, such as "2027-01-15 23:59".')
    time_zone: str | None = option("--time-zone", help="Time zone of the class. The default is that of this machine.")
    quota: int | None = option(
        "--quota",
        type=click.IntRange(1),
        help="Number of different versions that a student may hand in per day.  [default: 10]",
    )
    names: str | None = option(
        "--names",
        type=click.Choice(["pseudonyms", "names"]),
        help="What students see of each other.  [default: pseudonyms]",
    )
    rungs: tuple[str, ...] = option(
        "--rung",
        multiple=True,
        metavar="PLAYER",
        help="Player that never changes, as a scale. May be given several times. The default depends on the game.",
    )
    store: str | None = option(
        "--store", metavar="postgresql://...", help="Database for several machines. The default is a file."
    )

    def values(self) -> dict[str, Any]:
        """The settings by their names in arena.toml."""
        given = {"title": self.title, "store": self.store}
        given |= {f"budget.{name}": getattr(self, name) for name in ("nodes", "seconds", "depth")}
        given |= {f"class.{name}": getattr(self, name) for name in ("deadline", "time_zone", "quota", "names")}
        return given


@click.command()
@click.argument("folder", type=FOLDER)
@click.option("--game", required=True, help="Game that is played, with its options.")
@takes("rules", Rules)
@click.option("--students", type=FILE, metavar="FILE.csv", help="List of the class: name, and a pseudonym if you like.")
@click.option("--url", help="Address of the server, for the students' links. The default is this machine, port 8000.")
def new(folder: Path, game: str, rules: Rules, students: Path | None, url: str | None) -> None:
    """Make a new arena.

    FOLDER is made. It gets a file arena.toml, which explains its settings, and a database. Nothing is ever overwritten.
    With --students, the personal links of the class are written to links.csv in that folder, which only you may read.

    \b
    zermelo arena new reversi-2026 --game reversi
    zermelo arena new hex-2026 --game "hex(size=7)" --deadline "2027-01-15 23:59" --students class.csv
    zermelo arena serve reversi-2026
    """
    from zermelo import games
    from zermelo.arena.class_list import add_class, read_class, write_links
    from zermelo.arena.making import new_arena, own_time_zone, settings_text, usual_rungs
    from zermelo.arena.opening import opened
    from zermelo.cli.arena_students import usual_url

    if sum(budget is not None for budget in (rules.nodes, rules.seconds, rules.depth)) > 1:
        raise click.UsageError(_("give only one of --nodes, --seconds and --depth"))
    chosen = games.read_game(game)
    people = read_class(students) if students is not None else []
    values = rules.values()
    values |= {"title": rules.title or folder.absolute().name, "game": str(chosen)}
    values["class.time_zone"] = rules.time_zone or own_time_zone()
    with compiling(_("the rungs")):
        settings = new_arena(folder, settings_text(values, rules.rungs or usual_rungs(chosen)))
    click.echo(
        _("made the arena {folder}; its settings are in {file}").format(folder=folder, file=folder / "arena.toml")
    )
    if settings.course.deadline is not None and settings.course.deadline.timestamp() < time.time():
        click.echo(_("note: the deadline has passed already, so nothing can be handed in"), err=True)
    if people:
        with opened(settings) as records:
            added, _known = add_class(records, people)
        write_links(folder / LINKS, url or usual_url(), added)
        click.echo(
            _("{number} students; their personal links are in {file}, which only you can read").format(
                number=len(added), file=folder / LINKS
            )
        )
    click.echo(_("start it with: zermelo arena serve {folder}").format(folder=folder))
