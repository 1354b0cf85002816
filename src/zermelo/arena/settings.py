"""The settings of an arena: the file arena.toml in its folder. Everything but the game has a default."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from zermelo.errors import FileError, ZermeloError
from zermelo.games import read_game
from zermelo.language import LANGUAGES, _
from zermelo.tournaments.located import MISSING, Table
from zermelo.tournaments.plan import Openings, read_openings, read_search

FILE, DATABASE = "arena.toml", "arena.db"
KINDS = ("heuristic", "search", "player")
"""What can be handed in."""

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PERIODS = {"day": 1, "week": 7, "two weeks": 14}
"""How often rounds are played -> the number of days from one to the next."""


@dataclass(frozen=True)
class Allowed:
    """[allowed]: what may be handed in."""

    kinds: tuple[str, ...] = KINDS
    insist: bool = False  # refuse a search whose values are wrong, too, although it can play


@dataclass(frozen=True)
class Budget:
    """[budget]: how much a player may think. One of nodes, seconds and depth is set."""

    nodes: int | None = None
    seconds: float | None = None  # a move
    depth: int | None = None
    search: str = "alphabeta"  # for heuristics
    seconds_per_move: float = 10  # whoever takes longer loses the game
    memory: int = 1024  # MiB

    @property
    def options(self) -> dict[str, int | float]:
        """The one that is set, as an option of players."""
        given = {"nodes": self.nodes, "seconds": self.seconds, "depth": self.depth}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Course:
    """[class]: the rules of the class."""

    names: str = "pseudonyms"  # or "names": what others see
    time_zone: str = "UTC"
    deadline: datetime | None = None  # with its time zone; the teacher can change it while the arena runs
    quota: int = 10  # submissions a day
    most_bytes: int = 200_000
    languages: tuple[str, ...] = tuple(LANGUAGES)
    visible: str = "members"  # or "everyone": who sees the ladder
    keep_days: int | None = None  # after the deadline; then personal data is deleted. None: until the teacher does it

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which days begin and times are shown."""
        return ZoneInfo(self.time_zone)


@dataclass(frozen=True)
class Ladder:
    """[ladder]: the games that are played all the time."""

    rungs: tuple[str, ...] = ("random",)
    pairs_at_once: int = 2
    most_pairs: int = 400  # a contestant with so many pairs plays only when others need it


@dataclass(frozen=True)
class Rounds:
    """[rounds]: tournaments of everybody against everybody, by schedule."""

    every: str = "week"
    weekday: int = 4  # 0 is Monday
    hour: int = 18
    minute: int = 0
    pairs: int = 5  # of each meeting

    @property
    def days(self) -> int:
        """The number of days from one round to the next."""
        return PERIODS[self.every]


@dataclass(frozen=True)
class Final:
    """[final]: the last tournament, which is played from nothing."""

    pairs: int = 20  # of each meeting


@dataclass(frozen=True)
class ArenaSettings:
    """Everything in arena.toml."""

    folder: Path
    title: str
    game: str  # with its options, such as hex(size=5)
    allowed: Allowed = field(default_factory=Allowed)
    budget: Budget = field(default_factory=lambda: Budget(nodes=10_000))
    course: Course = field(default_factory=Course)
    ladder: Ladder = field(default_factory=Ladder)
    openings: Openings = field(default_factory=Openings)
    rounds: Rounds | None = None
    final: Final = field(default_factory=Final)
    rubric: Path | None = None
    store: str = DATABASE

    @property
    def database(self) -> str:
        """Where the records are: a file in the folder, or a URL postgresql://..."""
        return self.store if "://" in self.store else str(self.folder / self.store)


def read_settings(folder: Path) -> ArenaSettings:
    """Read the settings of the arena in a folder. Errors name the line and the field that are wrong."""
    if not (folder / FILE).is_file():
        raise FileError(
            "{folder} is not an arena: it has no file {file}; make one with: zermelo arena new NAME --game GAME",
            folder=folder,
            file=FILE,
        )
    return _settings(Table.read(folder / FILE), folder)


def check_settings(text: str, folder: Path) -> None:
    """Check the settings that a file of this folder is to have. Errors name the field alone: there is no file yet."""
    _settings(Table(tomllib.loads(text)), folder)


def _settings(table: Table, folder: Path) -> ArenaSettings:
    text = table.take("game", str, MISSING, _("the name of a game"))
    try:
        game = read_game(text, folder)
    except ZermeloError as error:
        raise table.fail("game", str(error)) from None
    rubric = table.table("marks")
    path = rubric.take("rubric", str, None)
    rubric.finish()
    found = ArenaSettings(
        folder=folder,
        title=table.take("title", str, folder.resolve().name),
        game=str(game),
        allowed=_allowed(table.table("allowed")),
        budget=_budget(table.table("budget")),
        course=_course(table.table("class")),
        ladder=_ladder(table.table("ladder")),
        openings=read_openings(table.table("openings"), game, folder),
        rounds=_rounds(table.table("rounds")) if "rounds" in table.data else None,
        final=_final(table.table("final")),
        rubric=folder / path if path is not None else None,
        store=table.take("store", str, DATABASE),
    )
    table.taken.add("rounds")
    table.finish()
    return found


def _words(table: Table, field: str, default: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Take a list of known words, without repetitions."""
    what = _("a list of some of these: {known}").format(known=", ".join(known))
    words = table.take(field, list, list(default), what)
    for word in words:
        if word not in known:
            raise table.fail(field, _("{value} should be {what}").format(value=repr(word), what=what))
    if not words:
        raise table.fail(field, _("{value} should be {what}").format(value="[]", what=what))
    return tuple(dict.fromkeys(words))


def _allowed(table: Table) -> Allowed:
    found = Allowed(_words(table, "kinds", KINDS, KINDS), table.take("insist", bool, False, _("true or false")))
    table.finish()
    return found


def _budget(table: Table) -> Budget:
    given = [name for name in ("nodes", "seconds", "depth") if name in table.data]
    if len(given) > 1:
        raise table.fail(
            given[1],
            _("only one of nodes, seconds and depth can be set, and {other} is set too").format(other=given[0]),
        )
    found = Budget(
        nodes=table.number("nodes", None if given else 10_000, 1),
        seconds=table.number("seconds", None, 0.001, 3600, whole=False),
        depth=table.number("depth", None, 1, 64),
        search=str(read_search(table)),
        seconds_per_move=table.number("seconds_per_move", Budget.seconds_per_move, 0.1, 3600, whole=False),
        memory=table.number("memory", Budget.memory, 256, 1 << 20),
    )
    if found.seconds is not None and found.seconds > found.seconds_per_move:
        raise table.fail("seconds_per_move", _("must be at least as long as seconds, the time that a player may think"))
    table.finish()
    return found


def _course(table: Table) -> Course:
    zone = table.take("time_zone", str, Course.time_zone, _("the name of a time zone, such as Europe/Madrid"))
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise table.fail(
            "time_zone", _("{zone!r} is not a time zone; write one such as Europe/Madrid").format(zone=zone)
        ) from None
    found = Course(
        names=table.choice("names", Course.names, ("pseudonyms", "names")),
        time_zone=zone,
        deadline=_deadline(table, ZoneInfo(zone)),
        quota=table.number("quota", Course.quota, 1, 10_000),
        most_bytes=table.number("most_bytes", Course.most_bytes, 1000, 5_000_000),
        languages=_words(table, "languages", tuple(LANGUAGES), tuple(LANGUAGES)),
        visible=table.choice("visible", Course.visible, ("members", "everyone")),
        keep_days=table.number("keep_days", None, 0, 36_500),
    )
    table.finish()
    return found


def _deadline(table: Table, zone: ZoneInfo) -> datetime | None:
    """Take the deadline: a date and a time, with or without quotation marks and with or without a time zone."""
    what = _("a date and a time, such as 2027-01-15 23:59")
    value: Any = table.take("deadline", (datetime, date, str), None, what)
    if value is None:
        return None
    try:
        return moment(value, zone)
    except ValueError:
        raise table.fail("deadline", _("{value} should be {what}").format(value=repr(value), what=what)) from None


def moment(value: datetime | date | str, zone: ZoneInfo) -> datetime:
    """A time with its time zone. A date alone means the end of that day; ValueError if the text is not a time."""
    if isinstance(value, str):
        text = value.strip()
        value = date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else datetime.fromisoformat(text)
    if not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    # An hour that a clock shows twice, in autumn, means the second time.
    return value if value.tzinfo is not None else value.replace(tzinfo=zone, fold=1)


def _ladder(table: Table) -> Ladder:
    rungs = table.take("rungs", list, list(Ladder.rungs), _("a list of players"))
    for rung in rungs:
        if not isinstance(rung, str) or not rung:
            raise table.fail("rungs", _("{item!r} is not a player or a heuristic").format(item=rung))
    if len(set(rungs)) < len(rungs):
        raise table.fail("rungs", _("the same rung is given twice"))
    found = Ladder(
        rungs=tuple(rungs),
        pairs_at_once=table.number("pairs_at_once", Ladder.pairs_at_once, 1, 1000),
        most_pairs=table.number("most_pairs", Ladder.most_pairs, 1, 1_000_000),
    )
    table.finish()
    return found


def _rounds(table: Table) -> Rounds:
    on = table.take("on", str, "friday 18:00", _("a day and a time, such as friday 18:00"))
    every = table.choice("every", Rounds.every, tuple(PERIODS))
    match = re.fullmatch(r"(?:([a-z]+)\s+)?(\d{1,2}):(\d\d)", on.strip().lower())
    weekday = DAYS.index(match[1]) if match and match[1] in DAYS else None
    good = match is not None and int(match[2]) < 24 and int(match[3]) < 60
    if match is None or not good or (weekday is None and (match[1] is not None or every != "day")):
        raise table.fail(
            "on",
            _("{value} should be {what}").format(value=repr(on), what=_("a day and a time, such as friday 18:00")),
        )
    found = Rounds(every, weekday or 0, int(match[2]), int(match[3]), table.number("pairs", Rounds.pairs, 1, 10_000))
    table.finish()
    return found


def _final(table: Table) -> Final:
    found = Final(table.number("pairs", Final.pairs, 1, 10_000))
    table.finish()
    return found
