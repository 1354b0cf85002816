"""The options that the commands of `zermelo arena` share."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.options import option

if TYPE_CHECKING:
    from zermelo.arena.settings import ArenaSettings


@dataclass(eq=False, repr=False)
class Working:
    """How submissions are checked and games are played."""

    store: str | None = option(
        "--store",
        metavar="URL",
        help="Database of the arena, such as postgresql://user@host/name, instead of the one in arena.toml.",
    )
    scheduler: str | None = option(
        "--scheduler", metavar="tcp://HOST:PORT", help="Address of a Dask cluster to play the games on."
    )
    threads: int | None = option(
        "--threads",
        type=click.IntRange(1),
        help="Number of games played at the same time. The default is one per processor core.",
    )
    trust_everyone: bool = option(
        "--trust-everyone",
        is_flag=True,
        help="Run what students hand in without a sandbox, with your own rights. Every page then shows a warning.",
    )

    def settings(self, folder: Path) -> "ArenaSettings":
        """The settings of the arena in a folder. An error if its submissions could not be kept in a sandbox."""
        from dataclasses import replace

        from zermelo.arena.settings import read_settings
        from zermelo.errors import ResourceError
        from zermelo.processes.sandbox import missing

        found = read_settings(folder)
        reason = None if self.trust_everyone else missing()
        if reason is not None:
            raise ResourceError(
                "students' code runs only in a sandbox, and there is none on this machine: {reason}; if you trust "
                "everybody who can hand in, start with --trust-everyone",
                reason=reason,
            )
        return found if self.store is None else replace(found, store=self.store)

    def order(self, folder: Path) -> dict[str, Any]:
        """What a worker is told to do (arena/worker_process.py)."""
        return {"do": "work", "folder": str(folder.resolve()), **asdict(self)}
