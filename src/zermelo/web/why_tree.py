"""The tree of a search for the page that walks through it: columns with one entry per node, in the order of the search.

Windows and values are from the view of player 1, as in textbooks. A text that many nodes share is sent once.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from zermelo.errors import PositionError
from zermelo.players import OwnSearchPlayer, SearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.searches.recording import CUT, DROPPED, TOLERATED
from zermelo.tracing import Step, Trace, bound_text, trace_search, traced
from zermelo.web.notation import words_of
from zermelo.web.views import Pair

MOST_NODES = 20_000
"""Minimax of Connect 4 at depth 5 has 19 608 nodes."""

DEEPEST_TREE = 60
"""Plies of an explicit tree at most, because the page draws its branches recursively."""

VISITED = 0
FATES = {CUT: 1, TOLERATED: 2, DROPPED: 3}


class SearchTree(BaseModel):
    """The tree of a search. Nodes are numbered as the search visited or skipped them; node 0 is the root."""

    search: str = Field(description="The player that searched, as text.")
    windows: bool = Field(description="Whether the search has windows. Minimax has none.")
    players: Pair = Field(description="The names that the game gives to its players. The first one maximises.")
    best: str | None = Field(description="The best move.")
    value: str = Field(description="The value of the root.")
    visited: int = Field(description="The number of nodes visited, including the root.")
    evaluated: int = Field(description="The number of positions that the heuristic evaluated.")
    cutoffs: int = Field(description="The number of cut-offs.")
    seconds: float = Field(description="The time that the search took.")
    line: list[int] = Field(description="The nodes of the best line, beginning with the root.")
    texts: list[str] = Field(description="The texts that name, low, high, result, low_after and high_after number.")
    parent: list[int] = Field(description="The parent of each node; -1 for the root.")
    name: list[int] = Field(description="The move that leads to the node, or the node's name in an explicit tree.")
    player: list[int] = Field(description="The player to move, 1 or 2; 0 if the node was not visited.")
    fate: list[int] = Field(description="0: visited, 1: cut, 2: cut by the tolerance, 3: not among the best moves.")
    low: list[int] = Field(description="Alpha when the search reached the node; -1 if the node was not visited.")
    high: list[int] = Field(description="Beta when the search reached the node; -1 if the node was not visited.")
    result: list[int] = Field(description="The value of the node; -1 if the node was not visited.")
    low_after: list[int] = Field(description="Alpha of the parent after this node was searched; -1 if there is none.")
    high_after: list[int] = Field(description="Beta of the parent after this node was searched; -1 if there is none.")
    words: dict[str, str] = Field(description="Words that occur in moves, and their translations for the reader.")
    reasons: dict[int, str] = Field(description="Why nodes were skipped, for the first node of each skipped row.")


def explore(position: Position, player: SearchPlayer) -> SearchTree:
    """Search a position and record the whole tree."""
    # A node counts at most twice, when it is made and when it is evaluated; an ordering heuristic looks at every child.
    limited = player.limited(Budget(nodes=4 * MOST_NODES))
    trace = trace_search(position, limited, MOST_NODES)
    if not trace.found.complete:
        raise PositionError("the search visits too many positions; choose a smaller depth")
    return _Columns(trace, _in_order(trace.root)).tree(str(player))


def explore_own(
    position: Position, player: OwnSearchPlayer, depth: int, window: Sequence[float | None] | None = None
) -> SearchTree:
    """Run a search of the user and record the whole tree. It begins with this window, if it takes one."""
    here = Position(position.game, position.state)
    low, high = window or (None, None)
    limits = (-math.inf if low is None else low, math.inf if high is None else high)
    found = player.search_to(here, depth, Budget(nodes=4 * MOST_NODES), trace=True, window=limits)
    if not found.complete:
        raise PositionError("the search visits too many positions; choose a smaller depth")
    trace = traced(here, player, found, MOST_NODES)
    return _Columns(trace, _in_order(trace.root)).tree(str(player))


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

    def tree(self, search: str) -> SearchTree:
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
        return SearchTree(
            search=search,
            windows=self.trace.has_windows,
            players=game.players,
            best=None if found.move is None else game.move_text(self.trace.position.state, found.move),
            value=bound_text(root.value or 0),
            visited=found.nodes,
            evaluated=found.evaluated,
            cutoffs=found.cutoffs,
            seconds=found.seconds,
            line=[step.node.number for step in self.trace.best_line()],
            texts=list(self.known),
            words=words_of(game),
            reasons=dict(self._reasons()),
            **columns,
        )

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


def check_tree(game: Game) -> None:
    """An error if an explicit tree is too large to draw."""
    tree = getattr(game, "tree", None)
    if tree is None:
        return
    if len(tree.nodes) > MOST_NODES:
        raise PositionError(
            "the tree has {number:,} nodes; the page can show at most {most:,}", number=len(tree.nodes), most=MOST_NODES
        )
    depth = [0] * len(tree.nodes)
    for node, (first, children, *_) in enumerate(tree.nodes):
        for child in range(first, first + children):
            depth[child] = depth[node] + 1
    if max(depth) > DEEPEST_TREE:
        raise PositionError(
            "the tree is {depth} plies deep; the page can show at most {most}", depth=max(depth), most=DEEPEST_TREE
        )
