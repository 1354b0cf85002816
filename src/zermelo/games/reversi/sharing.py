"""Several threads that search one position of an endgame together.

The first move of a position is searched before the others are begun, because it often decides; likewise the first move
of the position after it, and so on down to small positions. At each of these positions, the other moves are then shared
out among the threads ("young brothers wait": R. Feldmann, Spielbaumsuche mit massiv parallelen Systemen, 1993). As soon
as one of them reaches beta, the rest are stopped.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core import count
from zermelo.core.threads import in_order
from zermelo.games.reversi.rules import board
from zermelo.rules import is_over, moves_of, play

LEAST_EMPTY = 15
"""A position with fewer empty squares is searched by a single thread, since that takes only a few milliseconds."""
Search = Callable[[Any, int, int], int]
"""A function (state, alpha, beta) -> score for the player to move, to within this window."""


class Sharing:
    """The threads, as many as there are workspaces, and what they know."""

    def __init__(
        self,
        works: list[Any],
        shared: Any,
        ended: threading.Event,
        run: Callable[[Any, int, int, Any, Any], int],
        estimate: Callable[[Any, int, Any], int],
    ):
        """ended: set before shared.stop is, when the whole search is to end.

        run: (state, alpha, beta, work, shared) -> score, the search of one thread.
        estimate: (state, move, work) -> what a short search says about the move.
        """
        self.works, self.shared, self.ended, self.run, self.estimate = works, shared, ended, run, estimate
        self.free = list(works)
        self.orders: dict[tuple[int, int], list[int]] = {}

    def value(self, state: Any, alpha: int, beta: int) -> int:
        """The score for the player to move, to within this window; once the search is to end, it means nothing."""
        if self.shared.stop or is_over(state) or _empty(state) < LEAST_EMPTY:
            return self._alone(state, alpha, beta)
        order = self._order(state)
        best = -self.value(play(state, order[0]), -beta, -alpha)
        if best >= beta or len(order) == 1 or self.shared.stop:
            return best

        def score(move: int) -> int | None:
            """What this move is worth, or None if that no longer matters. The first that decides stops the others."""
            if self.shared.stop:
                return None
            found = -self._alone(play(state, move), -beta, -max(alpha, best))
            if self.shared.stop:
                return None
            if found >= beta:
                self.shared.stop = 1
            return found

        others = order[1:]
        scores = zip(others, in_order(score, others, len(self.works)), strict=True)
        known = {move: found for move, found in scores if found is not None}
        best = max(best, *known.values()) if known else best
        if best >= beta:
            order.sort(key=lambda move: move not in known or known[move] < beta)  # the next time it comes first
            self.shared.stop = 0
            if self.ended.is_set():  # perhaps just now
                self.shared.stop = 1
        return best

    def _alone(self, state: Any, alpha: int, beta: int) -> int:
        work = self.free.pop()
        try:
            return self.run(state, alpha, beta, work, self.shared)
        finally:
            self.free.append(work)

    def _order(self, state: Any) -> list[int]:
        """The moves, from the most promising one: the move that decided last, then as short searches judge them."""
        place = int(state.mine), int(state.theirs)
        if place not in self.orders:
            moves = list(moves_of(state))
            if len(moves) > 1:
                moves.sort(key=lambda move: -self.estimate(state, move, self.works[0]))
            self.orders[place] = moves
        return self.orders[place]


def _empty(state: Any) -> int:
    return int(count(np.uint64(board(state)) & ~(state.mine | state.theirs)))
