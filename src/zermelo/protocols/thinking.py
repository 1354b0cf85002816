"""A player that thinks in a thread of its own, so that what the front end says meanwhile is heard at once."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.clock import stop_thread
from zermelo.core.threads import STOP_AGAIN, Pool
from zermelo.players.player import Player
from zermelo.searches.budget import Budget

STOP_SECONDS = 2.0
"""The longest wait for a search that does not stop, such as another program's. What it finds is then not told."""
SPARE = 0.05, 0.02
"""What is kept back of the time for a move: this share of it, and this number of seconds."""
LEAST_SECONDS = 0.01


class Unwanted(BaseException):
    """Nobody wants to hear this any more. It is not an Exception, so that no handler takes it for a failure."""


@dataclass
class Thought:
    """Something that is being thought about."""

    wanted: bool = True
    found: "Future[Any]" = field(default_factory=Future)

    def check(self) -> None:
        """End this thought if nobody wants it any more."""
        if not self.wanted:
            raise Unwanted


class Thinker:
    """One thread, so that a player keeps its table and its processes from move to move."""

    def __init__(self) -> None:
        self._pool = Pool(1, "zermelo-engine")
        self._thread: int | None = None
        self._thoughts: list[Thought] = []

    def start(self, work: Callable[[Thought], Any]) -> Thought:
        """Work in the thread, as soon as what was started before is done."""
        thought = Thought()

        def run() -> Any:
            self._thread = threading.get_ident()
            thought.check()
            return work(thought)

        thought.found = self._pool.submit(run)
        self._thoughts = [*self._unfinished(), thought]
        return thought

    def _unfinished(self) -> list[Thought]:
        return [thought for thought in self._thoughts if not thought.found.done()]

    def result_of(self, thought: Thought) -> Any:
        """What the work returned, as soon as it is done. Ctrl-C ends the waiting."""
        while not thought.found.done():
            wait([thought.found], 0.2)
        return thought.found.result()

    def hurry(self) -> None:
        """Let the present search answer with what it has found so far."""
        if self._thread is not None and self._unfinished():
            stop_thread(self._thread)

    def abandon(self) -> None:
        """Let all that was started come to its end soon, without telling anything more. Returns at once."""
        for thought in self._thoughts:
            thought.wanted = False
        self.hurry()

    def stop(self) -> None:
        """End all that was started: nothing more of it is told. Returns when it has ended, or after a while."""
        self.abandon()
        for _ in range(round(STOP_SECONDS / STOP_AGAIN)):
            left = self._unfinished()
            if not left:
                return
            self.hurry()
            wait([thought.found for thought in left], STOP_AGAIN)

    def finish(self, seconds: float) -> None:
        """Let all that was started come to its end, for at most this long, and then stop it."""
        deadline = time.monotonic() + seconds
        while (left := self._unfinished()) and time.monotonic() < deadline:
            wait([thought.found for thought in left], 0.2)
        self.stop()

    def close(self) -> None:
        self.stop()
        self._pool.close(wait=False)


def within(player: Player, seconds: float | None) -> Player:
    """The player with this much time for a move; its own limit of time holds if that is shorter."""
    if seconds is None:
        return player
    share, least = SPARE
    budget = Budget(seconds=max(LEAST_SECONDS, seconds * (1 - share) - least))
    return player.with_budget(budget) if player.given_budget.seconds is None else player.limited(budget)
