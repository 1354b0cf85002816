"""Who meets whom. Each format is a generator: it yields the matches of a round and is sent their results.

So the whole course of a tournament follows from its results, and an interrupted one is continued by sending the
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
    """Two contestants and how many pairs of games they play."""

    round: int
    one: str
    other: str
    pairs: int
    prolonged: int = 0  # how often, before this one: a drawn match of a knockout, an undecided SPRT


@dataclass(frozen=True)
class Pair:
    """Two games on one opening, colours swapped: a row of the ledger."""

    id: str
    round: int
    first: str  # moves first in the first of the two games
    second: str
    number: int  # among the pairs of these two
    opening: str
    depth_step: int
    seed: int


Results = Mapping[Match, Sequence[float]]
"""The points of `one` in each pair of a finished match, 0 to 2."""

Rounds = Generator[list[Match], Results, None]


def round_robin(plan: Plan) -> Rounds:
    """Everyone against everyone."""
    names = plan.names
    meetings = [(a, b) for i, a in enumerate(names) for b in names[i + (not plan.allow_selfmatch) :]]
    yield [Match(1, a, b, plan.pairs) for a, b in meetings]


def gauntlet(plan: Plan) -> Rounds:
    """The first against all others."""
    champion, *others = plan.names
    if plan.allow_selfmatch:
        others.insert(0, champion)
    yield [Match(1, champion, other, plan.pairs) for other in others]


SPRT_BLOCK = 200
"""An SPRT may end soon: pairs (and their openings) are made in blocks, not all that are allowed."""


def sprt(plan: Plan) -> Rounds:
    """The new one against the old one, until it is decided."""
    new, old = plan.names
    for block, begin in enumerate(range(0, plan.pairs, SPRT_BLOCK)):
        yield [Match(1, new, old, min(SPRT_BLOCK, plan.pairs - begin), block)]


def swiss(plan: Plan) -> Rounds:
    """Each round, players with about as many points meet, nobody twice if it can be helped."""
    points = dict.fromkeys(plan.names, 0.0)
    met: dict[frozenset[str], int] = {}
    rested: set[str] = set()
    for number in range(1, swiss_rounds(plan) + 1):
        order = sorted(plan.names, key=lambda name: -points[name])  # equal ones as they entered
        if len(order) % 2:
            # The last who has not rested yet has a round off, and the points of a won match for it.
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
    """Enough to find a winner and sort the rest a little, by default; at most everyone meets everyone."""
    players = len(plan.names)
    return plan.rounds or min(math.ceil(math.log2(players)) + 2, players - 1 + players % 2)


SEARCHED, SEARCHED_EACH = 20_000, 100
"""So many opponents are tried before the search gives up; in a large tournament, so many for each player."""


def pair_up(order: Sequence[str], met: Mapping[frozenset[str], int]) -> list[tuple[str, str]]:
    """Pair the best with the next best that it has not met, and so on down; back up a step when the rest cannot be.

    If nobody is left to meet for the first time, second meetings are allowed, then third.
    """
    for most in range(max(met.values(), default=0) + 1):
        found = _pair_within(order, met, most) or _pair_by_exchange(order, met, most)
        if found is not None:
            return found
    return [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]


def _pair_within(order: Sequence[str], met: Mapping[frozenset[str], int], most: int) -> list[tuple[str, str]] | None:
    """Pairs that have met at most so often; None if there are none, or they are not found soon.

    Those without an opponent yet stand in a ring of places, in their order: `size` is before the first and after the
    last. (A function that calls itself for every pair would reach Python's limit with 2,000 players.)
    """
    size = len(order)
    after, before = [*range(1, size + 1), 0], [size, *range(size)]

    def take(place: int) -> None:
        after[before[place]], before[after[place]] = after[place], before[place]

    def put_back(place: int) -> None:  # the last one taken first
        after[before[place]] = before[after[place]] = place

    pairs: list[tuple[int, int]] = []
    tried, limit = 0, max(SEARCHED, SEARCHED_EACH * size)
    first = other = after[size]  # who is being paired, and the last opponent tried
    take(first)
    while first != size:
        other = after[other]
        if other == size:  # nobody is left for this one: the pair above must be another
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
            take(first)  # (of nobody, it changes nothing)
    return [(order[one], order[two]) for one, two in pairs]


def _pair_by_exchange(
    order: Sequence[str], met: Mapping[frozenset[str], int], most: int
) -> list[tuple[str, str]] | None:
    """The same for a large field, in which the search backs up too slowly: neighbours are paired, and those who have
    met too often exchange opponents with the nearest pair with which that helps, those above first.
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
"""In a knockout, so many times a drawn match is prolonged by one pair; then whoever is listed first goes on."""


def knockout(plan: Plan) -> Rounds:
    """Whoever loses a match is out. The bracket follows the order of entry; those listed first have the byes."""
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
    """The places of the list in the order of the bracket: the first two can meet only in the final.

    >>> bracket_order(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        order = [one for place in order for one in (place, 2 * len(order) - 1 - place)]
    return order


def ladder(plan: Plan) -> Rounds:
    """Neighbours on the ladder meet, in turn the odd and the even rungs; who wins takes the higher rung."""
    rungs = list(plan.names)
    for number in range(1, ladder_rounds(plan) + 1):
        matches = {i: Match(number, rungs[i], rungs[i + 1], plan.pairs) for i in upper_rungs(plan, number)}
        results = yield list(matches.values())
        for i, match in matches.items():
            if sum(results[match]) < len(results[match]):
                rungs[i], rungs[i + 1] = rungs[i + 1], rungs[i]


def upper_rungs(plan: Plan, number: int) -> range:
    """Those who are challenged in this round, by the next below each."""
    rungs = len(plan.names)
    return range(number % 2, rungs - 1, 2) if rungs > 2 else range(1)


def ladder_rounds(plan: Plan) -> int:
    """As many as there are rungs, by default: then everyone can have come from the bottom to the top."""
    return plan.rounds or len(plan.names)


ROUNDS: dict[str, Callable[[Plan], Rounds]] = dict(
    zip(FORMATS, (round_robin, gauntlet, swiss, knockout, ladder, sprt), strict=True)
)


def meetings_expected(plan: Plan) -> int:
    """How many matches there will be, as far as that can be known."""
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
    """So many pairs may two contestants play in all."""
    if plan.format == "sprt":
        return min(plan.pairs, SPRT_BLOCK)  # to begin with
    again = {"knockout": TIE_BREAKS, "ladder": plan.pairs * (ladder_rounds(plan) // 2)}
    return plan.pairs + again.get(plan.format, 0)


class Schedule:
    """The pairs of a tournament, as far as its results tell.

    is_fixed says whether two players, meeting again on the same opening, would play the same game again.
    more_openings is asked when a match needs more than are left.
    """

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
        """Given the points of `first` in every finished pair, by its id: the pairs that have come up, in order."""
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
            # One pair of every match after another, so that early standings are already fair.
            now = sorted((pair for m in self._current for pair in self.pairs[m]), key=lambda pair: pair.number)
            self._in_order += now
            new += now
        return new

    def _is_finished(self, score_of: Mapping[str, float]) -> bool:
        return self._is_decided(score_of) or all(p.id in score_of for m in self._current for p in self.pairs[m])

    def _is_decided(self, score_of: Mapping[str, float]) -> bool:
        """Has the SPRT, if it is one, its verdict on the pairs finished so far, taken in their order?"""
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
                        "{number} different openings: {fewer} pairs are played, not {wanted}"
                    ).format(one=one, other=other, number=len(self.openings), fewer=fewer, wanted=wanted)
                )
                wanted = fewer
            else:
                told = _("{one} and {other} meet more than once on some of the {number} openings")
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
