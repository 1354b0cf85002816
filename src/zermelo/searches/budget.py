"""How much a search may use."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True)
class Budget:
    """The limits of a search; None stands for no limit."""

    depth: int | None = None  #: plies to look ahead
    nodes: int | None = None  #: positions to visit
    seconds: float | None = None  #: time to think
    memory: float | None = None  #: megabytes of a table or a tree

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """The limits that are set, by name."""
        limits = (("depth", self.depth), ("nodes", self.nodes), ("seconds", self.seconds), ("memory", self.memory))
        return ((name, limit) for name, limit in limits if limit is not None)

    @property
    def is_endless(self) -> bool:
        """Would a search with this budget never end? Memory alone does not end a search."""
        return self.depth is None and self.nodes is None and self.seconds is None

    @property
    def is_spent(self) -> bool:
        """Are there no nodes or no seconds left?"""
        return (self.nodes is not None and self.nodes <= 0) or (self.seconds is not None and self.seconds <= 0)

    def share(self, parts: int, of: int) -> Self:
        """A share of the nodes and of the seconds: `share(1, 4)` is a quarter. At least one node is left."""
        return replace(
            self,
            nodes=None if self.nodes is None else max(1, self.nodes * parts // of),
            seconds=None if self.seconds is None else self.seconds * parts / of,
        )

    def after(self, nodes: int = 0, seconds: float = 0.0) -> Self:
        """What is left once so much has been used; it may be less than nothing (see is_spent)."""
        return replace(
            self,
            nodes=None if self.nodes is None else self.nodes - nodes,
            seconds=None if self.seconds is None else self.seconds - seconds,
        )


NO_LIMIT = Budget()
