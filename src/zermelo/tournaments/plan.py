"""The plan of a tournament, read from a TOML file or from the same settings given in Python. An example of a file:

game = "connect4"
contestants = ["lines2", "mine.py:corners", "students/", "alphabeta(depth=2)", "random"]
pairs = 50

[openings]
plies = 4
"""

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any

from zermelo.calls import Call, parse_call, text_of
from zermelo.core import Heuristic
from zermelo.errors import FileError, PlayerError, ZermeloError
from zermelo.files.checked import checked, is_int
from zermelo.files.whole import DAMAGED
from zermelo.games import GameLike, find_game, read_game, stored_game
from zermelo.games.sandboxed import limits_of
from zermelo.language import _, marked
from zermelo.match import Record
from zermelo.players import KINDS, ClassPlayer, Player, PlayerLike
from zermelo.position import Game
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.contestants import Contestant, Entry, gather_sources
from zermelo.tournaments.located import MISSING, Table
from zermelo.tournaments.referee import Limits
from zermelo.tournaments.sprt import Sprt

FORMATS = (
    marked("round robin"),
    marked("gauntlet"),
    marked("swiss"),
    marked("knockout"),
    marked("ladder"),
    marked("sprt"),
)
OPENING_KINDS = ("random", "all", "varied")
MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class Openings:
    """The positions in which games begin. They are generated unless the user gives positions."""

    kind: str = "random"
    plies: int | None = None  # None: the smallest number that gives enough different openings
    count: int | None = None  # None: as many as a pairing needs, or all that exist
    positions: tuple[str, ...] = ()
    balanced: bool = True
    depth: int = 4  # the depth of the search that judges whether an opening is balanced


@dataclass(frozen=True)
class Plan:
    """Everything that decides how a tournament goes. With fixed depths or nodes, the result depends on nothing else."""

    name: str
    game: str
    contestants: tuple[Contestant, ...]
    format: str = "round robin"
    pairs: int = 10
    rounds: int | None = None
    seed: Annotated[int, is_int] = 1  # an integer of any size
    increasing_depth: bool = False
    allow_selfmatch: bool = False
    openings: Openings = field(default_factory=Openings)
    limits: Limits = field(default_factory=Limits)
    sprt: Sprt | None = None
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sandbox: SandboxLimits | None = None  # contestants' files run in a sandbox with these limits; None: in none
    notes: tuple[str, ...] = ()  # what readers of the results should know

    @property
    def names(self) -> list[str]:
        return [contestant.name for contestant in self.contestants]

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """Read what to_json wrote."""
        try:
            data = json.loads(text)
            data["contestants"] = tuple(Contestant(**c) for c in data["contestants"])
            data["notes"] = tuple(data["notes"])
            data["openings"]["positions"] = tuple(data["openings"]["positions"])
            data["openings"] = Openings(**data["openings"])
            data["limits"] = Limits(**data["limits"])
            data["sprt"] = Sprt(**data["sprt"]) if data["sprt"] else None
            data["sandbox"] = SandboxLimits(**data["sandbox"]) if data.get("sandbox") else None
            return checked(cls(**data))._sound()
        except DAMAGED as error:
            raise FileError("this is not the plan of a tournament: {error}", error=error) from None

    def _sound(self) -> "Plan":
        """Return this plan, or raise FileError if no tournament file could have produced it."""
        if self.format not in FORMATS or self.openings.kind not in OPENING_KINDS:
            raise FileError("its format or its openings are not among those that this version knows")
        if not 0 <= self.pairs <= MOST_PAIRS or (self.rounds is not None and not 1 <= self.rounds <= MOST_PAIRS):
            raise FileError("its number of pairs or rounds is out of range")
        if len(set(self.names)) < len(self.names) or (self.format == "sprt") != (self.sprt is not None):
            raise FileError("its contestants or its test do not fit its format")
        return self


def read_plan(path: Path, sandbox: bool | SandboxLimits = False) -> Plan:
    """Read the tournament in a TOML file. Errors name the line and the field that are wrong.

    sandbox: run the files of contestants in a sandbox, even if the file does not ask for it.
    """
    table = Table.read(path)
    if sandbox:
        table.data = {**table.data, "sandbox": sandbox}
    return _plan(table, path.parent, path.stem)


def make_plan(
    contestants: Sequence[PlayerLike | Mapping[str, Any]], game: GameLike, **settings: Any
) -> tuple[Plan, dict[str, Player]]:
    """Make a plan from settings in Python. Contestants that are objects are also returned as players, by name."""
    objects: dict[str, Player] = {}
    table = Table({"game": _game_text(game), "contestants": list(contestants)} | settings)
    return _plan(table, Path(), "tournament", objects), objects


def _game_text(game: GameLike) -> str:
    """The text of a game that may be an object; a text may also name a file, so it stays as it is."""
    return game if isinstance(game, str) else str(find_game(game))


def plan_of_records(records: Sequence[Record], name: str) -> Plan:
    """The plan of a tournament made of games that were played elsewhere. Nothing is left to play in it."""
    games = list(dict.fromkeys(record.game for record in records))
    players = list(dict.fromkeys(player for record in records for player in record.players))
    if len(games) != 1:
        raise FileError(
            "the records contain games of {games}, but a tournament has only one game",
            games=", ".join(games) or _("nothing"),
        )
    game = str(stored_game(games[0], _("the record of a game")))
    return Plan(name, game, tuple(Contestant(player, player) for player in players), pairs=0)


def _plan(table: Table, folder: Path, name: str, objects: dict[str, Player] | None = None) -> Plan:
    """The plan in a table. Contestants that are objects are added to `objects`, by name."""
    objects = {} if objects is None else objects
    game = _game(table, folder)
    form = table.choice("format", "sprt" if "sprt" in table.data else "round robin", FORMATS)
    seconds = table.number("seconds", None, 0.001, whole=False)
    limits = Limits(
        seconds=seconds,
        grace=table.number("grace", Limits.grace, 0, whole=False),
        most_plies=table.number("most_plies", None, 1),
        prove_nodes=table.number("prove_nodes", None, 1),
        move_limit=table.number("move_limit", Limits.move_limit, 0.001, whole=False),
        load_limit=table.number("load_limit", Limits.load_limit, 0.001, whole=False),
    )
    budget = {"depth": table.number("depth", None, 1, 64), "nodes": table.number("nodes", None, 1), "seconds": seconds}
    sandbox = limits_of(table.take("sandbox", (bool, SandboxLimits), False, _("true or false")))
    common = {k: v for k, v in budget.items() if v is not None}
    entry = Entry(game, read_search(table), common, folder, limits.load_limit, sandbox=sandbox)
    contestants = _contestants(table, entry, objects)
    plan = Plan(
        name=table.take("name", str, name),
        game=str(game),
        contestants=tuple(contestants),
        format=form,
        pairs=_pairs(table, 10_000 if form == "sprt" else 10),
        rounds=table.number("rounds", None, 1),
        seed=table.take("seed", int, 1),
        increasing_depth=table.take("increasing_depth", bool, False),
        allow_selfmatch=table.take("allow_selfmatch", bool, False),
        openings=read_openings(table.table("openings"), game, folder),
        limits=limits,
        sprt=_sprt(table.table("sprt"), form),
        sources=gather_sources([c.player for c in contestants if c.name not in objects], folder, sandbox is None),
        sandbox=sandbox,
        notes=tuple(entry.left_out),
    )
    table.finish()
    if form == "sprt" and len(contestants) != 2:
        raise table.fail(
            "contestants",
            _("an sprt compares two contestants, the new one first, but {number} are given").format(
                number=len(contestants)
            ),
        )
    if form == "sprt" and plan.increasing_depth:
        raise table.fail("increasing_depth", _("an sprt compares two players at one depth only"))
    return plan


def _game(table: Table, folder: Path) -> Game:
    """Read the game: either `game = "hex(size=5)"`, or a table with the name and the options."""
    value = table.take("game", (str, Mapping), MISSING, _("the name of a game"))
    try:
        if isinstance(value, str):
            return read_game(value, folder)
        options = dict(value)
        return find_game(str(options.pop("name", "")), **options)
    except ZermeloError as error:
        raise table.fail("game", str(error)) from None


def _pairs(table: Table, default: int) -> int:
    """Read `pairs`, which may also be called `n_pairs`, its name in the course's framework."""
    if "pairs" in table.data and "n_pairs" in table.data:
        raise table.fail("n_pairs", _("is another name for pairs, and pairs is given too"))
    course: int = table.number("n_pairs", default, 1, MOST_PAIRS)
    given: int = table.number("pairs", default, 1, MOST_PAIRS)
    return given if "pairs" in table.data else course


def read_search(table: Table) -> Call:
    """Read the search that is used by the contestants that are only heuristics."""
    text = table.take("search", str, "alphabeta", _("a player without a heuristic, such as alphabeta(depth=4)"))
    try:
        call = parse_call(text)
        cls = KINDS.get(call.name)
        if cls is None or "heuristic" not in cls.options():
            raise PlayerError(
                "{text!r} does not take a heuristic; use a player that does, such as alphabeta(depth=4)", text=text
            )
        return call
    except ZermeloError as error:
        raise table.fail("search", str(error)) from None


OBJECTS = (Player, Heuristic, FunctionType)
"""What can be a contestant in Python, besides a text."""


def _contestants(table: Table, entry: Entry, objects: dict[str, Player]) -> list[Contestant]:
    given = table.take("contestants", list, MISSING, _("a list of players or heuristics"))
    found: list[Contestant] = []
    for item in given:
        text: Any = str(item) if isinstance(item, Call) else item
        name = None
        if isinstance(item, Mapping):
            inner = Table(item, table.path, table.text, "contestants")
            text = inner.take("player", (str, *OBJECTS), MISSING, _("a player or a heuristic"))
            name = inner.take("name", str, None)
            inner.finish()
        if not isinstance(text, (str, *OBJECTS)) or text == "":
            raise table.fail("contestants", _("{item!r} is not a player or a heuristic").format(item=item))
        if isinstance(text, ClassPlayer):
            text = str(text)  # its games must all be played by one process, which no object here can promise
        if isinstance(text, OBJECTS):
            player, usual = entry.player_of(text)
            objects[name or usual] = player
            enlisted, name = [Contestant(name or usual, str(player))], None
        else:
            try:
                enlisted = entry.enlist(text)
            except ZermeloError as error:
                raise table.fail("contestants", str(error), text) from None
        if name is not None:
            several = len(enlisted) > 1
            for one in enlisted:
                entry.titles.pop(one.player, None)
            enlisted = [Contestant(f"{name}: {c.name}" if several else name, c.player) for c in enlisted]
        found += enlisted
    called, found = found, _titled(found, entry.titles)
    for was, now in zip(called, found, strict=True):
        if was.name != now.name:
            entry.left_out.append(_("{title} is {name}").format(title=now.name, name=was.name))
    names = [contestant.name for contestant in found]
    for name in names:
        if names.count(name) > 1:
            raise table.fail(
                "contestants",
                _("{name!r} appears twice; give each contestant a different name").format(name=name),
                name,
            )
    if len(found) < 2:
        raise table.fail(
            "contestants",
            _("a tournament needs at least two contestants, but the number given is {number}").format(
                number=len(found)
            ),
        )
    return found


def _titled(contestants: list[Contestant], titles: Mapping[str, str]) -> list[Contestant]:
    """The contestants under the names that they give themselves, where such a name belongs to nobody else."""
    own = [titles.get(one.player) for one in contestants]
    known = Counter([*own, *(one.name for one in contestants)])
    return [
        Contestant(title, one.player) if title and known[title] == 1 else one
        for one, title in zip(contestants, own, strict=True)
    ]


def read_openings(table: Table, game: Game, folder: Path) -> Openings:
    """Take the openings of a table; files are found in the folder."""
    positions = [*table.take("positions", list, []), *_opening_file(table, folder)]
    for text in positions:
        try:
            if not isinstance(text, str):
                raise ZermeloError("{text!r} is not a position; write it as text in quotation marks", text=text)
            if game.position(text).is_over:
                raise ZermeloError("the game is over in {text}", text=text)
        except ZermeloError as error:
            raise table.fail("positions" if "positions" in table.data else "file", str(error), text_of(text)) from None
    found = Openings(
        kind=table.choice("kind", "random", OPENING_KINDS),
        plies=table.number("plies", None, 0, 200),
        count=table.number("count", None, 1, MOST_PAIRS),
        positions=tuple(positions),
        balanced=table.take("balanced", bool, not positions),
        depth=table.number("depth", Openings.depth, 1, 64),
    )
    if positions and found.plies is not None:
        raise table.fail("plies", _("cannot be set when positions are given, because no openings are generated then"))
    if found.kind == "all" and found.plies is None:
        raise table.fail("kind", _("also needs plies, the length of the openings"))
    table.finish()
    return found


def _opening_file(table: Table, folder: Path) -> list[str]:
    """Read positions from a file, one per line. A `#` begins a comment."""
    name = table.take("file", str, None)
    if name is None:
        return []
    try:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise table.fail(
            "file",
            _("{path}: cannot be read: {reason}").format(path=folder / name, reason=getattr(error, "strerror", error)),
        ) from None
    return [text for line in lines if (text := line.split("#")[0].strip())]


def _sprt(table: Table, form: str) -> Sprt | None:
    if form != "sprt":
        if table.data:
            raise table.fail(next(iter(table.data)), _('can be used only with format = "sprt"'))
        return None
    model = table.choice("model", "normalised", ("normalised", "logistic"))
    numbers = {
        name: table.take(name, (int, float), getattr(Sprt, name), _("a number"))
        for name in ("elo0", "elo1", "alpha", "beta")
    }
    table.finish()
    try:
        return Sprt(**numbers, normalised=model == "normalised")
    except ZermeloError as error:
        raise table.fail(next(iter(table.data), "sprt"), str(error)) from None
