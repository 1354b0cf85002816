"""Rubrics: what is handed in, what is looked at, and how many points it gives. A rubric is a TOML file.

title = "Alpha-beta"
kind = "search"

[[group]]
title = "Right values"

[[group.item]]
check = "values"
points = 40
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.games import read_game
from zermelo.language import gettext, marked
from zermelo.position import Game
from zermelo.tournaments.located import MISSING, Table

KINDS = ("search", "heuristic", "player")
VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
"""Who sees an item in Gradescope, in its own words."""
MOST_CASES = 10_000


@dataclass(frozen=True)
class Option:
    """A setting of an item: a number within bounds, or a text."""

    default: Any = MISSING
    low: float = 1
    high: float | None = MOST_CASES
    whole: bool = True
    is_text: bool = False


LEAST = Option(0.75, 0, 0.99, whole=False)
"""The share of right answers that gives no points yet, because even wrong searches are often right by luck."""
GAME, RUNG, HEURISTIC = Option(None, is_text=True), Option(is_text=True), Option(None, is_text=True)
DEPTH = Option(2, 1, 4)


@dataclass(frozen=True)
class Check:
    """Something that can be looked at: for what kinds of work, and with which settings."""

    title: str
    options: Mapping[str, Option] = field(default_factory=dict)
    kinds: tuple[str, ...] = ("search",)
    needs_game: bool = False


CHECKS: dict[str, Check] = {
    "values": Check(marked("the values are those of minimax"), {"trees": Option(200), "least": LEAST}),
    "windows": Check(marked("what alpha and beta promise is kept"), {"trees": Option(100), "least": LEAST}),
    "moves": Check(marked("the move is one of the best"), {"trees": Option(100), "least": LEAST}),
    "prunes": Check(marked("it prunes as much as alpha-beta"), {"trees": Option(100)}),
    "ordering": Check(marked("it tries promising moves first"), {"trees": Option(30)}),
    "twice": Check(marked("it gives the same answer twice"), {"trees": Option(20)}),
    "ends": Check(marked("it works at the end of a game and at depth 0"), {"trees": Option(20), "game": GAME}),
    "games": Check(
        marked("the values are those of minimax in a game"),
        {"positions": Option(12, 1, 1000), "depth": DEPTH, "game": GAME, "least": LEAST},
        needs_game=True,
    ),
    "quick_wins": Check(
        marked("it wins at once where it can"),
        {"positions": Option(10, 1, 1000), "depth": Option(3, 2, 6), "game": GAME, "least": LEAST},
        ("search", "player"),
        needs_game=True,
    ),
    "budget": Check(
        marked("it comes to an end when its nodes are used up"),
        {"positions": Option(3, 1, 100), "nodes": Option(500, 10, 1_000_000), "game": GAME},
        needs_game=True,
    ),
    "legal": Check(
        marked("its moves are legal, and come in time"),
        {"positions": Option(20, 1, 1000), "game": GAME},
        ("player",),
        needs_game=True,
    ),
    "compiles": Check(marked("it can be compiled"), {"game": GAME}, ("heuristic",), needs_game=True),
    "works": Check(
        marked("it fails nowhere"), {"positions": Option(100), "game": GAME}, ("heuristic",), needs_game=True
    ),
    "signs": Check(
        marked("its values are for the player to move"),
        {"positions": Option(60), "game": GAME},
        ("heuristic",),
        needs_game=True,
    ),
    "beats": Check(
        marked("it beats {rung}"),
        {
            "rung": RUNG,
            "depth": DEPTH,
            "confidence": Option(0.95, 0.6, 0.999, whole=False),
            "pairs": Option(60, 1, 1000),
            "heuristic": HEURISTIC,
            "game": GAME,
        },
        KINDS,
        needs_game=True,
    ),
}
"""Everything that can be looked at, by the word that a rubric writes after `check`."""


@dataclass(frozen=True)
class Item:
    """One line of a rubric."""

    check: str
    points: float
    title: str
    settings: Mapping[str, Any]
    visibility: str
    seed: int  #: of the random generator that makes its cases

    def __getitem__(self, setting: str) -> Any:
        return self.settings[setting]


@dataclass(frozen=True)
class Group:
    """Items that belong together."""

    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Rubric:
    """A whole rubric."""

    title: str
    kind: str
    function: str | None  #: the name of what is marked; None: the only one of its kind in the file
    file: str | None  #: the name of the file that students hand in, if it stands in a folder with others
    groups: tuple[Group, ...]
    seconds: float  #: the time limit for each case
    compiled: bool  #: whether searches are compiled too; the trees are so small that plain Python is faster
    has_secret: bool

    @property
    def points(self) -> float:
        """What perfect work gets."""
        return sum(item.points for group in self.groups for item in group.items)


def read_rubric(
    path: Path,
    secret: str | None = None,
    kinds: Sequence[str] = KINDS,
    checks: Mapping[str, Check] = CHECKS,
) -> Rubric:
    """Read a rubric. Errors name the line and the field that are wrong.

    secret: the number from which the hidden cases are made; it takes precedence over the rubric's own.
    kinds, checks: what a rubric can be about, the first by default, and what can be looked at.
    """
    table = Table.read(path)
    kind = table.choice("kind", kinds[0], kinds)
    own = table.take("secret", (int, str), None, gettext("a number or a text"))
    used = str(own) if secret is None and own is not None else secret
    game = _game(table, path.parent)
    groups: list[Group] = []
    number = 0
    for each in table.tables("group", "group", what=gettext("one or more tables [[group]]")):
        items = each.tables("item", "group.item", number, gettext("one or more tables [[group.item]]"))
        title = each.take("title", str, gettext("Group {number}").format(number=len(groups) + 1))
        known = {name: check for name, check in checks.items() if kind in check.kinds}
        made = tuple(_item(one, known, game, path.parent, f"{used}/{number + i}") for i, one in enumerate(items))
        groups.append(Group(title, made))
        number += len(items)
        each.finish()
    rubric = Rubric(
        title=table.take("title", str, path.stem),
        kind=kind,
        function=table.take("function", str, None),
        file=table.take("file", str, None),
        groups=tuple(groups),
        seconds=float(table.number("seconds", 10.0, 0.1, 3600, whole=False)),
        compiled=table.take("compiled", bool, False),
        has_secret=used is not None,
    )
    table.finish()
    return rubric


def _item(table: Table, known: Mapping[str, Check], usual: str | None, folder: Path, mark: str) -> Item:
    # Words with an underscore are written as they are.
    name = table.choice("check", MISSING, [word.replace("_", " ") for word in known]).replace(" ", "_")
    check = known[name]
    settings = {key: _setting(table, key, option) for key, option in check.options.items()}
    if "game" in settings:
        settings["game"] = _game(table, folder) or usual
        if check.needs_game and settings["game"] is None:
            raise table.fail("check", gettext("{check} needs a game: set game").format(check=name))
    title = table.take("title", str, None) or gettext(check.title).format(**settings)
    points = float(table.number("points", MISSING, 0, 1_000_000, whole=False))
    visibility = table.take("visibility", str, "visible")
    if visibility not in VISIBILITIES:
        raise table.fail("visibility", gettext("should be one of: {known}").format(known=", ".join(VISIBILITIES)))
    table.finish()
    return Item(name, points, title, settings, visibility, seed_of(f"{mark}/{name}"))


def _setting(table: Table, key: str, option: Option) -> Any:
    if option.is_text:
        return table.take(key, str, option.default)
    return table.number(key, option.default, option.low, option.high, option.whole)


def _game(table: Table, folder: Path) -> str | None:
    """The game of a table, as text; a game in a file is looked for beside the rubric."""
    text: str | None = table.take("game", str, None)
    if text is None:
        return None
    if (folder / text).is_file():
        text = str(folder / text)
    try:
        found: Game = read_game(text)
    except ZermeloError as error:
        raise table.fail("game", str(error)) from None
    return str(found)


def seed_of(text: str) -> int:
    """A seed of 63 bits, from which nobody can find out the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
