"""Whole games in compiled code, as Python sees them: how both players search, and what came of the game.

Tournaments, the arena and the tuner all play their compiled games here; whole_games.py has the compiled loop.
"""

import threading
import time
from typing import Any, NamedTuple

import numpy as np
from numba import int32, uint64

from zermelo.core import JIT, Heuristic, class_of
from zermelo.core.clock import run_stoppable
from zermelo.core.numba_private import addresses_of
from zermelo.searches.whole_games import MARGIN, OUTCOME, OVER, STOPPED, compiled_play_out, new_log
from zermelo.searches.workspace import workspace

LONGEST = 1024
"""Maximum number of plies of a game that compiled code plays."""


class Stopped(Exception):
    """The game was stopped from outside before it ended."""


class Seat(NamedTuple):
    """How one of the players searches: alpha-beta with these heuristics and settings."""

    own: Heuristic
    depth: int
    order: Heuristic | None = None  # sorts the moves; without it, `own` does
    tolerance: int = 0  # in the units of the search
    order_plies: int = 0
    top_moves: int = 0  # 0: all moves

    @property
    def heuristics(self) -> tuple[Heuristic, Heuristic]:
        return self.own, self.order or self.own

    @property
    def row(self) -> Any:
        """The seat as compiled code takes it. It holds addresses of weights, so keep the heuristics alive."""
        addresses = [heuristic.address for heuristic in self.heuristics]
        return np.array([*addresses, self.tolerance, self.order_plies, self.top_moves, self.depth], np.uint64)

    def functions(self, cls: type) -> tuple[Any, Any]:
        """The compiled functions of the heuristics, for states of this class."""
        own, order = self.heuristics
        return own.native(cls), order.native(cls)


class Seating:
    """Both players of a game, ready for compiled code. Player 1 comes first."""

    def __init__(self, first: Seat, second: Seat, cls: Any):
        self.seats = first, second
        self.rows = np.array([first.row, second.row])
        self.heuristics = *first.functions(cls), *second.functions(cls)  # kept, since compiled code has their addresses
        self.functions: Any = self.heuristics
        if JIT:
            addresses = [addresses_of(one, int32(cls.numba, uint64)) for one in self.heuristics]
            self.functions = np.array(addresses, np.uint64).reshape(2, 4)


class WholeGame(NamedTuple):
    """A game that compiled code has played. The log is memory of this thread, and its next game overwrites it."""

    log: Any  # a row for each ply; whole_games.py names the columns
    is_over: bool  # if not, the game has reached the number of plies allowed
    outcome: int  # 1 if the first player has won, 0 for a draw, -1 for a loss; 0 if the game is not over
    margin: int  # for the first player; 0 if the game is not over
    seconds: float


_own = threading.local()


def play_whole_game(seating: Seating, state: Any, most_plies: int = LONGEST) -> WholeGame:
    """Play from a state to the end of the game, or for so many plies. Raises Stopped if it is stopped from outside.

    A heuristic that fails raises its own error.
    """
    if "work" not in _own.__dict__:
        _own.work, (_own.log, _own.ending) = workspace(), new_log(LONGEST)
    work, log, ending = _own.work, _own.log[:most_plies], _own.ending
    run = compiled_play_out(class_of(state))

    def stop() -> None:
        work.stop = 1

    began = time.perf_counter()
    plies = run_stoppable(lambda: run(state, seating.rows, seating.functions, log, ending, work), stop)
    seconds = time.perf_counter() - began
    if plies == STOPPED:
        raise Stopped
    if not ending[OVER]:
        return WholeGame(log[:plies], False, 0, 0, seconds)
    return WholeGame(log[:plies], True, int(ending[OUTCOME]), int(ending[MARGIN]), seconds)
