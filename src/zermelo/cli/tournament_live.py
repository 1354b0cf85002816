"""What the terminal shows while a tournament is being played."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.tournaments.run import Progress


@contextlib.contextmanager
def live_standings() -> "Iterator[Callable[[Progress], None]]":
    """On a terminal, show games done, time left and the best ten. Gives a function to call after each game."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def watch(progress: "Progress") -> None:
            left = progress.seconds_left
            when = _(", about {duration} left").format(duration=_duration(left)) if left is not None else ""
            table = Table(
                title=_("{done} of {total} games{when}").format(done=progress.done, total=progress.total, when=when),
                title_justify="left",
                box=None,
            )
            table.add_column(_("player"))
            for heading in (_("points"), _("games"), _("score")):
                table.add_column(heading, justify="right")
            for player, points, games in progress.standings[:10]:
                table.add_row(player, f"{points:g}", str(games), f"{points / games:.1%}" if games else "")
            live.update(table)

        yield watch


def _duration(seconds: float) -> str:
    """Seconds in words: 45 s, 3 min, 2 h 10 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
