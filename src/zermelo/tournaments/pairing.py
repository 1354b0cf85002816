"""What the runner asks whoever decides which pairs are played: the schedule of a plan, or a ladder without end."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from zermelo.pieces.sources import files_of
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.schedule import Pair


class Pairing(Protocol):
    """Decides which pairs are played. All that it decides must follow from the ledger and from who takes part, so that
    nothing is lost with a process.
    """

    @property
    def plan(self) -> Plan:
        """The contestants at present."""

    @property
    def ended(self) -> bool:
        """Is there nothing left to play? Then games under way are abandoned."""

    @property
    def is_endless(self) -> bool:
        """Is this asked again after every game? Then each finished pair is given once, and is not kept."""

    @property
    def notes(self) -> list[str]:
        """What readers of the results should know."""

    def advance(self, score_of: Mapping[str, float]) -> list[Pair]:
        """Return the new pairs to play, in order, given the points of `first` in every finished pair by its id."""

    def taken(self, pair: Pair) -> None:
        """Another process plays this pair (only asked if is_endless)."""


def by_groups(plan: Plan, pairs: Sequence[Pair], processes: int) -> list[Pair]:
    """Return the pairs in an order in which no process is started more often than necessary.

    Each contestant with files needs a process, and only so many run at a time. If there are more contestants, they are
    divided into groups, and two groups at a time play all their games.
    """
    with_files = [one.name for one in plan.contestants if files_of(one.player)]
    if len(with_files) <= processes:
        return list(pairs)
    group = {name: place // (processes // 2) for place, name in enumerate(with_files)}

    def when(pair: Pair) -> tuple[int, int]:
        one, other = sorted((group.get(pair.first, -1), group.get(pair.second, -1)))
        # In every second row the groups come in the reverse order, so that the last group of a row stays.
        return one, -other if one % 2 else other

    return sorted(pairs, key=when)
