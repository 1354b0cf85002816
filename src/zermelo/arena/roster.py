"""Who plays in an arena: the latest valid version of each student, and the rungs, which never change."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Entrant
from zermelo.calls import parse_call
from zermelo.games import find_game
from zermelo.language import _
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.contestants import Contestant, Entry, gather_sources
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Limits

LADDER, FINAL = "ladder", "final"
"""The names of the ladder and of the final in the ledger. Rounds are round-1, round-2 and so on."""


@dataclass(frozen=True)
class Field:
    """Everyone who plays at present: the rungs first, then the students in the order in which their code came."""

    contestants: tuple[Contestant, ...] = ()
    rungs: tuple[str, ...] = ()
    students: Mapping[str, str] = field(default_factory=dict)  # contestant -> student
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [contestant.name for contestant in self.contestants]


def present_field(records: Records, *, code: bool = True) -> Field:
    """Who plays at present. A student who has taken a version back plays with the latest valid one before it.

    code=False leaves out their sources, which are by far the largest part.
    """
    playing = {one.contestant: one.student for one in records.current().values() if one.contestant is not None}
    known = records.contestants()
    rungs = [one for one in known if one.kind == "rung" and one.retired is None]
    students = [one for one in known if one.name in playing and one.player]
    names = [one.name for one in [*rungs, *students]] if code else []
    return Field(
        tuple(Contestant(one.name, one.player) for one in [*rungs, *students]),
        tuple(one.name for one in rungs),
        {one.name: playing[one.name] for one in students},
        {file: texts for name in names for file, texts in records.sources(name).items()},
    )


def field_marker(records: Records) -> object:
    """Something that changes whenever another field plays, and can be had quickly."""
    latest = "SELECT student, MAX(id) FROM arena_submissions WHERE state = 'valid' GROUP BY student ORDER BY student"
    rungs = "SELECT COUNT(*) FROM arena_contestants WHERE kind = 'rung' AND retired IS NULL"
    return records.store.execute(latest), records.store.execute(rungs)


def freeze_rungs(records: Records, settings: ArenaSettings) -> list[Entrant]:
    """Make the rungs when the arena is made, with their budget and their files. Later this changes nothing."""
    if not records.contestants("rung"):
        entry = entry_of(settings)
        rungs = [(text, one) for text in settings.ladder.rungs for one in entry.enlist(text)]
        with records.changing(durable=True):
            for number, (_place, one) in enumerate(rungs, 1):
                name = f"rung-{number}"
                sources = gather_sources([one.player], settings.folder)
                records.add_contestant(name, one.player, sources, "rung", title=rung_title(one.name))
    return records.contestants("rung")


def rung_title(text: str) -> str:
    """What pages call a rung. A heuristic that searches to some depth has a short name, which fits on a phone.

    >>> rung_title("alphabeta(depth=3, heuristic=corners)")
    'corners, depth 3'
    >>> rung_title("random")
    'random'
    """
    options = parse_call(text).options
    if set(options) != {"depth", "heuristic"}:
        return text
    return _("{heuristic}, depth {depth}").format(heuristic=options["heuristic"], depth=options["depth"])


def entry_of(settings: ArenaSettings, sandbox: SandboxLimits | None = None) -> Entry:
    """How heuristics, searches and players become contestants of this arena."""
    budget = settings.budget
    return Entry(
        find_game(settings.game), parse_call(budget.search), dict(budget.options), settings.folder, sandbox=sandbox
    )


def limits_of(settings: ArenaSettings) -> Limits:
    """The limits of a game. With a budget of nodes or a depth, the clock is only for files that hang."""
    seconds = settings.budget.seconds_per_move
    return Limits(seconds=seconds if settings.budget.seconds is not None else None, move_limit=seconds)


def plan_of(
    settings: ArenaSettings,
    name: str,
    players: Field,
    *,
    sandbox: SandboxLimits | None = None,
    pairs: int = 0,
    seed: int = 1,
) -> Plan:
    """The plan of a tournament of everyone who plays at present."""
    return Plan(
        name=name,
        game=settings.game,
        contestants=players.contestants,
        pairs=pairs,
        seed=seed,
        openings=settings.openings,
        limits=limits_of(settings),
        sources=players.sources,
        sandbox=sandbox,
    )
