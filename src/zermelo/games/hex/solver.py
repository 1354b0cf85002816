"""Exact play on boards of up to 8x8: who wins a position, and by which moves."""

import contextvars
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.core import compiled
from zermelo.errors import PositionError
from zermelo.games.hex.proof import ENTRY, OPTIONS, TABLE_SIZE, TABLE_TYPE, WORK, WORK_TYPE, prove_moves
from zermelo.games.hex.rules import SWAP, Hex1
from zermelo.games.hex.small import MOST_SIZE
from zermelo.rules import is_over, moves_of


@dataclass(frozen=True)
class Solution:
    """What the solver found out about a position."""

    score: int | None
    """1 if the player to move wins, -1 if the other does; None if the time did not suffice."""

    best_moves: tuple[int, ...]
    """Codes of winning moves: every one if all were asked for, else at least one. None wins a lost position."""

    nodes: int
    """Positions looked at."""

    seconds: float

    complete: bool
    """Is all known that was asked for?"""


def solve(
    state: Any, *, seconds: float | None = None, all_moves: bool = False, without: Sequence[str] = ()
) -> Solution:
    """Who wins this position, and by which move, or by which moves at all.

    Any 6x6 board takes well under a second once compiled, the empty 7x7 board with all its 49 moves some two
    minutes. Ctrl-C stops it. without: prunings to switch off (see proof.OPTIONS), for tests and studies.
    """
    size = int(state.size)
    if not isinstance(state, Hex1):
        raise PositionError(f"Hex is solved exactly on boards up to {MOST_SIZE}x{MOST_SIZE}; this one is {size}x{size}")
    if is_over(state) or (state.swap and not state.turn):
        # With the swap rule Black loses: White takes the first stone over if it wins, and leaves it if it loses.
        return Solution(-1, (), 0, 0.0, True)
    can_swap = bool(state.swap)
    work = workspace(without)
    search = compiled(prove_moves, WORK_TYPE, TABLE_TYPE, uint64, uint64, int64, int64, int64)
    table = np.zeros(TABLE_SIZE, ENTRY).view(np.recarray)
    begun = time.perf_counter()
    boards = state.black0, state.white0, int(state.turn), size
    run_until(lambda: search(work, table, *boards, int(all_moves)), work, seconds)
    winning, losing = _cells(work.winning), _cells(work.losing)
    is_lost = len(losing) == len(moves_of(state)) - can_swap
    if is_lost and can_swap:
        winning = (SWAP,)
    score = 1 if winning or can_swap else -1 if is_lost else None
    complete = is_lost or (len(winning) > 0 and not all_moves) or not work.stop
    return Solution(score, winning, int(work.nodes), time.perf_counter() - begun, complete)


def workspace(without: Sequence[str] = ()) -> Any:
    """A fresh workspace of the search, with these prunings switched off."""
    work = np.zeros(1, WORK).view(np.recarray)[0]
    for option in OPTIONS:
        work[option] = option not in without
    return work


def _cells(board: Any) -> tuple[int, ...]:
    return tuple(cell for cell in range(MOST_SIZE * MOST_SIZE) if int(board) >> cell & 1)


def run_until(search: Callable[[], object], work: Any, seconds: float | None) -> None:
    """Run a search in a thread of its own, so that this one can be interrupted, and stop it when its time is over."""
    failures: list[BaseException] = []
    done = threading.Event()  # a thread whose join is interrupted passes for finished in Python 3.11 (bpo-46726)

    def run() -> None:
        try:
            search()
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # In the same context: NumPy's error settings belong to it, and unsigned numbers may wrap round.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="Hex solver")
    thread.start()
    try:
        done.wait(seconds)
    finally:
        work.stop = int(not done.is_set())
        done.wait()
        thread.join()
    if failures:
        raise failures[0]
