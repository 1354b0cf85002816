"""The ladder: a tournament without end, which the tournament's own runner plays and the tournament's ledger keeps.

Everything is decided from the ledger and from who plays at present. A pair's name, opening and seed follow from its two
contestants and from how often they have met. So a process may be killed at any moment: the next one finds the pairs
that were begun, plays what is missing of them, and goes on as the first would have done.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from zermelo.arena.matchmaking import Matchmaker
from zermelo.arena.records import Records
from zermelo.arena.roster import LADDER, Field, field_marker, freeze_rungs, plan_of, present_field
from zermelo.arena.settings import ArenaSettings
from zermelo.games import find_game
from zermelo.pieces.sources import files_of
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.openings import digest, find_openings
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.run import Watch, run
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import Store
from zermelo.tournaments.tallies import open_pairs, scores_of, tallies
from zermelo.tournaments.task import Roster
from zermelo.tournaments.workers import Workers

LOOK = 0.5
"""Seconds between two looks at who plays."""

LOOK_AT_OTHERS = 5.0
"""Seconds between two looks at what other workers have played, if several share a database."""

BLOCK = 64
"""Openings are found in blocks of this size. Each two contestants use up a block before they begin the next."""


class Ladder:
    """Decides which pairs are played next on the ladder (see tournaments/pairing.py)."""

    is_endless, ended = True, False

    def __init__(
        self,
        store: Store,
        records: Records,
        settings: ArenaSettings,
        sandbox: SandboxLimits | None = None,
        meetings: int = 4,
    ):
        """meetings: how many are under way at a time. Each needs processes for its two contestants."""
        self.store, self.records, self.settings, self.sandbox = store, records, settings, sandbox
        self.meetings, self.notes = meetings, list[str]()
        self._marker: object = None
        self._looked = self._looked_at_others = 0.0
        self._roster, self._game = Roster(), find_game(settings.game)
        self.field = Field()
        begin_ladder(store, records, settings, sandbox)
        self.plan, self._openings = store.plan(LADDER)
        self._block = BLOCK if _can_grow(self.plan) else max(len(self._openings), 1)
        self._is_used_up = not _can_grow(self.plan)
        self._pairs: Counter[tuple[str, str]] = Counter()  # the number of pairs on the ledger
        self._open: dict[str, Pair] = {}  # pairs on the ledger that are not finished
        self._in_hand: dict[str, Pair] = {}  # those of them that were given to the runner
        rungs = [one.name for one in records.contestants("rung")]
        self.matchmaker = Matchmaker(rungs, settings.ladder.pairs_at_once, settings.ladder.most_pairs)
        self.begin()

    def begin(self) -> None:
        """Begin from what the ledger says. What an earlier run was given and did not finish is given again."""
        self._in_hand.clear()
        self._read_ledger()
        self._look()

    @property
    def playing(self) -> list[tuple[str, str]]:
        """The meetings under way."""
        return list(dict.fromkeys((pair.first, pair.second) for pair in list(self._in_hand.values())))

    # -------------------------------------------------------------------------------- what is known

    def _read_ledger(self) -> None:
        """Read the results from the ledger. Half a pair does not count until the other half is played."""
        points: dict[tuple[str, str], float] = {}
        self._pairs.clear()
        for tally in tallies(self.store, LADDER):
            both = tally.first, tally.second
            self._pairs[both] += tally.pairs
            points[both] = tally.points
            points[both[::-1]] = tally.games - tally.points
        self._open = {pair.id: pair for pair in open_pairs(self.store, LADDER)}
        for pair in self._open.values():
            for score in scores_of(self.store, LADDER, pair.id).values():
                points[pair.first, pair.second] -= score
                points[pair.second, pair.first] -= 1 - score
        self.matchmaker.know(points)

    def _look(self) -> None:
        """See who plays at present."""
        self._looked = time.monotonic()
        marker = field_marker(self.records)
        if marker == self._marker:
            return
        self._marker, self.field = marker, present_field(self.records)
        self.matchmaker.enter(self.field.names)
        present = replace(plan_of(self.settings, LADDER, self.field, sandbox=self.sandbox), pairs=0)
        self.store.set_plan(present)
        # Games of those who have left may be under way, so this process knows them until these games are over.
        needed = {name for pair in self._in_hand.values() for name in (pair.first, pair.second)} - set(self.field.names)
        left = [one for one in self.plan.contestants if one.name in needed]
        kept = {file for one in left for file in files_of(one.player)}
        sources = {**{file: texts for file, texts in self.plan.sources.items() if file in kept}, **present.sources}
        self.plan = replace(present, contestants=(*present.contestants, *left), sources=sources)

    # -------------------------------------------------------------------------------- what the runner asks

    def advance(self, score_of: Mapping[str, float]) -> list[Pair]:
        """Return the next pairs: first those that were begun, then new ones where they tell most."""
        for name, score in score_of.items():
            pair = self._open.pop(name, None)
            self._in_hand.pop(name, None)
            if pair is not None:
                self.matchmaker.add(pair.first, pair.second, score)
        if time.monotonic() - self._looked >= LOOK:
            self._look()
        if self.store.is_shared and time.monotonic() - self._looked_at_others >= LOOK_AT_OTHERS:
            self._looked_at_others = time.monotonic()
            self._read_ledger()
        present = set(self.field.names)
        new = [
            pair
            for name, pair in self._open.items()
            if name not in self._in_hand and pair.first in present and pair.second in present
        ]
        self._in_hand.update((pair.id, pair) for pair in new)
        playing = self.playing
        busy = {name for meeting in playing for name in meeting}

        def can_meet(one: str, other: str) -> bool:  # two rungs are never busy, but meet once at a time
            return (one, other) not in playing and self._opening(one, other, self._pairs[one, other]) is not None

        for one, other in self.matchmaker.choose(self.meetings - len(playing), busy, can_meet):
            for _ in range(self.settings.ladder.pairs_at_once):
                pair = self._next_pair(one, other)
                if pair is not None:
                    self._open[pair.id] = self._in_hand[pair.id] = pair
                    new.append(pair)
        return new

    def taken(self, pair: Pair) -> None:
        """Another worker plays this pair. If it is never finished, we find it when we read the ledger again."""
        self._in_hand.pop(pair.id, None)
        self._open.pop(pair.id, None)

    # -------------------------------------------------------------------------------- pairs and openings

    def _next_pair(self, one: str, other: str) -> Pair | None:
        number = self._pairs[one, other]
        opening = self._opening(one, other, number)
        if opening is None:
            return None
        self._pairs[one, other] = number + 1
        name = f"{one}-{other}/{number}"
        return Pair(name, 1, one, other, number, opening, 0, digest(f"{self.plan.seed} {name}"))

    def _opening(self, one: str, other: str, number: int) -> str | None:
        """The opening of a pair; None if the two would repeat their games because there are no more openings.

        Each two contestants take the openings of a block in an order of their own, so that not everybody begins with
        the same few.
        """
        begin = number // self._block * self._block
        while len(self._openings) < begin + self._block and not self._is_used_up:
            self._find_more()
        size = min(self._block, len(self._openings) - begin)
        if size <= 0 or number >= len(self._openings):
            return None if self._is_fixed(one, other) else self._openings[number % len(self._openings)]
        shift = digest(f"{one} {other}")
        return self._openings[begin + (number + shift) % size]

    def _find_more(self) -> None:
        """Add a block of openings. It depends on nothing but those that are known."""
        if len(self._openings) % self._block:  # the last block could not be filled
            self._is_used_up = True
            return
        more = _openings(self.plan, self._openings)
        self._is_used_up = len(more) < self._block
        if more:
            self._openings = [*self._openings, *more]
            self.store.set_openings(LADDER, self._openings)

    def _is_fixed(self, *names: str) -> bool:
        known = {one.name: one for one in self.plan.contestants}
        return all(self._roster.named(known[name], self._game).is_deterministic for name in names)


def _can_grow(plan: Plan) -> bool:
    """Are openings found by the program, as many as are needed?"""
    return not plan.openings.positions and plan.openings.count is None and plan.openings.kind != "all"


def _openings(plan: Plan, known: Sequence[str]) -> list[str]:
    seed = digest(f"{plan.seed} {len(known)}") % 1_000_000_007 if known else plan.seed
    return find_openings(find_game(plan.game), plan.openings, BLOCK, seed, known)


def begin_ladder(store: Store, records: Records, settings: ArenaSettings, sandbox: SandboxLimits | None) -> None:
    """Enter the ladder into the ledger, if it is not there yet. An ordinary run has nothing to play in it."""
    freeze_rungs(records, settings)
    if LADDER not in store.names():
        plan = plan_of(settings, LADDER, present_field(records), sandbox=sandbox)
        store.create(plan, _openings(plan, []))


def play_ladder(
    ladder: Ladder,
    *,
    threads: int | None = None,
    workers: Workers | None = None,
    watch: Watch = lambda progress: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Play the ladder until is_stopped answers True. Games under way are then abandoned, and played again later."""
    ladder.begin()
    run(
        ladder.store,
        LADDER,
        threads=threads,
        workers=workers,
        watch=watch,
        trust=True,  # it is the arena's own, and its files run in the sandbox
        schedule=ladder,
        is_stopped=is_stopped,
    )
