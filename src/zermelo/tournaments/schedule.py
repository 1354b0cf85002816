"""Who plays whom. Each format is a generator, which yields the matches of a round and is then sent their results.

The course of a tournament therefore follows from its results, and an interrupted tournament is continued by sending the
results that are known.
"""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from zermelo.language import _
from zermelo.tournaments.openings import digest
from zermelo.tournaments.plan import FORMATS, Plan
from zermelo.tournaments.sprt import Running


@dataclass(frozen=True)
class Match:
    """Two contestants and the number of pairs of games they play."""

    round: int
    one: str
    other: str
    pairs: int
    prolonged: int = 0  # number of earlier matches that this one prolongs: drawn in a knockout, undecided in an SPRT


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games on one opening with colours swapped, which are one row of the ledger."""

    id: str
    round: int
    first: str  # the contestant who moves first in the first of the two games
    second: str
    number: int  # place among the pairs of these two contestants
    opening: str
    depth_step: int
    seed: int


Results = Mapping[Match, Sequence[float]]
"""The points of `one`, from 0 to 2, in each pair of a finished match."""

Rounds = Generator[list[Match], Results, None]


def round_robin(plan: Plan) -> Rounds:
    """Everyone plays everyone."""
    names = plan.names
    meetings = [(a, b) for i, a in enumerate(names) for b in names[i + (not plan.allow_selfmatch) :]]
    yield [Match(1, a, b, plan.pairs) for a, b in meetings]


def gauntlet(plan: Plan) -> Rounds:
    """The first contestant plays all others."""
    champion, *others = plan.names
    if plan.allow_selfmatch:
        others.insert(0, champion)
    yield [Match(1, champion, other, plan.pairs) for other in others]


SPRT_BLOCK = 200
"""Pairs of an SPRT and their openings are made in blocks of this size, because the test may end early."""


def sprt(plan: Plan) -> Rounds:
    """The new contestant plays the old one until the test has a verdict."""
    new, old = plan.names
    for block, begin in enumerate(range(0, plan.pairs, SPRT_BLOCK)):
        yield [Match(1, new, old, min(SPRT_BLOCK, plan.pairs - begin), block)]


def swiss(plan: Plan) -> Rounds:
    """In each round, contestants with similar numbers of points play, if possible nobody twice."""
    points = dict.fromkeys(plan.names, 0.0)
    met: dict[frozenset[str], int] = {}
    rested: set[str] = set()
    for number in range(1, swiss_rounds(plan) + 1):
        order = sorted(plan.names, key=lambda name: -points[name])  # with equal points, in the order of the plan
        if len(order) % 2:
            # The lowest contestant who has not rested yet rests this round and gets the points of a won match.
            resting = next((name for name in reversed(order) if name not in rested), order[-1])
            rested.add(resting)
            order.remove(resting)
            points[resting] += 2 * plan.pairs
        matches = [Match(number, a, b, plan.pairs) for a, b in pair_up(order, met)]
        results = yield matches
        for match in matches:
            scored = sum(results[match])
            points[match.one] += scored
            points[match.other] += 2 * len(results[match]) - scored
            both = frozenset((match.one, match.other))
            met[both] = met.get(both, 0) + 1


def swiss_rounds(plan: Plan) -> int:
    """Return the number of rounds: by default enough to find a winner, but no more than everyone has opponents."""
    players = len(plan.names)
    return plan.rounds or min(math.ceil(math.log2(players)) + 2, players - 1 + players % 2)


SEARCHED, SEARCHED_EACH = 20_000, 100
"""The search for pairs gives up after 20,000 opponents tried, or 100 for each contestant if that is more."""


def pair_up(order: Sequence[str], met: Mapping[frozenset[str], int]) -> list[tuple[str, str]]:
    """Pair the best contestant with the next best one it has not played, and so on down the list.

    If the rest cannot be paired, an earlier pair is changed. If there is no way without repeated meetings, second
    meetings are allowed, then third ones.
    """
    for most in range(max(met.values(), default=0) + 1):
        found = _pair_within(order, met, most) or _pair_by_exchange(order, met, most)
        if found is not None:
            return found
    return [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]


def _pair_within(order: Sequence[str], met: Mapping[frozenset[str], int], most: int) -> list[tuple[str, str]] | None:
    """Return pairs that have met at most `most` times, or None if there are none or they are not found soon.

    Contestants without an opponent are kept in order in a ring of places, in which `size` stands before the first and
    after the last. (A function that calls itself for every pair would reach Python's limit with 2,000 contestants.)
    """
    size = len(order)
    after, before = [*range(1, size + 1), 0], [size, *range(size)]

    def take(place: int) -> None:
        after[before[place]], before[after[place]] = after[place], before[place]

    def put_back(place: int) -> None:  # in the reverse order of taking
        after[before[place]] = before[after[place]] = place

    pairs: list[tuple[int, int]] = []
    tried, limit = 0, max(SEARCHED, SEARCHED_EACH * size)
    first = other = after[size]  # the contestant to pair, and the last opponent tried
    take(first)
    while first != size:
        other = after[other]
        if other == size:  # no opponent is left for this contestant, so the pair before must change
            put_back(first)
            if not pairs:
                return None
            first, other = pairs.pop()
            put_back(other)
            continue
        tried += 1
        if tried > limit:
            return None
        if met.get(frozenset((order[first], order[other])), 0) <= most:
            take(other)
            pairs.append((first, other))
            first = other = after[size]
            take(first)  # (if nobody is left, this changes nothing)
    return [(order[one], order[two]) for one, two in pairs]


def _pair_by_exchange(
    order: Sequence[str], met: Mapping[frozenset[str], int], most: int
) -> list[tuple[str, str]] | None:
    """Do the same for many contestants, for whom going back step by step takes too long.

    Neighbours are paired, and two who have met too often exchange opponents with the nearest pair for which that works.
    Pairs above are tried first.
    """

    def fits(one: str, other: str) -> bool:
        return met.get(frozenset((one, other)), 0) <= most

    pairs = [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]
    for place in range(len(pairs)):
        a, b = pairs[place]
        if fits(a, b):
            continue
        for other in [*range(place - 1, -1, -1), *range(place + 1, len(pairs))]:
            c, d = pairs[other]
            better = next(
                (two for two in (((c, a), (d, b)), ((c, b), (d, a))) if fits(*two[0]) and fits(*two[1])), None
            )
            if better is not None:
                pairs[other], pairs[place] = better
                break
        else:
            return None
    return pairs


TIE_BREAKS = 4
"""In a knockout, a drawn match is prolonged by one pair up to 4 times. Then the contestant listed first advances."""


def knockout(plan: Plan) -> Rounds:
    """The loser of a match is out. The bracket follows the order of the list, and those listed first get the byes."""
    place = {name: i for i, name in enumerate(plan.names)}
    size = 1 << (len(place) - 1).bit_length()
    bracket = [plan.names[i] if i < len(place) else None for i in bracket_order(size)]
    number = 0
    while len(bracket) > 1:
        number += 1
        meetings = list(zip(bracket[::2], bracket[1::2], strict=True))
        winners = {(a, b): a or b for a, b in meetings if a is None or b is None}
        open_meetings = [(a, b) for a, b in meetings if a is not None and b is not None]
        for attempt in range(1 + TIE_BREAKS):
            pairs = plan.pairs if attempt == 0 else 1
            matches = [Match(number, a, b, pairs, attempt) for a, b in open_meetings if (a, b) not in winners]
            if not matches:
                break
            results = yield matches
            for match in matches:
                lead = sum(results[match]) - len(results[match])
                if lead:
                    winners[match.one, match.other] = match.one if lead > 0 else match.other
        for a, b in open_meetings:
            winners.setdefault((a, b), min(a, b, key=place.__getitem__))
        bracket = [winners[meeting] for meeting in meetings]


def bracket_order(size: int) -> list[int]:
    """Return the places of the list in the order of the bracket, in which the first two can meet only in the final.

    >>> bracket_order(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        order = [one for place in order for one in (place, 2 * len(order) - 1 - place)]
    return order


def ladder(plan: Plan) -> Rounds:
    """Neighbours on the ladder play, alternately from odd and even rungs, and the winner takes the higher rung."""
    rungs = list(plan.names)
    for number in range(1, ladder_rounds(plan) + 1):
        matches = {i: Match(number, rungs[i], rungs[i + 1], plan.pairs) for i in upper_rungs(plan, number)}
        results = yield list(matches.values())
        for i, match in matches.items():
            if sum(results[match]) < len(results[match]):
                rungs[i], rungs[i + 1] = rungs[i + 1], rungs[i]


def upper_rungs(plan: Plan, number: int) -> range:
    """Return the rungs whose holders are challenged from the rung below in this round."""
    rungs = len(plan.names)
    return range(number % 2, rungs - 1, 2) if rungs > 2 else range(1)


def ladder_rounds(plan: Plan) -> int:
    """Return the number of rounds: by default that of the rungs, so that anyone can climb from bottom to top."""
    return plan.rounds or len(plan.names)


ROUNDS: dict[str, Callable[[Plan], Rounds]] = dict(
    zip(FORMATS, (round_robin, gauntlet, swiss, knockout, ladder, sprt), strict=True)
)


def meetings_expected(plan: Plan) -> int:
    """Return the number of matches that a tournament will have, as far as that can be known."""
    players = len(plan.names)
    return {
        "round robin": players * (players - 1) // 2 + players * plan.allow_selfmatch,
        "gauntlet": players - 1 + plan.allow_selfmatch,
        "swiss": swiss_rounds(plan) * (players // 2),
        "knockout": players - 1,
        "ladder": sum(len(upper_rungs(plan, number)) for number in range(1, ladder_rounds(plan) + 1)),
        "sprt": 1,
    }[plan.format]


def openings_needed(plan: Plan) -> int:
    """Return the number of pairs that two contestants may play in all, each of which needs an opening."""
    if plan.format == "sprt":
        return min(plan.pairs, SPRT_BLOCK)  # more are found when the first block is used up
    again = {"knockout": TIE_BREAKS, "ladder": plan.pairs * (ladder_rounds(plan) // 2)}
    return plan.pairs + again.get(plan.format, 0)


class Schedule:
    """The pairs of a tournament, as far as they follow from the results so far.

    `is_fixed` answers whether two contestants would repeat the same game on the same opening. `more_openings` is called
    when a match needs more openings than are left.
    """

    is_endless = False

    def __init__(
        self,
        plan: Plan,
        openings: Sequence[str],
        is_fixed: Callable[[str, str], bool] = lambda one, other: False,
        more_openings: Callable[[Sequence[str], int], Sequence[str]] = lambda known, needed: (),
    ):
        self.plan, self.openings = plan, list(openings)
        self.is_fixed, self.more_openings = is_fixed, more_openings
        self.notes: list[str] = []
        self.pairs: dict[Match, list[Pair]] = {}
        self.test = Running(plan.sprt) if plan.sprt is not None else None
        self.ended = False
        self._place = {name: i for i, name in enumerate(plan.names)}
        self._played: dict[tuple[str, str], int] = {}
        self._rounds = ROUNDS[plan.format](plan)
        self._current: list[Match] = []
        self._in_order: list[Pair] = []

    def advance(self, score_of: Mapping[str, float]) -> list[Pair]:
        """Return the new pairs to play (see Pairing)."""
        new: list[Pair] = []
        results: Results | None = None
        while not self.ended and (not self._current or self._is_finished(score_of)):
            if self._is_decided(score_of):
                self.ended = True
                break
            if self._current:
                results = {m: [score_of[pair.id] for pair in self.pairs[m]] for m in self._current}
            try:
                self._current = next(self._rounds) if results is None else self._rounds.send(results)
            except StopIteration:
                self.ended = True
                break
            for match in self._current:
                self.pairs[match] = self._pairs_of(match)
            # First one pair of every match, then another, so that early standings are already fair.
            now = sorted((pair for m in self._current for pair in self.pairs[m]), key=lambda pair: pair.number)
            self._in_order += now
            new += now
        return new

    def taken(self, pair: Pair) -> None:
        """The runner waits for the other process."""

    def _is_finished(self, score_of: Mapping[str, float]) -> bool:
        return self._is_decided(score_of) or all(p.id in score_of for m in self._current for p in self.pairs[m])

    def _is_decided(self, score_of: Mapping[str, float]) -> bool:
        """If this is an SPRT, do the finished pairs, taken in order, already give a verdict?"""
        if self.test is None:
            return False
        for pair in self._in_order[self.test.used :]:
            if self.test.verdict is not None or pair.id not in score_of:
                break
            self.test.add(score_of[pair.id])
        return self.test.verdict is not None

    def _pairs_of(self, match: Match) -> list[Pair]:
        one, other = sorted((match.one, match.other), key=self._place.__getitem__)
        before = self._played.get((one, other), 0)
        wanted = match.pairs
        available = len(self.openings) - before
        if available < wanted:
            self.openings += self.more_openings(self.openings, wanted - available)
            available = len(self.openings) - before
        if available < wanted and not self.plan.increasing_depth:
            if self.is_fixed(one, other):
                fewer = max(available, 0)
                self._note(
                    _(
                        "{one} and {other} always play the same game from the same opening, and there are only "
                        "{number} different openings, so they play {fewer} pairs instead of {wanted}"
                    ).format(one=one, other=other, number=len(self.openings), fewer=fewer, wanted=wanted)
                )
                wanted = fewer
            else:
                told = _("{one} and {other} play some of the {number} openings more than once")
                self._note(told.format(one=one, other=other, number=len(self.openings)))
        self._played[one, other] = before + wanted
        return [self._pair(match, before + step, step) for step in range(wanted)]

    def _pair(self, match: Match, number: int, step: int) -> Pair:
        a, b = self._place[match.one], self._place[match.other]
        name = f"{match.round}/{a}-{b}/{number}"
        return Pair(
            id=name,
            round=match.round,
            first=match.one,
            second=match.other,
            number=number,
            opening=self.openings[number % len(self.openings)],
            depth_step=step if self.plan.increasing_depth else 0,
            seed=digest(f"{self.plan.seed} {name}"),
        )

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)
