"""What the runner asks whoever decides which pairs are played: the schedule of a plan, or a ladder without end."""

from collections.abc import Mapping
from typing import Protocol

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
