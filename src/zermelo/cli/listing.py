"""zermelo games, heuristics and players: lists of what is available."""

import re
from typing import Any

import click

from zermelo.cli.common import print_json, print_table, read_game
from zermelo.cli.options import game_argument, json_option
from zermelo.language import _


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games."""
    import inspect

    from zermelo.games import broken_games, find_game, game_names

    found = [find_game(name) for name in game_names()]
    rows = []
    for game in found:
        parameters = inspect.signature(type(game)).parameters.values()
        named = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "variant"]
        options = [p.name if p.default in ("", None) else f"{p.name}={p.default}" for p in named]
        rows.append([str(game), _(game.title), ", ".join(options), _((type(game).__doc__ or "").strip())])
    if as_json:
        keys = ("name", "title", "options", "about")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        print_table([_("game"), _("title"), _("options"), _("about")], rows)
    for fault in broken_games():
        click.echo(_("this game is left out: {error}").format(error=fault), err=True)


@click.command()
@game_argument
@json_option
def heuristics(game: str, as_json: bool) -> None:
    """List the heuristics of a GAME, with their weights.

    Instead of a GAME, you can name a file of your own, FILE.py. Its heuristics are compiled, and those that cannot be
    used are listed with the reason. `zermelo check FILE.py` says more.
    """
    from pathlib import Path

    from zermelo.game_files import holds_game
    from zermelo.games.handed_in import holds_homework

    if game.endswith(".py") and (not holds_game(Path(game)) or holds_homework(Path(game))):
        _list_file(game, as_json)
        return
    found = [_described(h.name, h.weights, h.__doc__) for h in read_game(game).heuristics.values()]
    if as_json:
        print_json(found)
    else:
        print_table([_("heuristic"), _("weights"), _("about")], [_cells(one) for one in found])


def _described(name: str, weights: dict[str, float], doc: str | None) -> dict[str, Any]:
    return {"name": name, "weights": weights, "about": " ".join(map(_, (doc or "").strip().splitlines()[:1]))}


def _cells(one: dict[str, Any]) -> list[str]:
    return [one["name"], ", ".join(f"{name}={value:g}" for name, value in one["weights"].items()), one["about"]]


def _list_file(file: str, as_json: bool) -> None:
    """List the heuristics of a user's file, and say which of them are broken or run as plain Python."""
    from zermelo.check.asking import check_file, user_file
    from zermelo.check.reports import Settings
    from zermelo.errors import HeuristicError

    rows, remarks, data = [], [], []
    for report in check_file(user_file(file), Settings(is_quick=True)):
        if report.kind == "file":
            raise HeuristicError(report.findings[0].text)
        one = _described(report.name, report.facts.get("weights", {}), report.facts.get("doc"))
        works = {True: ("compiled", _("compiled")), False: ("python", _("plain Python"))}
        state, shown = works[report.facts.get("compiled", False)] if report.is_right else ("broken", _("broken"))
        told = [finding.text for finding in report.findings if finding.what in ("plain", "compile", "fails", "endless")]
        data.append(one | {"state": state} | ({"remark": told[0]} if told else {}))
        rows.append([*_cells(one), shown])
        remarks += [f"{report.name}: {in_one_line(text)}" for text in told[:1]]
    if as_json:
        print_json(data)
        return
    print_table([_("heuristic"), _("weights"), _("about"), _("state")], rows)
    for remark in remarks:
        click.echo(remark)


def in_one_line(text: str) -> str:
    """A message whose first line shows the source, without the source: `mine.py:7: what is wrong`."""
    first, *rest = text.splitlines()
    place = re.match(r"(.*?\.py:\d+): ", first)
    return f"{place[1]}: {' '.join(line.strip() for line in rest)}" if place and rest else text.replace("\n", " ")


@click.command()
@click.argument("game", required=False)
@json_option
def players(game: str | None, as_json: bool) -> None:
    """List the kinds of players and their options. With a GAME, list its own named players too."""
    from zermelo.players import KINDS, named_players

    rows = []
    for kind, cls in KINDS.items():
        options = [f"{name}={value}" if value is not None else name for name, value in cls.defaults().items()]
        rows.append([kind, ", ".join(options), _(str(cls.__doc__))])
    for name, text in (named_players(read_game(game)) if game else {}).items():
        rows.append([name, "", text])
    if as_json:
        print_json([{"name": n, "options": o, "about": d} for n, o, d in rows])
    else:
        print_table([_("player"), _("options"), _("about")], [[n, o, d.partition("\n")[0]] for n, o, d in rows])
