"""Help in the user's language. The texts in decorators and docstrings are the keys of the catalogue."""

import gettext
import inspect
import os
from collections.abc import Iterator

import click

from zermelo.cli.groups import LazyCommands, commands
from zermelo.language import DOMAIN, FOLDER, _, process_language


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
    _translate(command)


def _translate(command: click.Command) -> None:
    if command.help:
        command.help = _(inspect.cleandoc(command.help))
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            option.help = _(option.help)
    if isinstance(command, click.Group):
        if isinstance(command.commands, LazyCommands):
            command.commands.each(_translate)
        else:
            for below in command.commands.values():
                _translate(below)
