"""Groups of commands. A command is imported when it is asked for, so that it does not wait for all the others."""

import importlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from gettext import gettext as of_click
from typing import Any

import click

from zermelo.files.trust import trusting
from zermelo.language import _

TRUSTING = {"play", "analyse", "trace", "match", "engine", "run", "resume", "sprt", "dataset", "tune", "study"}
"""The commands, and groups of commands, that may meet code in a file: weights can name code, and a tournament store can
contain it."""


class LazyGroup(click.Group):
    """A group whose commands are in other modules."""

    def __init__(self, *arguments: Any, table: Mapping[str, tuple[str, str]], **options: Any) -> None:
        """table: for each command, the module of this folder that has a function of its name, and the first sentence
        of its help. The list of the commands is made of these sentences, so that `--help` imports no command.
        """
        super().__init__(*arguments, **options)
        self.table = table
        self.commands = LazyCommands({name: module for name, (module, _sentence) in table.items()})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, as click does."""
        width = formatter.width - 6 - max(map(len, self.table))
        told = (click.Command(name, help=_(sentence)) for name, (_module, sentence) in sorted(self.table.items()))
        with formatter.section(of_click("Commands")):
            formatter.write_dl([(str(one.name), one.get_short_help_str(width)) for one in told])


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name, which are imported when they are looked up."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._loaded: dict[str, click.Command | None] = dict.fromkeys(modules)
        self._calls: list[Callable[[click.Command], None]] = [_let_trust]

    def each(self, call: Callable[[click.Command], None]) -> None:
        """Call a function with each command: now if it is imported, else when it is."""
        self._calls.append(call)
        for command in filter(None, self._loaded.values()):
            call(command)

    def __getitem__(self, name: str) -> click.Command:
        command = self._loaded[name]
        if command is None:
            command = getattr(importlib.import_module(f"zermelo.cli.{self._modules[name]}"), name)
            assert isinstance(command, click.Command)
            for call in self._calls:
                call(command)
            self._loaded[name] = command
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded)

    def __len__(self) -> int:
        return len(self._loaded)


def commands(command: click.Command) -> Iterator[click.Command]:
    """The command, and all its subcommands."""
    yield command
    if isinstance(command, click.Group):
        for below in command.commands.values():
            yield from commands(below)


def _let_trust(command: click.Command) -> None:
    """Give --trust to a command, or to those commands of a group, that may meet code in a file."""
    if isinstance(command, LazyGroup):
        return  # its commands get it when they are imported
    for one in commands(command):
        if not isinstance(one, click.Group) and not TRUSTING.isdisjoint((one.name, command.name)):
            one.params.append(_trust_option())


def _trust_option() -> click.Option:
    return click.Option(
        ["--trust"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_trust,
        help="Run code stored in files, such as the heuristics in another person's tournament, without asking first.",
    )


def _trust(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.with_resource(trusting())
