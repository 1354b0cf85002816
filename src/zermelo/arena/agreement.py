"""Agreement of moves: in how many of the same positions two students' players choose the same move.

Copied ideas survive any change of the text, and show here. The positions are taken from the ladder's own games, and
every student's current player is asked about all of them, in its sandbox, when the worker has nothing better to do. The
ledger alone would not do: on distinct openings, two players hardly ever meet the same position.

Good players agree because the best move is the best move. So beside each number stands the one to expect: how often
the two agree with others who are about as strong.
"""

import math
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.errors import ZermeloError
from zermelo.games import stored_game
from zermelo.match import Record
from zermelo.position import Game
from zermelo.processes.foreign import ProcessFault
from zermelo.tournaments.guests import GuestProcess, Sources
from zermelo.tournaments.openings import digest
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.store import Store

LADDER = "ladder"
ASKED = 40
"""How many positions every player is asked about."""
FEWEST_MOVES = 3
"""A position with fewer legal moves says little."""
FEWEST_GAMES = 20
"""The positions are chosen once, when the ladder has this many games."""
PEERS = 8
"""How many others of about the same strength tell what agreement to expect."""
MOST_SECONDS = 20.0
"""How long one player is asked, without loading; slow players answer fewer of the questions."""
MOST_PAIRS = 200

Place = tuple[str, list[str]]
"""A position as it is sent to a process: a start, and moves."""


@dataclass(frozen=True)
class Agreement:
    """How often two players choose the same move."""

    one: str
    other: str
    asked: int  #: in how many positions both answered
    equal: float  #: the share of these in which they chose the same move
    expected: float | None  #: the share among others of their strength; None if there are too few others

    @property
    def surprise(self) -> float:
        """How many standard deviations it lies above what is expected."""
        if self.expected is None or self.asked == 0:
            return 0.0
        likely = min(max(self.expected, 0.02), 0.98)
        return (self.equal - self.expected) / math.sqrt(likely * (1 - likely) / self.asked)


def agreements(moves: Mapping[str, Sequence[str | None]], elo: Mapping[str, float]) -> list[Agreement]:
    """All pairs of players, the most surprising first. moves: player -> its move in each position, if it gave one."""
    names = sorted(moves)
    shares: dict[tuple[str, str], tuple[int, float]] = {}
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            both = [(a, b) for a, b in zip(moves[one], moves[other], strict=False) if a is not None and b is not None]
            share = sum(a == b for a, b in both) / len(both) if both else 0.0
            shares[one, other] = shares[other, one] = len(both), share

    def expected(one: str, other: str) -> Iterator[float]:
        """How often `one` agrees with those who are about as strong as `other`."""
        rest = [name for name in names if name not in (one, other) and shares[one, name][0]]
        rest.sort(key=lambda name: (abs(elo.get(name, 0.0) - elo.get(other, 0.0)), name))
        yield from (shares[one, name][1] for name in rest[:PEERS])

    found = []
    for (one, other), (asked, share) in shares.items():
        if one < other and asked:
            others = [*expected(one, other), *expected(other, one)]
            # The median, because a third copy must not make two copies look usual.
            found.append(Agreement(one, other, asked, share, statistics.median(others) if len(others) >= 4 else None))
    return sorted(found, key=lambda pair: (-pair.surprise, pair.one, pair.other))


# ------------------------------------------------------------------------------------------ the chore


def agreement_chore(records: Records, store: Store, settings: ArenaSettings) -> bool:
    """Ask one more player for its moves, or tell how far they all agree. Returns whether there was anything to do."""
    if LADDER not in store.names() or records.flag("paused", False):
        return False
    plan, _openings = store.plan(LADDER)
    places = _places(records, store, plan)
    if not places:
        return False
    now_playing = {one.contestant for one in records.current().values()}
    players = [one for one in records.contestants("student") if one.name in now_playing and one.player]
    moves: dict[str, list[str | None]] = {}
    for player in players:
        _revision, known = records.published(f"moves/{player.name}")
        if not known:
            chosen = chosen_moves(player.player, records.sources(player.name), places, plan)
            records.publish(f"moves/{player.name}", {"moves": chosen})
            return True
        moves[player.name] = known["moves"]
    rows = records.published("standings")[1].get("rows", [])
    elo = {row["contestant"]: row["elo"] for row in rows if isinstance(row.get("elo"), (int, float))}
    found = [vars(pair) | {"surprise": round(pair.surprise, 2)} for pair in agreements(moves, elo)[:MOST_PAIRS]]
    before = records.published("agreement")[1]
    if before.get("players") == sorted(moves):  # ratings move all the time; that alone is no news
        return False
    records.publish("agreement", {"players": sorted(moves), "positions": len(places), "pairs": found})
    return True


def _places(records: Records, store: Store, plan: Plan) -> list[Place]:
    """The positions that everybody is asked about; none while the ladder has too few games."""
    known = records.published("agreement/positions")[1]
    if not known and store.counts(LADDER)[0] >= FEWEST_GAMES:
        results = sorted(store.results(LADDER, 4 * ASKED), key=lambda one: digest(f"{one.pair} {one.swapped}"))
        found: list[Place] = []
        for result in results:
            game = store.game(LADDER, result.pair, result.swapped)
            place = _place(game.record, stored_game(plan.game, plan.name)) if game is not None else None
            if place is not None and place not in found:
                found.append(place)
            if len(found) >= ASKED:
                break
        known = {"places": found}
        records.publish("agreement/positions", known)
    return [(start, list(line)) for start, line in known.get("places", [])]


def _place(record: Record, game: Game) -> Place | None:
    """A position of a game, chosen by chance; None if there is little choice in it."""
    moves = [move.move for move in record.moves]
    line = moves[: digest(f"{record.start} {moves}") % max(1, len(moves))]
    try:
        position = game.position(record.start)
        for move in line:
            position = position.play(move)
    except ZermeloError:
        return None
    return (record.start, line) if len(position.moves) >= FEWEST_MOVES and not position.is_over else None


def chosen_moves(player: str, sources: Sources, places: Sequence[Place], plan: Plan) -> list[str | None]:
    """What a player chooses in these positions, in a process of its own, in the ladder's sandbox.

    None where it fails. After a crash of its process, or when its time is over, it is not asked any further.
    """
    limits = plan.limits
    limit = limits.move_limit if limits.seconds is None else limits.seconds + limits.grace
    found: list[str | None] = []
    try:
        with GuestProcess(plan.game, sources, plan.sandbox) as guest:
            guest.seat(player, limits.load_limit)
            guest.order("think", player=player, places=places)
            began = time.monotonic()
            while len(found) < len(places) and time.monotonic() - began < MOST_SECONDS:
                answer = guest.answer(limits.load_limit)
                if "begun" in answer:
                    answer = guest.answer(limit)
                found.append(_move(answer))
    except (ProcessFault, ZermeloError):
        pass
    return found + [None] * (len(places) - len(found))


def _move(answer: Mapping[str, Any]) -> str | None:
    choice = answer.get("choice")
    move = choice.get("move") if isinstance(choice, Mapping) else None
    return move[:100] if isinstance(move, str) else None
