"""zermelo learn: exact data, models that play, and tuned weights."""

import click

from zermelo.cli import learn_book, learn_fit, learn_self_play, learn_tune


@click.group()
def learn() -> None:
    """Learn to evaluate positions.

    Make data and fit models to it, tune the weights of a heuristic, or learn a table by self-play. The results are
    heuristics that can play.
    """


for command in (
    learn_fit.dataset,
    learn_fit.features,
    learn_fit.fit,
    learn_fit.export,
    learn_tune.tune,
    learn_self_play.selfplay,
    learn_book.book,
):
    learn.add_command(command)
