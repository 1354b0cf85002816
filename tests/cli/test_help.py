"""The help of every command, and how options reach the functions that run."""

import dataclasses
import inspect
import re

import click
import pytest
from click.testing import CliRunner

from zermelo.cli.groups import LazyGroup, commands
from zermelo.cli.main import cli
from zermelo.cli.options import option, takes

ALL = {f"{command.name}-{number}": command for number, command in enumerate(commands(cli))}
OPTIONS = [
    pytest.param(one, id=f"{name} {one.opts[0]}")
    for name, command in ALL.items()
    for one in command.params
    if isinstance(one, click.Option)
]


@pytest.mark.parametrize("name", ALL)
def test_no_command_takes_more_than_eight_arguments(name):
    callback = ALL[name].callback
    parameters = inspect.signature(inspect.unwrap(callback)).parameters.values()
    assert len(parameters) <= 8
    assert all(one.kind is not one.VAR_KEYWORD for one in parameters)


@pytest.mark.parametrize("name", ALL)
def test_the_list_of_commands_shows_whole_sentences(name):
    short = ALL[name].get_short_help_str(limit=60)
    assert short[0].isupper() and short.endswith("."), short
    assert not short.endswith("..."), short


@pytest.mark.parametrize("group", [command for command in ALL.values() if isinstance(command, LazyGroup)])
def test_the_table_of_a_group_has_the_first_sentences_of_its_commands(group):
    loaded = {name: command.get_short_help_str(limit=200) for name, command in group.commands.items()}
    assert loaded == {name: sentence for name, (_, sentence) in group.table.items()}


@pytest.mark.parametrize("one", OPTIONS)
def test_the_help_of_an_option_makes_sense_without_the_others(one):
    assert one.help, "an option without help"
    assert one.help[0].isupper() and one.help.endswith((".", "]")), one.help
    assert not re.search("see above|if not said|otherwise|so long|so many|at most so", one.help, re.IGNORECASE)
    if {"--seconds", "--request-timeout"} & set(one.opts):
        assert "in seconds" in one.help
    if "--depth" in one.opts:
        assert "in plies" in one.help


@dataclasses.dataclass(frozen=True)
class Size:
    rows: int = option("--rows", type=int, default=6, help="Number of rows.")
    columns: int = option("--columns", type=int, default=7, help="Number of columns.")


def test_options_that_belong_together_reach_a_command_as_one_object():
    @click.command()
    @click.argument("name")
    @takes("size", Size, columns=5)
    def draw(name: str, size: Size) -> None:
        """Draw."""
        click.echo(f"{name} {size.rows} x {size.columns}")

    assert CliRunner().invoke(draw, ["board", "--rows", "4"]).output == "board 4 x 5\n"
    assert [one.name for one in draw.params] == ["name", "rows", "columns"]
    assert "Number of columns." in CliRunner().invoke(draw, ["--help"]).output
