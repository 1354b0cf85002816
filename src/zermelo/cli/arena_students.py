"""zermelo arena students: who is in the class, new members, links, and deletion."""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import print_json, print_table, tell_written
from zermelo.cli.options import FILE, FOLDER, json_option, option, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.arena.records import Records


@dataclass(eq=False, repr=False)
class Changes:
    """What to change in the list of the class."""

    add: tuple[str, ...] = option("--add", multiple=True, metavar="NAME", help="Add a student, and print the link.")
    csv: Path | None = option("--csv", type=FILE, metavar="FILE", help="Add all students of a CSV file.")
    links: Path | None = option(
        "--links",
        type=FILE,
        metavar="FILE",
        help="Write the links of the added students to this CSV file; without --csv, new links for everybody.",
    )
    link: str | None = option("--link", metavar="STUDENT", help="Print a new link for a student. The old one ends.")
    remove: str | None = option("--remove", metavar="STUDENT", help="Delete a student's personal data and code.")


@click.command()
@click.argument("folder", type=FOLDER, metavar="ARENA")
@takes("changes", Changes)
@click.option("--yes", is_flag=True, help="Do not ask before deleting.")
@click.option("--url", help="Address of the server, for links. The default is this machine, port 8000.")
@json_option
def students(folder: Path, changes: Changes, yes: bool, url: str | None, as_json: bool) -> None:
    """List the students of an arena, or change the list.

    A personal link lets a student in, without a password. The arena keeps no links, only their hashes, so a lost link
    cannot be shown again, but you can make a new one. A STUDENT is a name, a pseudonym, or an id from this list.

    \b
    zermelo arena students reversi-2026
    zermelo arena students reversi-2026 --csv class.csv --links links.csv
    zermelo arena students reversi-2026 --link "Ada Lovelace"
    zermelo arena students reversi-2026 --remove "Ada Lovelace"
    """
    from zermelo.arena.class_list import add_class, find_student, link, read_class, write_links
    from zermelo.arena.opening import opened
    from zermelo.arena.settings import read_settings

    settings, url = read_settings(folder), url or usual_url()
    with opened(settings) as records:
        if changes.csv is not None or changes.add:
            people: list[tuple[str, str | None]] = [(name, None) for name in changes.add]
            people += read_class(changes.csv) if changes.csv is not None else []
            if changes.csv is not None and changes.links is None:
                raise click.UsageError(_("--csv needs --links, the file for the personal links"))
            if changes.links is not None:
                check_new(changes.links)
            added, known = add_class(records, people)
            for name in known:
                click.echo(_("{name} is already in the class").format(name=name), err=True)
            if changes.links is not None:
                write_links(changes.links, url, added)
                tell_written(changes.links)
            else:
                for student, key in added:
                    click.echo(f"{student.name} ({student.pseudonym})  {link(url, key)}")
        elif changes.links is not None:
            check_new(changes.links)
            write_links(changes.links, url, [(one, records.new_key(one.id)) for one in records.students()])
            tell_written(changes.links)
        elif changes.link is not None:
            click.echo(link(url, records.new_key(find_student(records, changes.link).id)))
        elif changes.remove is not None:
            student = find_student(records, changes.remove)
            question = _("Delete the name, the link and all code of {name}? This cannot be undone.")
            if not yes:
                click.confirm(question.format(name=student.name), abort=True, err=True)
            records.remove_student(student.id, "teacher")
            click.echo(_("deleted; finished games stay, without a name"))
        else:
            show(records, as_json)


def check_new(path: Path) -> None:
    """An error before anything has changed, if the file for links exists already."""
    if path.exists():
        raise click.UsageError(_("{path} exists already; name another file for the links").format(path=path))


def usual_url() -> str:
    """The address of this machine in its network, at the port that the server takes first."""
    from zermelo.cli.listening import FIRST_PORT
    from zermelo.web.addresses import own_addresses

    return f"http://{next(iter(own_addresses(socket.AF_INET)), '127.0.0.1')}:{FIRST_PORT}"


def show(records: "Records", as_json: bool) -> None:
    rows = []
    for one in records.students():
        versions = records.submissions(one.id)
        rows.append(
            {
                "id": one.id,
                "name": one.name,
                "pseudonym": one.pseudonym,
                "versions": len(versions),
                "state": versions[-1].state if versions else None,
            }
        )
    if as_json:
        print_json(rows)
        return
    heading = [_("id"), _("name"), _("pseudonym"), _("versions"), _("latest")]
    print_table(heading, [[str(value) if value is not None else "-" for value in row.values()] for row in rows])
