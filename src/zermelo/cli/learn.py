"""zermelo learn: exact data, models that play, and tuned weights."""

import click

from zermelo.cli.groups import LazyGroup

COMMANDS = {
    "dataset": "learn_fit",
    "features": "learn_fit",
    "fit": "learn_fit",
    "export": "learn_fit",
    "tune": "learn_tune",
    "selfplay": "learn_self_play",
    "book": "learn_book",
}
"""The commands, and the modules of this folder in which they are."""


@click.group(cls=LazyGroup, modules=COMMANDS)
def learn() -> None:
    """Learn to evaluate positions.

    Make data and fit models to it, tune the weights of a heuristic, or learn a table by self-play. The results are
    heuristics that can play.
    """
