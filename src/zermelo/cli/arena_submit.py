"""zermelo arena submit: hand in a file to the arena of a class."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from zermelo.cli.common import print_json
from zermelo.cli.options import json_option
from zermelo.language import _

ACCEPTED, REFUSED = 0, 1
"""Exit statuses: it was taken (with --wait: and is valid); it was refused, or the arena does not answer."""


@click.command()
@click.argument("what", type=click.Path(exists=True, path_type=Path), metavar="FILE.py|FILE.zip|FOLDER")
@click.option(
    "--to",
    "link",
    envvar="ZERMELO_ARENA",
    metavar="LINK",
    help="Your personal link. It is remembered for the next time. The variable ZERMELO_ARENA can hold it, too.",
)
@click.option("--main", metavar="FILE", help="File that contains the player, if there are several.")
@click.option("--wait", is_flag=True, help="Wait for the verdict. The status is 0 only if the submission is valid.")
@json_option
def submit(what: Path, link: str | None, main: str | None, wait: bool, as_json: bool) -> int:
    """Hand in a player, a search or a heuristic.

    The status is 0 if the arena has taken it, 1 if it was refused (too late, too often, not valid) or if the arena does
    not answer, and 2 if the file or the link cannot be used.

    \b
    zermelo arena submit mine.py --to "http://192.168.1.20:8000/enter?key=..."
    zermelo arena submit mine.py
    zermelo arena submit mine.py --wait
    """
    from zermelo.arena.client import Address, follow, remember, remembered, request_of

    link = link or remembered()
    if link is None:
        raise click.UsageError(_("where to? give your personal link once with --to"))
    address = Address.of_link(link)
    request = request_of(what, main)
    taken = address.ask("/api/submissions", request)
    remember(link)
    if not as_json:
        click.echo(_told(taken))
    if wait:
        with _Waiting(not as_json) as waiting:
            taken = follow(address, taken, waiting.tell)
    if as_json:
        print_json(taken)
    elif wait:
        _tell_verdict(taken)
    return REFUSED if wait and taken["state"] != "valid" else ACCEPTED


def _told(taken: Mapping[str, Any]) -> str:
    if taken.get("repeated"):
        return _("this is the same code as your version {version}, so nothing has changed").format(
            version=taken["version"]
        )
    if taken.get("place") is None:
        return _("accepted as version {version}").format(version=taken["version"])
    return _("accepted as version {version}; it is number {place} in the queue, about {wait:.0f} s").format(
        version=taken["version"], place=taken["place"], wait=taken.get("wait") or 0
    )


def _tell_verdict(taken: Mapping[str, Any]) -> None:
    words = {
        "valid": _("version {version} is valid and plays from now on"),
        "refused": _("version {version} was refused:"),
    }
    other = _("version {version} was withdrawn")
    click.echo(words.get(taken["state"], other).format(version=taken["version"]))
    for finding in _findings(taken.get("report")):
        click.echo(f"  {finding}")


def _findings(report: Any) -> list[str]:
    """The lines of a report: each finding with the file and the line that it is about."""
    found = report.get("findings") if isinstance(report, Mapping) else None
    lines: list[str] = []
    for one in found or ():
        about: Mapping[str, Any] = one if isinstance(one, Mapping) else {"text": one}
        place = ":".join(str(about[name]) for name in ("file", "line") if about.get(name) is not None)
        text = str(about.get("text", ""))
        lines += (f"{place}: {text}" if place else text).splitlines()
    return lines


class _Waiting:
    """A line on the terminal that says how far the queue is."""

    def __init__(self, shown: bool):
        self.status: Any = None
        if shown and sys.stderr.isatty():
            from rich.console import Console

            self.status = Console(stderr=True).status(_("waiting for the verdict"))

    def __enter__(self) -> "_Waiting":
        if self.status is not None:
            self.status.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.status is not None:
            self.status.stop()

    def tell(self, submission: Mapping[str, Any]) -> None:
        if self.status is None:
            return
        if submission["state"] == "checking" or submission.get("place") is None:
            self.status.update(_("it is being checked"))
        else:
            self.status.update(
                _("number {place} in the queue, about {wait:.0f} s").format(
                    place=submission["place"], wait=submission.get("wait") or 0
                )
            )
