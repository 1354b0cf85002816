"""Perfect play in Connect 4: the score of any position, and of its moves. The search itself is in exact.py."""

import contextvars
import functools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numba import boolean, from_dtype, int64, uint64

from zermelo.core import compiled, count
from zermelo.errors import GameError, PositionError
from zermelo.games.connect4 import exact
from zermelo.games.connect4.book import Book, shipped_book
from zermelo.games.connect4.notation import column_count, row_count
from zermelo.games.connect4.rules import Connect4, board_of
from zermelo.rules import is_over, moves_of, outcome, play

T = TypeVar("T")

WORK_TYPE = from_dtype(exact.WORK)
ANYTHING = 99
"""Above every score."""

_background = ThreadPoolExecutor(thread_name_prefix="zermelo-connect4")


@dataclass(frozen=True)
class Solution:
    """What is known of a position, for the player to move.

    A score counts stones: k if he wins with his k-th stone from his last, -k if he loses to the other's k-th from his
    last, 0 for a draw; of a weak solution just 1, -1 or 0.
    """

    score: int | None
    """None if there was not enough time."""
    lower: int
    upper: int
    """The score is between these two."""
    moves: tuple[int, ...]
    """A best move; with all_moves, all of them. Codes, that is columns from 0."""
    scores: Mapping[int, int] | None
    """With all_moves: the score of each move, for the player who makes it."""
    nodes: int
    """How many positions were searched."""
    seconds: float
    complete: bool
    """Is all known that was asked for?"""


class Solver:
    """Solves positions of one size of board. What it learns of one position helps with the next.

    log2_size: the table has room for two to the power of this many positions, at 8 bytes each; memory is taken only
    as a search grows into it.
    """

    def __init__(self, columns: int = 7, rows: int = 6, *, log2_size: int = 23):
        least = 19 if columns == 8 else 11
        if not isinstance(log2_size, int) or not least <= log2_size <= 34:
            raise GameError(f"connect4 solver: log2_size={log2_size} is not a number from {least} to 34")
        self.board = board_of(columns, rows)
        self._table = np.zeros(1 << log2_size, np.uint64)
        self._work = exact.workspace(self.board, self._table)
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Forget everything learnt."""
        with self._lock:
            exact.forget(self._work)

    def scores(self, states: Sequence[Connect4], *, weak: bool = False) -> tuple[Any, Any]:
        """The scores of unfinished positions, and how many positions were searched for each.

        Each from an empty table; all in one piece of compiled code, for measurements and for many easy positions.
        """
        run = compiled(exact.score_all, uint64[::1], uint64[::1], boolean, int64[::1], int64[::1], WORK_TYPE)
        mine = np.array([state.mine for state in states], np.uint64)
        theirs = np.array([state.mine ^ state.stones for state in states], np.uint64)
        scores, searched = np.zeros(len(mine), np.int64), np.zeros(len(mine), np.int64)
        with self._lock:
            self._run(lambda: run(mine, theirs, weak, scores, searched, self._work), None)
        return scores, searched

    def solve(
        self,
        state: Connect4,
        *,
        weak: bool = False,
        all_moves: bool = False,
        seconds: float | None = None,
        book: Book | None = None,
    ) -> Solution:
        """The score of an unfinished position and a best move; with all_moves, the score of every move.

        weak: only whether it is won, drawn or lost. seconds: give up after so long; Ctrl-C stops it, too.
        """
        if state.board != self.board:
            raise PositionError("connect4: this solver is for another size of board")
        if is_over(state):
            raise PositionError("connect4: the game is over, there is nothing to solve")
        task = _Task(self._work, state, weak, book)  # compiled, if need be, before the clock starts
        with self._lock:
            return self._run(lambda: task.solution(all_moves), seconds)

    def _run(self, call: Callable[[], T], seconds: float | None) -> T:
        """The result of call(), which soon returns once work.stop is set: after so many seconds, or at Ctrl-C.

        Python handles signals between its own instructions, so the call goes to a thread of its own.
        """
        self._work.stop = 0
        # The context carries NumPy's settings: in plain Python, unsigned arithmetic wraps without a warning.
        running = _background.submit(contextvars.copy_context().run, call)
        try:
            return running.result(seconds)
        except TimeoutError:
            self._work.stop = 1
            return running.result()
        except BaseException:
            self._work.stop = 1
            running.exception()  # wait until nobody writes to the record any more
            raise


class _Task:
    """One position to be solved."""

    def __init__(self, work: Any, state: Connect4, weak: bool, book: Book | None):
        self.work, self.state, self.weak, self.book = work, state, weak, book
        self.score_bounds = compiled(exact.score_bounds, uint64, uint64, boolean, WORK_TYPE)
        self.bound_of = compiled(exact.bound_of, uint64, uint64, int64, boolean, WORK_TYPE)

    def solution(self, all_moves: bool) -> Solution:
        self.start, self.before = time.perf_counter(), int(self.work.searched)
        if all_moves:
            return self.by_moves()
        lower, upper = self.bounds(self.state)
        best = self.best_move(lower) if lower == upper else None
        return self.report(lower, upper, () if best is None else (best,), None, best is not None)

    def report(
        self, lower: int, upper: int, moves: tuple[int, ...], scores: Mapping[int, int] | None, complete: bool
    ) -> Solution:
        nodes, seconds = int(self.work.searched) - self.before, time.perf_counter() - self.start
        return Solution(lower if lower == upper else None, lower, upper, moves, scores, nodes, seconds, complete)

    def bounds(self, state: Connect4) -> tuple[int, int]:
        """Bounds of a position's score for its mover; equal, unless stopped."""
        if is_over(state):
            lost = int(outcome(state)) * (1 if self.weak else (count(state.board & ~state.stones) + 2) // 2)
            return lost, lost
        known = self.book.score(state) if self.book else None
        if known is not None:
            known = (known > 0) - (known < 0) if self.weak else known
            return known, known
        lower, upper = self.score_bounds(state.mine, state.mine ^ state.stones, self.weak, self.work)
        return int(lower), int(upper)

    def by_moves(self) -> Solution:
        """The score of every move, and so that of the position."""
        bounds = {}
        for move in moves_of(self.state):
            lower, upper = self.bounds(play(self.state, move))
            bounds[move] = -upper, -lower
        lower, upper = max(low for low, _ in bounds.values()), max(high for _, high in bounds.values())
        scores = {move: low for move, (low, high) in bounds.items() if low == high}
        best = tuple(move for move, score in scores.items() if score == lower == upper)
        return self.report(lower, upper, best, scores, len(scores) == len(bounds))

    def best_move(self, score: int) -> int | None:
        """A move of this score, known to be the best: the first one seen without searching, or else found by it."""
        goal = ANYTHING if self.weak and score < 0 else -score
        moves = sorted(moves_of(self.state), key=lambda move: -int(self.work.centre[move]))
        for deep in (False, True):
            for move in moves:
                child = play(self.state, move)
                if is_over(child) or (self.book and self.book.score(child) is not None):
                    bound, _ = self.bounds(child)
                else:
                    bound = self.bound_of(child.mine, child.mine ^ child.stones, goal, deep, self.work)
                if self.work.stop != 0:
                    return None
                if bound <= goal:
                    return move
        raise AssertionError("no move has the score of the position")


@functools.lru_cache(maxsize=2)
def _solver(columns: int, rows: int) -> Solver:
    return Solver(columns, rows)


def solve(
    state: Connect4,
    *,
    weak: bool = False,
    all_moves: bool = False,
    seconds: float | None = None,
    book: bool = True,
) -> Solution:
    """Solver.solve() by a solver kept for this size of board, with the book that comes along, if wanted."""
    size = column_count(state), row_count(state)
    opened = shipped_book(*size) if book else None
    return _solver(*size).solve(state, weak=weak, all_moves=all_moves, seconds=seconds, book=opened)
