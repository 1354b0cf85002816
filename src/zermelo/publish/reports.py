"""Results on a site: the report of a tournament or of an arena, and a page on which its contestants can be played."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zermelo.errors import FileError
from zermelo.games import read_game, stored_game
from zermelo.publish.sites import PagePlan, ReportPlan, slug, titled
from zermelo.tournaments.pages import SHOWN, html_report
from zermelo.tournaments.report import make_report
from zermelo.tournaments.store import open_store

MOST_CONTESTANTS = 8
"""How many contestants of a tournament are published at most, the best first. Each takes some seconds to compile."""


def tournament_plan(table: Mapping[str, Any], path: Path) -> ReportPlan:
    """[[tournament]]: store (a file or a URL), name, title, contestants (how many can be played against)."""
    _check(table, path, "tournament", ("store", "name", "title", "contestants"))
    if "store" not in table:
        raise FileError("{path}: a [[tournament]] needs a store", path=path)
    where = str(table["store"])
    store = open_store(where if "://" in where else path.parent / where, must_exist=True)
    report = make_report(store, table.get("name"))
    game = stored_game(report.plan.game, report.plan.name)
    texts = {one.name: one.player for one in report.plan.contestants}
    most = int(table.get("contestants", MOST_CONTESTANTS))
    players = tuple((line.name, texts[line.name]) for line in report.lines if texts.get(line.name))[:most]
    title = str(table.get("title", report.plan.name))
    play = PagePlan(game, players, title=title, name=f"{slug(title)}-play", is_lenient=True) if players else None
    return ReportPlan(title, slug(title), lambda above: html_report(report, SHOWN, above), play)


def arena_plan(table: Mapping[str, Any], path: Path, title: str, html: Callable[[str], str]) -> ReportPlan:
    """[[arena]]: folder, tournament, title; game and players, if the site offers some to play against.

    What students handed in is not published: it would have to be compiled outside of the sandbox.
    """
    _check(table, path, "arena", ("folder", "tournament", "title", "game", "players"))
    name = str(table.get("title", title))
    play = None
    if "players" in table:
        if "game" not in table:
            raise FileError("{path}: an [[arena]] with players needs a game", path=path)
        players = tuple(titled(str(one)) for one in table["players"])
        play = PagePlan(read_game(str(table["game"])), players, title=name, name=f"{slug(name)}-play")
    return ReportPlan(name, slug(name), html, play)


def _check(table: Mapping[str, Any], path: Path, kind: str, known: tuple[str, ...]) -> None:
    unknown = next((name for name in table if name not in known), None)
    if unknown is not None:
        raise FileError(
            "{path}: {name!r} is not known in [[{kind}]]; it takes {known}",
            path=path, name=unknown, kind=kind, known=", ".join(known),
        )  # fmt: skip
