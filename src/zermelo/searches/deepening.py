"""Iterative deepening with the engine: budgets, threads, reports while it runs, and what it found."""

import contextlib
import functools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numba import int64, uint64

from zermelo.core import Heuristic, class_of, compiled
from zermelo.core.clock import run_stoppable, stopped_in_time
from zermelo.core.searching import searching
from zermelo.rules import POINT, is_noisy, is_over, key, moves_of, play, reply_hint, table_key, to_move
from zermelo.scores import Score, is_proven, units_of_score
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.engine import DEEPEST, ENGINE_WORK_TYPE, PAST, engine_workspace, pvs
from zermelo.searches.transposition import AGES, best_move, new_table, use_of
from zermelo.searches.workspace import INFINITY, UNLIMITED, heuristic_type

MOST_DEPTH = DEEPEST - 28  # leaves room for quiescence
FIRST_WINDOW, WIDEST_WINDOW = 24 * POINT, (1 << 20) * POINT
"""Half the width of the aspiration window around the last score. At each failure it becomes four times as wide; beyond
the widest, the window is open."""
BRIEF = 0.0005
"""After an iteration that took no longer (in seconds), the next one is not given to another thread: that would take as
long, and Ctrl-C can wait for a few milliseconds."""
HISTORY_FADES = 2  # between two searches the history is divided by this


@dataclass(frozen=True)
class Iteration:
    """What the search to one depth found."""

    depth: int
    score: Score  # for the player to move
    line: tuple[int, ...]
    nodes: int
    seconds: float
    table_use: float  # share of the table written by this search
    exact: bool  # is the score proven, with every line that matters followed to the end of the game?
    complete: bool = True  # False if the budget was used up; the move is then the best known so far

    @property
    def move(self) -> int:
        return self.line[0]

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / max(self.seconds, 1e-9)


@functools.cache
def compiled_engine(cls: Any) -> Any:
    """The search, compiled for a state class. It takes any heuristic for that class."""
    return compiled(pvs, cls.numba, *[int64] * 5, heuristic_type(cls), uint64[::1], ENGINE_WORK_TYPE)


class SearchTables(Protocol):
    """Exact scores of a game, which compiled code finds by their address (see `known_score`)."""

    @property
    def address(self) -> int: ...


class Engine:
    """A table, kept from one search to the next, and threads that search with it. Only one search runs at a time."""

    def __init__(
        self,
        heuristic: Heuristic,
        *,
        memory: float = 16,
        threads: int = 1,
        reduce: bool = False,
        cuts: np.ndarray[Any, Any] | None = None,
    ):
        """cuts: ProbCut's numbers (see probcut.py)."""
        self.heuristic = heuristic
        self.table = new_table(memory)
        self.works = [engine_workspace() for _ in range(threads)]
        self.reduce = reduce
        self.cuts = cuts
        self.age = 0
        self._took = 0.0  # seconds of the last iteration
        self._player = 1  # whose move the running search looks for
        self._lock = threading.Lock()

    def deepen(
        self,
        state: Any,
        budget: Budget = NO_LIMIT,
        past: tuple[int, ...] = (),
        tables: SearchTables | None = None,
    ) -> Iterator[Iteration]:
        """Search depth after depth and yield each finished Iteration until the budget is used up.

        The last iteration may be incomplete. At least one is given, whatever the budget. past: the keys of the
        positions before this one, so that repetitions are noticed. tables: the game's own, in which positions are
        looked up.
        """
        if is_over(state):
            raise ValueError("the game is over")
        with self._lock:
            for work in self.works:
                work.tables = 0 if tables is None else tables.address
            yield from self._deepen(state, budget, past)

    def _deepen(self, state: Any, budget: Budget, past: tuple[int, ...]) -> Iterator[Iteration]:
        run, evaluate = compiled_engine(class_of(state)), self.heuristic.native(type(state))
        self._player = int(to_move(state)) + 1
        began, depth = time.perf_counter(), min(budget.depth or MOST_DEPTH, MOST_DEPTH)
        self.age = (self.age + 1) % AGES
        for work in self.works:
            self._reset(work, state, budget, past)
        helpers = [
            threading.Thread(target=self._help, args=(run, evaluate, state, work, number, depth), daemon=True)
            for number, work in enumerate(self.works[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        timer = contextlib.ExitStack()
        try:
            last: Iteration | None = None
            for now in range(1, depth + 1):
                left = budget.after(seconds=time.perf_counter() - began).seconds
                if last is not None and left is not None and left <= 0:
                    return
                if now == 2:  # the first iteration is always finished: there must be an answer
                    timer.enter_context(stopped_in_time(self.stop, left))
                found = self._iterate(run, evaluate, state, now, last, began)
                if found is None:
                    if last is None:  # not even one ply fits the budget: any move is better than none
                        yield self._report(1, 0, [moves_of(state)[0]], began, exact=False, complete=False)
                    return
                yield found
                if not found.complete or found.exact:
                    return
                last = found
        finally:
            timer.close()
            self.stop()
            for helper in helpers:
                helper.join()

    def score_moves(
        self,
        state: Any,
        depth: int,
        order: list[int],
        budget: Budget = NO_LIMIT,
        past: tuple[int, ...] = (),
    ) -> "list[Iteration] | None":
        """Search each of these moves to the same depth with a full window; None if the budget is used up first.

        Scores are for the player to move in state, and each line begins with its move.
        """
        run, evaluate = compiled_engine(class_of(state)), self.heuristic.native(type(state))
        began = time.perf_counter()
        work = self.works[0]
        with self._lock:
            self._reset(work, state, budget, (*past, int(key(state))))
            work.tables = 0
            found = []
            for move in order:
                nodes_before, horizon_before = int(work.nodes), int(work.horizon)
                child = play(state, move)
                sign = 1 if to_move(child) == to_move(state) else -1
                left = budget.after(seconds=time.perf_counter() - began).seconds
                if left is not None and left <= 0:
                    return None
                call = functools.partial(run, child, depth - 1, 1, 0, -INFINITY, INFINITY, evaluate, self.table, work)
                with searching(state):
                    score = sign * int(run_stoppable(call, self.stop, left))
                if work.stop:
                    return None
                exact = int(work.horizon) == horizon_before or is_proven(score)
                line = tuple(self._line(state, move, depth))
                visited = int(work.nodes) - nodes_before
                seen = Score.of_units(score, int(to_move(state)) + 1)
                found.append(Iteration(depth, seen, line, visited, time.perf_counter() - began, 0.0, exact))
        return found

    def forget(self) -> None:
        """Empty the table and the history, so that the next search depends on nothing but its position."""
        self.table.fill(0)
        for work in self.works:
            work.history[:] = 0

    def stop(self) -> None:
        """End the running search. Any thread may call this."""
        for work in self.works:
            work.stop = 1

    def _reset(self, work: Any, state: Any, budget: Budget, past: tuple[int, ...]) -> None:
        work.stop = work.nodes = work.horizon = 0
        work.limit = UNLIMITED if budget.nodes is None else max(1, budget.nodes // len(self.works))
        work.age = self.age
        work.noisy = int(type(state) in is_noisy.implementations)
        work.reduce = int(self.reduce)
        work.hinted = int(type(state) in reply_hint.implementations)
        work.probcut = int(self.cuts is not None)
        if self.cuts is not None:
            work.cuts[:] = self.cuts
        work.weights = self.heuristic.address
        work.killers[:] = -1
        work.history[:] //= HISTORY_FADES
        remembered = past[-PAST:]
        work.past = len(remembered)
        work.keys[: len(remembered)] = np.array(remembered, np.uint64)

    def _iterate(
        self,
        run: Any,
        evaluate: Any,
        state: Any,
        depth: int,
        last: Iteration | None,
        began: float,
    ) -> Iteration | None:
        """Search to one depth, in a window around the last score that is widened until the score lies inside."""
        work, started = self.works[0], time.perf_counter()
        is_brief = last is not None and self._took < BRIEF
        alpha, beta, margin = -INFINITY, INFINITY, FIRST_WINDOW
        if last is not None and depth > 2:
            near = int(units_of_score(last.score))
            alpha, beta = near - margin, near + margin
        while True:
            horizon_before = int(work.horizon)
            work.root_move = -1
            call = functools.partial(run, state, depth, 0, 0, alpha, beta, evaluate, self.table, work)
            with searching(state):
                score = int(call() if is_brief else run_stoppable(call, self.stop))
            if work.stop:
                return self._interrupted(state, depth, last, alpha, began)
            margin *= 4
            reach = INFINITY if margin > WIDEST_WINDOW or is_proven(score) else margin
            if score <= alpha and alpha > -INFINITY:
                alpha = max(score - reach, -INFINITY)
            elif score >= beta and beta < INFINITY:
                beta = min(score + reach, INFINITY)
            else:
                break
        self._took = time.perf_counter() - started
        exact = int(work.horizon) == horizon_before or is_proven(score)
        line = self._line(state, int(work.root_move), depth)
        return self._report(depth, score, line, began, exact=exact, complete=True)

    def _interrupted(
        self, state: Any, depth: int, last: Iteration | None, alpha: int, began: float
    ) -> Iteration | None:
        """The budget was used up. The best move so far counts if it was searched to the end and did not fail low."""
        work = self.works[0]
        if last is None:
            return None
        if work.root_move in (-1, last.move) or work.root_score <= alpha:
            return replace(last, complete=False, nodes=self._nodes(), seconds=time.perf_counter() - began)
        line = self._line(state, int(work.root_move), depth)
        return self._report(depth, int(work.root_score), line, began, exact=False, complete=False)

    def _help(self, run: Any, evaluate: Any, state: Any, work: Any, number: int, depth: int) -> None:
        """A helping thread searches the same position, a ply apart, and leaves what it finds in the table.

        If the heuristic fails, it stops helping. The main thread reports the failure if it comes to that position.
        """
        with contextlib.suppress(Exception), searching(state):
            for now in range(1 + number % 2, depth + 1):
                run(state, now, 0, 0, -INFINITY, INFINITY, evaluate, self.table, work)
                if work.stop:
                    return

    def _nodes(self) -> int:
        return sum(int(work.nodes) for work in self.works)

    def _report(
        self, depth: int, score: int, line: list[int], began: float, *, exact: bool, complete: bool
    ) -> Iteration:
        seconds = time.perf_counter() - began
        return Iteration(
            depth,
            Score.of_units(score, self._player),
            tuple(line),
            self._nodes(),
            seconds,
            use_of(self.table, self.age),
            exact,
            complete,
        )

    def _line(self, state: Any, move: int, most: int) -> list[int]:
        """The best line: the first move, then the moves of the table, as long as they are legal and nothing repeats."""
        line, seen = [move], set()
        state = play(state, move)
        while len(line) < most and not is_over(state):
            hash_key = int(table_key(state))
            following = int(best_move(self.table, np.uint64(hash_key)))
            if hash_key in seen or following not in moves_of(state):
                break
            seen.add(hash_key)
            line.append(following)
            state = play(state, following)
        return line
