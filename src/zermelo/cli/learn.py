"""zermelo learn: exact data, models that play, weights that tune themselves."""

import click

from zermelo.cli import learn_book, learn_fit, learn_self_play, learn_tune


@click.group()
def learn() -> None:
    """Learn to judge positions: make data, fit models to it, and let them play."""


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
