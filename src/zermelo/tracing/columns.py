"""The tree of a search as columns with one entry per node, in the order of the search, for pages and notebooks.

Windows and values are from the view of player 1, as in textbooks. A text that many nodes share is there once. What the
columns mean is said in web/why_tree.py, where they are the answer to a request.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import PositionError
from zermelo.players import OwnSearchPlayer, SearchPlayer
from zermelo.position import Position
from zermelo.searches.budget import Budget
from zermelo.searches.recording import CUT, DROPPED, TOLERATED
from zermelo.tracing.trace import Step, Trace, bound_text, trace_search

MOST_NODES = 20_000
"""Minimax of Connect 4 at depth 5 has 19 608 nodes."""

VISITED = 0
FATES = {CUT: 1, TOLERATED: 2, DROPPED: 3}


def explored(position: Position, player: SearchPlayer) -> dict[str, Any]:
    """Search a position, and record the whole tree."""
    # A node counts at most twice, when it is made and when it is evaluated; an ordering heuristic looks at every child.
    trace = trace_search(position, player.limited(Budget(nodes=4 * MOST_NODES)), MOST_NODES)
    if not trace.found.complete:
        raise PositionError("the search visits too many positions; choose a smaller depth")
    return columns_of(trace, str(player))


def columns_of(trace: Trace, search: str) -> dict[str, Any]:
    """The columns of a trace; search is the player as text."""
    return _Columns(trace, _in_order(trace.root)).tree(search)


def _in_order(root: Step) -> list[Step]:
    """All nodes, sorted by their numbers."""
    found, waiting = [], [root]
    while waiting:
        step = waiting.pop()
        found.append(step)
        waiting += step.children
    return sorted(found, key=lambda step: step.node.number)


@dataclass
class _Columns:
    trace: Trace
    steps: list[Step]

    def tree(self, search: str) -> dict[str, Any]:
        """Fill the columns."""
        self.known: dict[str, int] = {}
        self.parents: dict[int, Step] = {child.node.number: step for step in self.steps for child in step.children}
        found, root, steps = self.trace.found, self.trace.root, self.steps
        game = self.trace.position.game
        after = [self._window_after(step) for step in steps]
        columns = {
            "parent": [self.parents[s.node.number].node.number if s is not root else -1 for s in steps],
            "name": [self._text(step.name) for step in steps],
            "player": [step.node.mover + 1 for step in steps],
            "fate": [FATES.get(step.node.fate, VISITED) for step in steps],
            "low": [self._bound(step.window[0] if step.position else None) for step in steps],
            "high": [self._bound(step.window[1] if step.position else None) for step in steps],
            "result": [self._bound(step.value) for step in steps],
            "low_after": [self._bound(window and window[0]) for window in after],
            "high_after": [self._bound(window and window[1]) for window in after],
        }
        return columns | {
            "search": search,
            "windows": self.trace.has_windows,
            "players": game.players,
            "best": None if found.move is None else game.move_text(self.trace.position.state, found.move),
            "value": bound_text(root.value or 0),
            "visited": found.nodes,
            "evaluated": found.evaluated,
            "cutoffs": found.cutoffs,
            "seconds": found.seconds,
            "line": [step.node.number for step in self.trace.best_line()],
            "texts": list(self.known),
            "reasons": dict(self._reasons()),
        }

    def _text(self, text: str) -> int:
        return self.known.setdefault(text, len(self.known))

    def _bound(self, bound: int | None) -> int:
        return -1 if bound is None else self._text(bound_text(bound))

    def _window_after(self, step: Step) -> tuple[int, int] | None:
        """The window of the parent after this child was searched, which is that of the next child.

        A user's search may pass on other windows than it should, so of its windows only those are told that it passed.
        """
        parent = self.parents.get(step.node.number)
        if parent is None or step.value is None:
            return None
        if isinstance(self.trace.player, OwnSearchPlayer):
            later = (child for child in parent.children if child.node.number > step.node.number and child.position)
            following = next(later, None)
            return None if following is None else following.window
        low, high = step.window
        return (max(low, step.value), high) if parent.sign > 0 else (low, min(high, step.value))

    def _reasons(self) -> Iterable[tuple[int, str]]:
        for step in self.steps:
            for fate in FATES:
                left_out = [child.node.number for child in step.children if child.node.fate == fate]
                if left_out:
                    yield min(left_out), self.trace.reason(step, fate)
