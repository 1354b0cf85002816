"""Exact endgames of Reversi: the final score with best play, on all board sizes. The search is in endgame.py."""

import functools
import threading
import time
from collections import deque
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.core import Heuristic, compiled, count
from zermelo.core.clock import run_stoppable
from zermelo.core.threads import in_order
from zermelo.evaluation.models import shipped_heuristics
from zermelo.games.reversi.endgame import (
    BITS,
    HEURISTIC_TYPE,
    SHARED,
    SHARED_TYPE,
    UNLIMITED,
    WORK,
    WORK_TYPE,
    value,
)
from zermelo.games.reversi.heuristics import mobility, zone
from zermelo.games.reversi.published import SHARED as PUBLISHED
from zermelo.games.reversi.published import no_value, solver_functions
from zermelo.games.reversi.rules import Reversi, board
from zermelo.games.reversi.sharing import Search, Sharing
from zermelo.games.reversi.sorting import estimate
from zermelo.rules import is_over, margin, moves_of, play
from zermelo.solving.compiled import CompiledSolver
from zermelo.solving.solution import Solution

QUICK_EMPTY = 16
"""With this many empty squares or fewer, an answer takes well under a second, whoever is ahead."""

CHEAP_EMPTY = 12
"""With this many empty squares or fewer, a score usually takes less than a millisecond, so millions can be solved."""

QUICK_NODES = 40_000_000
"""The number of nodes that take a few seconds. Solving all moves of a position with QUICK_EMPTY empty squares usually
takes 2 million nodes; the most in 30 games was 8 million."""

NOT_GUESSED, DEEPEST_ESTIMATE = 10, 6
"""Before a position is solved, a short search estimates its moves. It goes one ply deeper for every two empty squares
above the first number, up to the second."""

LEARNED = "learned"

USUAL_EMPTY, USUAL_NODES, GROWTH = 20, 2.7e6, 1.95
"""Half of the positions with 20 empty squares take fewer than 2.7 million nodes; each further square doubles that."""
WEAK_PART = 0.1  # the part of these nodes that is allowed for finding out who wins
LEAST_NODES = 5000  # a position that needs no more is always solved
ROOM = 2.5  # an allowance, because some positions take several times the usual number of nodes

CACHE_LINE = 64

_own = threading.local()  # the memory of exact_score


def is_quick(state: Any, hurry: bool = False) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    return int(count(np.uint64(board(state)) & ~(state.mine | state.theirs))) <= QUICK_EMPTY - 4 * hurry


def exact_score(state: Any, at_any_cost: bool = False) -> float | None:
    """The exact final score, if it costs little or is wanted at any cost.

    The table is kept for the next position, and no limit is watched.
    """
    empty = int(count(np.uint64(board(state)) & ~(state.mine | state.theirs)))
    if empty > CHEAP_EMPTY and not at_any_cost:
        return None
    if "shared" not in _own.__dict__:
        _own.shared, _own.works = _table(), {}
    size = int(board(state)), empty
    if size not in _own.works:
        _own.works[size] = _workspace(state, UNLIMITED)
    work = _own.works[size]
    squares, expected = int(work.squares), 0
    if empty > CHEAP_EMPTY and not is_over(state):
        expected = int(_estimating()(state.mine, state.theirs, _guess_depth(empty), _native(), work))
    return float(_value(state, -squares, squares, _alone(work, _own.shared), _own.shared, expected))


def worth_solving(state: Any, seconds: float | None = None, nodes: int | None = None) -> str | None:
    """Within so much, can the score of this position be found (`exact`), or only who wins (`weak`), or neither (None)?

    The time is turned into nodes by the speed of earlier solutions on this machine.
    """
    if seconds is None and nodes is None:
        return "exact" if is_quick(state) else None
    most = min(float("inf") if nodes is None else nodes, float("inf") if seconds is None else seconds * _speed[0])
    most = max(most, LEAST_NODES)
    empty = int(count(np.uint64(board(state)) & ~(state.mine | state.theirs)))
    needed = _needed(empty)
    return "exact" if needed <= most else "weak" if WEAK_PART * needed <= most else None


def _needed(empty: int) -> float:
    """The nodes that are allowed for the score of a position with so many empty squares."""
    return ROOM * USUAL_NODES * GROWTH ** (empty - USUAL_EMPTY)


_speed = [30e6]  # nodes per second: a mean, in which the last solutions count most
MEASURED = 200_000  # a solution of at least this many nodes tells the speed


def solve(
    state: Any,
    *,
    weak: bool = False,
    all_moves: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
) -> Solution:
    """Return the exact final score for the player to move, or with weak only its sign. Empty squares go to the winner.

    With all_moves, return the score of every legal move. Several threads share one table: they search the first move
    together (see sharing.py), and then each takes one of the others at a time. From about 24 empty squares on, this
    takes minutes. nodes is the maximum number of positions to search, plus a few hundred for the last squares; with it
    a single thread searches, and the result is the same every time.
    """
    _compile(state)
    if nodes is not None:
        threads = 1
    began = time.perf_counter()
    shared = _table()
    works = [_workspace(state, UNLIMITED if nodes is None else nodes) for _ in range(threads)]

    ended = threading.Event()

    def stop() -> None:
        ended.set()
        shared.stop = 1

    scores = run_stoppable(lambda: _score_moves(state, weak, all_moves, works, shared, ended), stop, seconds)
    complete, visited, taken = not shared.stop, sum(int(work.nodes) for work in works), time.perf_counter() - began
    if visited >= MEASURED:
        _speed[0] += (visited / taken - _speed[0]) / 4
    best = max(scores.values(), default=0)
    best_moves = tuple(move for move in moves_of(state) if scores.get(move) == best) or tuple(moves_of(state)[:1])
    return Solution(
        best if complete else 0,
        best_moves if all_moves else best_moves[:1],
        scores if all_moves and complete else {},
        in_points=not weak,
        nodes=visited,
        seconds=taken,
        complete=complete,
    )


def _search() -> Any:
    return compiled(value, uint64, uint64, int64, int64, HEURISTIC_TYPE, WORK_TYPE, SHARED_TYPE)


def _estimating() -> Any:
    return compiled(estimate, uint64, uint64, int64, HEURISTIC_TYPE, WORK_TYPE)


@functools.cache
def _judge() -> Heuristic:
    """The heuristic that helps to sort moves: the learned one or, without it, one that is never asked."""
    return shipped_heuristics(__package__, Reversi, "reversi").get(LEARNED, mobility)


def _native() -> Any:
    return _judge().native(Reversi)


def _compile(state: Any) -> None:
    """Compile everything that a run calls, so that compiling does not count towards its limits."""
    _search(), _estimating()
    for move in moves_of(state)[:1]:
        child = play(state, move)
        is_over(child), margin(child)


def _score_moves(
    state: Any, weak: bool, all_moves: bool, works: list[Any], shared: Any, ended: threading.Event
) -> dict[int, int]:
    """Scores by move. Without all_moves, moves that are shown to be no better than the best are left out."""
    squares = int(works[0].squares)
    least, most = (-1, 1) if weak else (-squares, squares)
    estimates = {move: _estimate(state, move, works[0]) for move in moves_of(state)}
    scores: dict[int, int] = {}
    free = list(works)

    def score(move: int, together: bool = False) -> None:
        low = least if all_moves else max([least, *scores.values()])
        if low >= most or shared.stop:
            return
        # The others need only show that they are no better than the first.
        expected = -estimates[move] if all_moves or not scores else -low
        if together:
            team = Sharing(works, shared, ended, _run, _estimate)
            found = -_value(play(state, move), -most, -low, team.value, shared, expected)
        else:
            work = free.pop()
            found = -_value(play(state, move), -most, -low, _alone(work, shared), shared, expected)
            free.append(work)
        if not shared.stop and (all_moves or not scores or found > low):
            scores[move] = (found > 0) - (found < 0) if weak else found

    first, *others = sorted(estimates, key=lambda move: -estimates[move])
    score(first, together=len(works) > 1)
    if len(works) == 1:
        for move in others:
            score(move)
    else:
        deque(in_order(score, others, len(works)), maxlen=0)
    return {} if shared.stop else scores


def _estimate(state: Any, move: int, work: Any) -> int:
    """What a short search says about a move, in discs for the player who makes it."""
    child = play(state, move)
    if is_over(child):
        return -int(margin(child))
    empty = int(work.squares) - int(count(state.mine | state.theirs))
    return -int(_estimating()(child.mine, child.theirs, _guess_depth(empty), _native(), work))


def _guess_depth(empty: int) -> int:
    """The depth of the search that estimates the score of a position with so many empty squares."""
    return min(max((empty - NOT_GUESSED) // 2, 1), DEEPEST_ESTIMATE)


def _run(state: Any, alpha: int, beta: int, work: Any, shared: Any) -> int:
    """The score of a state for its mover, to within this window."""
    if is_over(state):
        return int(margin(state))
    return int(_search()(state.mine, state.theirs, alpha, beta, _native(), work, shared))


def _alone(work: Any, shared: Any) -> Search:
    """The search of a single thread."""
    return lambda state, alpha, beta: _run(state, alpha, beta, work, shared)


def _value(state: Any, low: int, high: int, search: Search, shared: Any, expected: int = 0) -> int:
    """The score of a state for its mover, exact between these bounds, by null windows around the expected score."""
    if is_over(state):
        return int(margin(state))
    alpha, beta = max(low, min(expected - 1, high - 2)), min(high, max(expected + 1, low + 2))
    while True:
        found = search(state, alpha, beta)
        if shared.stop:
            return 0
        if found <= alpha and alpha > low:
            alpha, beta = max(low, found - 2), found + 1
        elif found >= beta and beta < high:
            alpha, beta = found - 1, min(high, found + 2)
        else:
            return found


def _workspace(state: Any, limit: int) -> Any:
    """A workspace with everything that one thread writes."""
    squares = np.uint64(board(state))
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.limit = limit
    work.board, work.squares, work.corners = squares, count(squares), zone(squares, 0, 0)
    empty = int(work.squares) - int(count(state.mine | state.theirs))
    work.learned = int(isinstance(state, Reversi) and _judge().name == LEARNED)
    work.weights = _judge().address
    work.shift = 64 + 1 - max(6, min(BITS, empty - 3))  # only as much of the table is used as the position needs
    return work


def _table() -> Any:
    """An empty table that begins at a cache line. Threads share it, since every entry is true for all of them."""
    raw = np.zeros(SHARED.itemsize + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return raw[start : start + SHARED.itemsize].view(SHARED).view(np.recarray)[0]


def published(state: Any) -> CompiledSolver:
    """The solver for WebAssembly modules."""
    work = _workspace(state, UNLIMITED)
    needed = np.array([_needed(empty) for empty in range(int(work.squares) + 1)])
    evaluate = _native() if work.learned else no_value
    depths = NOT_GUESSED, DEEPEST_ESTIMATE
    find_move, score_moves = solver_functions(evaluate, needed, WEAK_PART, LEAST_NODES, QUICK_EMPTY, depths)
    table, judge = np.zeros(1, PUBLISHED), _judge() if work.learned else None
    return CompiledSolver(work, table, score_moves=score_moves, find_move=find_move, heuristic=judge)
