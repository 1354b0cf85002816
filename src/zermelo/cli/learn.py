"""zermelo learn: exact data, models that play, and tuned weights."""

import click

from zermelo.cli.groups import LazyGroup
from zermelo.language import marked

COMMANDS = {
    "dataset": ("learn_dataset", marked("Make a dataset of positions and their values.")),
    "features": ("learn_fit", marked("List the feature sets of a game.")),
    "fit": ("learn_fit", marked("Fit models to datasets, and test them.")),
    "export": ("learn_fit", marked("Write a fitted model as a heuristic that any search can use.")),
    "tune": ("learn_tune", marked("Tune the weights of a heuristic or of a search of your own.")),
    "selfplay": ("learn_self_play", marked("Learn to evaluate positions by self-play.")),
    "probcut": ("learn_probcut", marked("Measure how well searches predict deeper ones.")),
    "book": ("learn_book", marked("Make an opening book.")),
}
"""The commands: the modules of this folder in which they are, and the first sentences of their help."""


@click.group(cls=LazyGroup, table=COMMANDS)
def learn() -> None:
    """Learn to evaluate positions.

    Make data and fit models to it, tune the weights of a heuristic, or learn a table by self-play. The results are
    heuristics that can play.
    """
