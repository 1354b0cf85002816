"""Search trees that are kept between the moves of a game."""

import weakref
from collections.abc import Hashable

from zermelo.position import Position
from zermelo.searches.mcts_run import Mcts

MOST = 32  # maximum number of trees; the oldest are dropped first
_most_memory = 1 << 30  # bytes of the trees of one KeptTrees; the newest tree is kept, however large it is
FARTHEST = 8  # plies to look back: more than one turn of both players in any game here, including extra moves


def limit_kept_trees(megabytes: int) -> None:
    """From now on, drop the oldest trees of each KeptTrees when together they take more memory than this."""
    global _most_memory
    _most_memory = megabytes << 20


class KeptTrees:
    """The kept trees. Each belongs to a player and to the position object at its root, and is dropped with that object.

    So games that are played at the same time share nothing, and a finished game leaves nothing behind.
    """

    def __init__(self) -> None:
        self._trees: dict[tuple[Hashable, int], tuple[weakref.ref[Position], Mcts]] = {}

    def keep(self, owner: Hashable, position: Position, tree: Mcts) -> None:
        """Keep the tree of a position for later in the game."""
        place = (owner, id(position))
        gone = weakref.ref(position, lambda _: self._trees.pop(place, None))
        self._trees[place] = (gone, tree)
        left = 0
        for number, (older, (_, kept)) in enumerate(reversed(list(self._trees.items()))):
            left += kept.used_bytes
            if number and (number >= MOST or left > _most_memory):
                self._trees.pop(older, None)

    def take(self, owner: Hashable, position: Position) -> Mcts | None:
        """Return the tree kept at this side's last turn in this game, advanced to this position, or None."""
        moves: list[int] = []
        here = position
        while here.parent is not None and here.last_move is not None and len(moves) < FARTHEST:
            moves.insert(0, here.last_move)
            here = here.parent
            if here.to_move == position.to_move:
                kept = self._trees.pop((owner, id(here)), None)
                if kept is not None:
                    kept[1].advance(*moves)
                    return kept[1]
        return None

    def __len__(self) -> int:
        return len(self._trees)
