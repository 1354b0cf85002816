"""Help in the user's language. The texts in decorators and docstrings are the keys of the catalogue."""

import gettext
import inspect
import os
from collections.abc import Iterator

import click

from zermelo.language import DOMAIN, FOLDER, _, process_language


def commands(command: click.Command) -> Iterator[click.Command]:
    """The command, and all its subcommands."""
    yield command
    if isinstance(command, click.Group):
        for below in command.commands.values():
            yield from commands(below)


def help_texts(command: click.Command) -> Iterator[str]:
    """Every text that `--help` may show for a command and its subcommands."""
    for one in commands(command):
        if one.help:
            yield inspect.cleandoc(one.help)
        for option in one.params:
            if isinstance(option, click.Option) and option.help:
                yield option.help


def follow_language(command: click.Command) -> None:
    """Translate the help, and click's own words (Usage, Options...), into the language of the process."""
    if process_language() == "en":
        return
    os.environ["LANGUAGE"] = process_language()  # click asks gettext, which does not know ZERMELO_LANG
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)
    for one in commands(command):
        if one.help:
            one.help = _(inspect.cleandoc(one.help))
        for option in one.params:
            if isinstance(option, click.Option) and option.help:
                option.help = _(option.help)
