"""Running the textbook searches: from Python values to compiled code and back."""

import functools
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from numba import int64

from zermelo.core import Heuristic, class_of, compiled
from zermelo.core.clock import run_stoppable
from zermelo.core.searching import searching
from zermelo.rules import POINT, moves_of, to_move
from zermelo.scores import Score, units_of_score
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.lines import best_line
from zermelo.searches.minimax import minimax
from zermelo.searches.recording import TRACED_WORK, TRACED_WORK_TYPE, Node, read_tree
from zermelo.searches.workspace import INFINITY, PLIES, UNLIMITED, WORK_TYPE, heuristic_type, workspace

ALL_PLIES = PLIES
REPORT_ORDER_PLIES = 2  # the Parcheckers report sorts the moves of the first two plies


@dataclass(frozen=True)
class Found:
    """What a search found, and what it cost."""

    move: int | None  # None if the game is over
    score: Score  # for the player to move
    line: tuple[int, ...]  # the moves that it expects, this one first
    depth: int
    complete: bool  # False if the budget was used up; the move is then the best of those searched to the end
    generated: int
    evaluated: int
    cutoffs: int
    seconds: float
    horizon: int = 0  # positions evaluated at the full depth; 0 if the search saw the end of every line
    tree: Node | None = None
    tree_complete: bool = True

    @property
    def nodes(self) -> int:
        """Positions visited, the root included."""
        return self.generated + 1


@functools.cache
def compiled_search(method: Any, cls: Any, traced: bool) -> Any:
    """The search, compiled for a state class. It takes any heuristic for that class."""
    work = TRACED_WORK_TYPE if traced else WORK_TYPE
    heuristics = [heuristic_type(cls)] * (1 if method is minimax else 2)
    numbers = [int64] * (3 if method is minimax else 5)
    return compiled(method, cls.numba, *numbers, *heuristics, work)


_own = threading.local()


def _fresh_workspace() -> Any:
    """This thread's workspace, with its counters at zero."""
    work = getattr(_own, "work", None)
    if work is None:
        work = _own.work = workspace()
    work.stop = work.generated = work.evaluated = work.horizon = work.cutoffs = 0
    return work


def run_minimax(
    state: Any,
    heuristic: Heuristic,
    depth: int,
    *,
    budget: Budget = NO_LIMIT,
    trace: bool = False,
) -> Found:
    """Search with minimax to a fixed depth, as far as the budget's nodes and seconds allow.

    The nodes of the budget are positions generated plus positions evaluated.
    """
    cls = class_of(state)
    evaluate = heuristic.native(cls)
    run = compiled_search(minimax, cls, trace)
    work = workspace(TRACED_WORK) if trace else _fresh_workspace()
    work.weights = heuristic.address
    return _run(lambda: run(state, depth, 0, 0, evaluate, work), work, state, depth, budget, trace)


def run_alphabeta(
    state: Any,
    heuristic: Heuristic,
    depth: int,
    *,
    tolerance: float = 0,
    order: Heuristic | None = None,
    order_plies: int | None = None,
    top_moves: int | None = None,
    budget: Budget = NO_LIMIT,
    trace: bool = False,
    window: tuple[Score | float, Score | float] = (-math.inf, math.inf),
) -> Found:
    """Search with alpha-beta to a fixed depth, as far as the budget's nodes and seconds allow (see run_minimax).

    tolerance: a position is also left once beta - alpha is below this number of points (probabilistic pruning).
    order: the heuristic that sorts the moves of the first plies, best first for the player to move.
    order_plies: the number of these plies. By default it is 2, or every ply if top_moves is given.
    top_moves: only this many of the sorted moves are searched. Without order, the heuristic itself sorts them.
    window: alpha and beta, as scores or in points.
    """
    if order_plies is None:
        order_plies = ALL_PLIES if top_moves else REPORT_ORDER_PLIES if order else 0
    cls = class_of(state)
    evaluate = heuristic.native(cls)
    ordering = order or heuristic
    sort_by = ordering.native(cls)
    run = compiled_search(alphabeta, cls, trace)
    work = workspace(TRACED_WORK) if trace else _fresh_workspace()
    work.weights, work.order_weights = heuristic.address, ordering.address
    work.tolerance, work.order_plies, work.top_moves = round(tolerance * POINT), order_plies, top_moves or 0
    alpha, beta = (int(min(max(units_of_score(bound), -INFINITY), INFINITY)) for bound in window)
    return _run(
        lambda: run(state, depth, 0, 0, alpha, beta, evaluate, sort_by, work), work, state, depth, budget, trace
    )


def deepen(search: Callable[[int, Budget], Found], budget: Budget) -> Found:
    """Search depth after depth until the nodes or seconds are used up, and return the deepest finished search.

    search(depth, budget) searches once, with what is left of the budget. The costs of all searches are added up. An
    unfinished search may have missed the best move, so it counts only if it is the first.
    """
    began, last = time.perf_counter(), None
    generated = evaluated = cutoffs = 0
    for depth in range(1, PLIES + 1):
        left = budget.after(generated + evaluated, time.perf_counter() - began)
        if last is not None and left.is_spent:
            break
        found = search(depth, left)
        generated += found.generated
        evaluated += found.evaluated
        cutoffs += found.cutoffs
        if last is None or found.complete:
            last = found
        if not found.complete or found.horizon == 0 or found.score.is_proven:  # deeper searches would find the same
            break
    assert last is not None
    seconds = time.perf_counter() - began
    return replace(last, seconds=seconds, generated=generated, evaluated=evaluated, cutoffs=cutoffs)


def _run(call: Any, work: Any, state: Any, depth: int, budget: Budget, trace: bool) -> Found:
    work.limit = UNLIMITED if budget.nodes is None else budget.nodes

    def stop() -> None:
        work.stop = 1

    def timed() -> tuple[int, float]:
        began = time.perf_counter()
        return int(call()), time.perf_counter() - began

    with searching(state):
        score, elapsed = run_stoppable(timed, stop, budget.seconds)
    line = best_line(work)
    complete = not work.stop
    if not line:  # stopped before the first move was searched to the end: any move is better than none
        line, score = moves_of(state)[:1], score if complete else 0
    tree, tree_complete = read_tree(work) if trace else (None, True)
    return Found(
        move=line[0] if line else None,
        score=Score.of_units(score, int(to_move(state)) + 1),
        line=tuple(line),
        depth=depth,
        complete=complete,
        generated=int(work.generated),
        evaluated=int(work.evaluated),
        cutoffs=int(work.cutoffs),
        seconds=elapsed,
        horizon=int(work.horizon),
        tree=tree,
        tree_complete=tree_complete,
    )
