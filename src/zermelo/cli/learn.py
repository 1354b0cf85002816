"""zermelo learn: exact data, models that play, weights that tune themselves."""

import click

from zermelo.cli import learn_book


@click.group()
def learn() -> None:
    """Learn to judge positions: make data, fit models to it, and let them play."""


learn.add_command(learn_book.book)
