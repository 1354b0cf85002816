"""The tree of a search for the page that walks through it: columns with one entry per node, in the order of the search.

Windows and values are from the view of player 1, as in textbooks. A text that many nodes share is sent once.
"""

import math
from collections.abc import Sequence

from pydantic import BaseModel, Field

from zermelo.errors import PositionError
from zermelo.players import OwnSearchPlayer, SearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.tracing import traced
from zermelo.tracing.columns import MOST_NODES, columns_of, explored
from zermelo.web.notation import words_of
from zermelo.web.views import Pair

DEEPEST_TREE = 60
"""Plies of an explicit tree at most, because the page draws its branches recursively."""


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
    return SearchTree(**explored(position, player), words=words_of(position.game))


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
    return SearchTree(**columns_of(trace, str(player)), words=words_of(position.game))


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
