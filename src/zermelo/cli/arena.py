"""zermelo arena: a class hands in players, which are checked and play on a ladder."""

import click

from zermelo.cli.groups import LazyGroup

COMMANDS = {
    "serve": "arena_serve",
    "students": "arena_students",
    "submit": "arena_submit",
}
"""The commands, and the modules of this folder in which they are."""


@click.group(cls=LazyGroup, modules=COMMANDS)
def arena() -> None:
    """Run a class arena, or hand in to one.

    Students hand in heuristics, searches or players. Each is checked in a sandbox and then plays on a ladder, where
    everybody sees how it does.
    """
