"""Rounds by schedule, and the final: ordinary tournaments of everyone who plays when they begin.

A round belongs to the time at which it was due. It is written down before it is begun, so it is played once, by
whichever worker comes first. If no worker ran at that time, it is played as soon as one does. If several were missed,
only the latest is played.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from zermelo.arena.records import Records, now
from zermelo.arena.roster import FINAL, Field, freeze_rungs, plan_of, present_field
from zermelo.arena.settings import ArenaSettings, Rounds
from zermelo.arena.standings import last_round, standings
from zermelo.errors import ZermeloError
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.run import Watch, begin, run
from zermelo.tournaments.store import Store
from zermelo.tournaments.workers import Workers

MOST_GAMES = 40_000
"""If everybody against everybody would take more games than this, the format is Swiss."""

ROUNDS_OF_SWISS = 20


def times_due(rounds: Rounds, settings: ArenaSettings, after: float, until: float) -> list[float]:
    """The times at which rounds are due, after one time and up to another.

    They stay at the same time of the day when clocks change. A time that is skipped in spring is an hour later.
    """
    zone = settings.course.zone
    day = datetime.fromtimestamp(after, zone).date() - timedelta(days=1)
    if rounds.days % 7 == 0:
        day += timedelta(days=(rounds.weekday - day.weekday()) % 7)
    found: list[float] = []
    while True:
        due = datetime.combine(day, time(rounds.hour, rounds.minute), zone).astimezone(UTC).timestamp()
        if due > until:
            return found
        if due > after:
            found.append(due)
        day += timedelta(days=min(rounds.days, 7))


@dataclass(frozen=True)
class Round:
    """A round that was written down: it is being played, or has ended."""

    number: int
    due: float
    ended: float | None = None

    @property
    def tournament(self) -> str:
        return f"round-{self.number}"


def rounds_of(records: Records) -> list[Round]:
    """All rounds so far."""
    return [Round(**one) for one in records.flag("rounds", {}).get("rounds", [])]


def next_round(records: Records, settings: ArenaSettings, at: float | None = None) -> float | None:
    """The time of the next round, for the pages; None if there is none."""
    if settings.rounds is None or records.flag("frozen", False):
        return None
    at = now() if at is None else at
    since = _last_due(records.flag("rounds", {}), at)
    times = times_due(settings.rounds, settings, max(since, at), max(since, at) + 30 * 86_400)
    return next((due for due in times if _is_turn(settings.rounds, since, due)), None)


def _last_due(flag: Mapping[str, Any], at: float) -> float:
    known = flag.get("rounds", [])
    return float(known[-1]["due"] if known else flag.get("since", at))


def _is_turn(rounds: Rounds, since: float, due: float) -> bool:
    """Is it time again? With a round every two weeks, a week after the last one it is not (an hour more or less)."""
    return due - since > (rounds.days - 1) * 86_400 if rounds.days > 7 else True


def due_round(records: Records, settings: ArenaSettings, at: float | None = None) -> Round | None:
    """The round to play now, if there is one: begun and not ended, or due. It is then written down.

    The first call notes when the arena began, because earlier times do not count.
    """
    rounds = rounds_of(records)
    if rounds and rounds[-1].ended is None:
        return rounds[-1]
    if settings.rounds is None or records.flag("frozen", False):
        return None
    at = now() if at is None else at
    if not records.flag("rounds", {}):
        records.change_flag("rounds", {}, lambda value: value or {"since": at, "rounds": []}, "arena")
        publish_rounds(records, settings)
        return None
    if _due(records.flag("rounds", {}), settings, at) is None:
        return None

    def add(value: Any) -> Any:  # another worker may have been quicker
        due = _due(value, settings, at)
        if due is not None:
            value["rounds"].append(asdict(Round(len(value["rounds"]) + 1, due)))
        return value

    records.change_flag("rounds", {}, add, "arena")
    return rounds_of(records)[-1]


def order_round(records: Records, who: str) -> Round:
    """Begin a round now, besides those of the schedule; if one is being played, that one is returned.

    A worker plays it, as it plays those that are due.
    """

    def add(value: Any) -> Any:
        value = value or {"since": now(), "rounds": []}
        if all(one["ended"] is not None for one in value["rounds"]):
            value["rounds"].append(asdict(Round(len(value["rounds"]) + 1, now())))
        return value

    records.change_flag("rounds", {}, add, who)
    return rounds_of(records)[-1]


def _due(flag: Mapping[str, Any], settings: ArenaSettings, at: float) -> float | None:
    """The latest time at which a round was due and not played."""
    assert settings.rounds is not None
    if any(one["ended"] is None for one in flag["rounds"]):
        return None
    since = _last_due(flag, at)
    times = times_due(settings.rounds, settings, since, at)
    return next((due for due in reversed(times) if _is_turn(settings.rounds, since, due)), None)


def play_round(
    store: Store,
    records: Records,
    settings: ArenaSettings,
    this: Round,
    *,
    sandbox: SandboxLimits | None = None,
    threads: int | None = None,
    workers: Workers | None = None,
    watch: Watch = lambda progress: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Play a round, or what is left of it, and publish its table. Returns whether it has ended."""
    freeze_rungs(records, settings)
    players = present_field(records)
    if this.tournament not in store.names():
        if len(players.contestants) < 2:
            _end_round(records, settings, this, {"number": this.number, "due": this.due, "rows": [], "games": 0})
            return True
        pairs = settings.rounds.pairs if settings.rounds is not None else 1
        plan = plan_of(settings, this.tournament, players, sandbox=sandbox, pairs=pairs, seed=this.number)
        begin(store, _fitting(plan))
    if not _play(store, this.tournament, threads, workers, watch, is_stopped):
        return False
    last = last_round(records)
    table = _table(store, records, settings, this.tournament, last)
    ladder = {
        row["student"] or row["contestant"]: {"elo": row["elo"], "ranks": row["ranks"]}
        for row in standings(store, records, settings)["rows"]
    }
    _end_round(records, settings, this, {**table, "number": this.number, "due": this.due, "ladder": ladder})
    return True


def _fitting(plan: Any) -> Any:
    """Everybody against everybody if that is possible in a reasonable number of games, otherwise Swiss."""
    players = len(plan.contestants)
    if players * (players - 1) * plan.pairs <= MOST_GAMES:
        return plan
    return replace(plan, format="swiss", rounds=min(ROUNDS_OF_SWISS, players - 1))


def _play(
    store: Store,
    tournament: str,
    threads: int | None,
    workers: Workers | None,
    watch: Watch,
    is_stopped: Callable[[], bool],
) -> bool:
    was_stopped = False

    def asked() -> bool:
        nonlocal was_stopped
        was_stopped = was_stopped or is_stopped()
        return was_stopped

    run(store, tournament, threads=threads, workers=workers, watch=watch, trust=True, is_stopped=asked)
    return not was_stopped


def _field_of(store: Store, records: Records, tournament: str) -> Field:
    """Who played in a tournament that began earlier."""
    plan, _openings = store.plan(tournament)
    known = {one.name: one for one in records.contestants()}
    rungs = [name for name in plan.names if name in known and known[name].kind == "rung"]
    students = {name: student for name in plan.names if name in known and (student := known[name].student) is not None}
    left = tuple(one for one in plan.contestants if one.name in {*rungs, *students})
    return Field(left, tuple(rungs), students)


def _table(
    store: Store, records: Records, settings: ArenaSettings, tournament: str, last: Mapping[str, Any] | None
) -> dict[str, Any]:
    before = {row["student"] or row["contestant"]: row for row in (last or {}).get("rows", [])}
    players = _field_of(store, records, tournament)
    return standings(store, records, settings, tournament, players=players, before=before)


def _end_round(records: Records, settings: ArenaSettings, this: Round, content: Mapping[str, Any]) -> None:
    ended = now()
    records.publish(f"round/{this.number}", {**content, "ended": ended})

    def end(value: Any) -> Any:
        for one in value["rounds"]:
            if one["number"] == this.number and one["ended"] is None:
                one["ended"] = ended
        return value

    records.change_flag("rounds", {}, end, "arena")
    publish_rounds(records, settings)


def publish_rounds(records: Records, settings: ArenaSettings) -> None:
    """Publish the list of the rounds that have ended, and the time of the next one."""
    ended = [asdict(one) for one in rounds_of(records) if one.ended is not None]
    records.publish("rounds", {"rounds": ended, "next": next_round(records, settings)})


# ------------------------------------------------------------------------------------------ the final


def order_final(store: Store, records: Records, settings: ArenaSettings, who: str, number: int | None = None) -> int:
    """Freeze the arena and order the final; returns the random number that decides its openings and seeds.

    number: chosen by the teacher, for example by a public draw; otherwise it is drawn here. Either way the number and
    everyone who plays, with a digest of each code, are in the audit log before the first game. So nobody can try
    several numbers in secret, and anybody with the same code and the same number gets the same openings.
    """
    if records.flag(FINAL) is not None:
        raise ZermeloError(
            "the final has already been ordered; its random number is {number}", number=records.flag(FINAL)["number"]
        )
    freeze_rungs(records, settings)
    players = present_field(records)
    if len(players.students) < 1 or len(players.contestants) < 2:
        raise ZermeloError("the final needs at least two contestants, one of them a student's")
    how = "chosen" if number is not None else "drawn"
    number = secrets.randbelow(10**9) if number is None else number
    codes = {one.name: _digest(one.player, players.sources) for one in players.contestants}
    with records.changing(durable=True):
        order = {"number": number, "how": how, "ordered": now(), "contestants": codes}
        records.set_flag("frozen", True, who)
        records.change_flag(FINAL, None, lambda value: value or order, who)
        records.audit(who, "final ordered", order)
    found = records.flag(FINAL)
    records.publish(FINAL, {**found, "ended": None})
    return int(found["number"])


def _digest(player: str, sources: Mapping[str, Mapping[str, str]]) -> str:
    file = player and {name: dict(texts) for name, texts in sources.items() if f"{name}:" in player}
    return hashlib.sha256(json.dumps([player, file], sort_keys=True).encode()).hexdigest()


def is_final_due(records: Records) -> bool:
    """Was a final ordered that has not ended?"""
    order = records.flag(FINAL)
    return order is not None and records.published(FINAL)[1].get("ended") is None


def play_final(
    store: Store,
    records: Records,
    settings: ArenaSettings,
    *,
    sandbox: SandboxLimits | None = None,
    threads: int | None = None,
    workers: Workers | None = None,
    watch: Watch = lambda progress: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Play the final that was ordered, from nothing: no game of the ladder counts. Returns whether it has ended."""
    order = records.flag(FINAL)
    if FINAL not in store.names():
        players = present_field(records)
        left = tuple(one for one in players.contestants if one.name in order["contestants"])
        plan = plan_of(
            settings,
            FINAL,
            replace(players, contestants=left),
            sandbox=sandbox,
            pairs=settings.final.pairs,
            seed=order["number"],
        )
        begin(store, _fitting(plan))
    if not _play(store, FINAL, threads, workers, watch, is_stopped):
        return False
    publish_final(store, records, settings, now())
    return True


def publish_final(store: Store, records: Records, settings: ArenaSettings, ended: float | None = None) -> None:
    """Publish the table of the final, as far as it has been played."""
    order = records.flag(FINAL)
    table = _table(store, records, settings, FINAL, None)
    said = {**order, "ended": ended}
    records.publish(FINAL, {**table, **said})
