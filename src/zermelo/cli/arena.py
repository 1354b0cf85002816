"""zermelo arena: a class hands in players, which are checked and play on a ladder."""

import click

from zermelo.cli.groups import LazyGroup
from zermelo.language import marked

COMMANDS = {
    "export": ("arena_results", marked("Write marks, games or a report of an arena to files.")),
    "final": ("arena_results", marked("Freeze an arena and order its final.")),
    "report": ("arena_results", marked("Print the results of an arena.")),
    "new": ("arena_new", marked("Make a new arena.")),
    "serve": ("arena_serve", marked("Run the arena in a folder, with its worker.")),
    "students": ("arena_students", marked("List the students of an arena, or change the list.")),
    "submit": ("arena_submit", marked("Hand in a player, a search or a heuristic.")),
    "work": ("arena_work", marked("Check and play for an arena on one more machine.")),
}
"""The commands: the modules of this folder in which they are, and the first sentences of their help."""


@click.group(cls=LazyGroup, table=COMMANDS)
def arena() -> None:
    """Run a class arena, or hand in to one.

    Students hand in heuristics, searches or players. Each is checked in a sandbox and then plays on a ladder, where
    everybody sees how it does.
    """
