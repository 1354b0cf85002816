"""zermelo arena work: one more worker for an arena whose database several machines share."""

import signal
from pathlib import Path

import click

from zermelo.cli.arena_options import Working
from zermelo.cli.options import FOLDER, takes
from zermelo.language import _


@click.command()
@click.argument("folder", type=FOLDER, default=".", metavar="[ARENA]")
@takes("working", Working)
def work(folder: Path, working: Working) -> None:
    """Check and play for an arena on one more machine.

    The folder is a copy of the arena's folder with its arena.toml, and the database must be PostgreSQL. All workers
    take submissions from one queue and pairs from one ladder; nothing is done twice. Ctrl-C ends this worker, and
    the others go on.

    \b
    zermelo arena work reversi-2026 --store postgresql://arena@db.example.org/reversi
    """
    from zermelo.arena.worker import Employment, Worker

    arena = working.settings(folder)
    if "://" not in arena.database:
        raise click.UsageError(
            _("several workers need a PostgreSQL database; name one with --store postgresql://... or in arena.toml")
        )
    order = {name: value for name, value in working.order(folder).items() if name != "do"}
    worker = Worker(Employment.of(order), lambda text: click.echo(text, err=True))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: worker.stop())
    click.echo(_("working for {title}   (Ctrl-C ends it)").format(title=arena.title), err=True)
    worker.work()
