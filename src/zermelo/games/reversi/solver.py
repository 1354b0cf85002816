"""Exact endgames of Reversi: the final score with best play, on all board sizes. The search is in endgame.py."""

import time
from collections import deque
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.core import compiled, count
from zermelo.core.clock import run_stoppable
from zermelo.core.threads import in_order
from zermelo.games.reversi.endgame import BITS, SHARED, SHARED_TYPE, WORK, WORK_TYPE, value
from zermelo.games.reversi.heuristics import zone
from zermelo.games.reversi.rules import board
from zermelo.rules import is_over, margin, moves_of, play
from zermelo.solving.solution import Solution

QUICK_EMPTY = 16
"""With this many empty squares or fewer, an answer takes well under a second, whoever is ahead."""

QUICK_NODES = 40_000_000
"""The number of nodes that take a few seconds. Solving all moves of a position with QUICK_EMPTY empty squares usually
takes 2 million nodes; the most in 30 games was 8 million."""

UNLIMITED = 1 << 62
CACHE_LINE = 64


def is_quick(state: Any, hurry: bool = False) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    return int(count(np.uint64(board(state)) & ~(state.mine | state.theirs))) <= QUICK_EMPTY - 4 * hurry


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

    With all_moves, return the score of every legal move. After the first move, the others are shared out among this
    many threads, with one table. From about 24 empty squares on, this takes minutes. nodes is the maximum number of
    positions to search, plus a few hundred for the last squares; with it a single thread searches, and the result is
    the same every time.
    """
    _compile(state)
    if nodes is not None:
        threads = 1
    began = time.perf_counter()
    shared = _table()
    works = [_workspace(state, UNLIMITED if nodes is None else nodes) for _ in range(threads)]

    def stop() -> None:
        shared.stop = 1

    scores = run_stoppable(lambda: _score_moves(state, weak, all_moves, works, shared), stop, seconds)
    complete = not shared.stop
    best = max(scores.values(), default=0)
    best_moves = tuple(move for move in moves_of(state) if scores.get(move) == best) or tuple(moves_of(state)[:1])
    return Solution(
        best if complete else 0,
        best_moves if all_moves else best_moves[:1],
        scores if all_moves and complete else {},
        in_points=not weak,
        nodes=sum(int(work.nodes) for work in works),
        seconds=time.perf_counter() - began,
        complete=complete,
    )


def _search() -> Any:
    return compiled(value, uint64, uint64, int64, int64, WORK_TYPE, SHARED_TYPE)


def _compile(state: Any) -> None:
    """Compile everything that a run calls, so that compiling does not count towards its limits."""
    _search()
    for move in moves_of(state)[:1]:
        child = play(state, move)
        is_over(child), margin(child)


def _score_moves(state: Any, weak: bool, all_moves: bool, works: list[Any], shared: Any) -> dict[int, int]:
    """Scores by move. Without all_moves, moves that are shown to be no better than the best are left out."""
    squares = int(works[0].squares)
    least, most = (-1, 1) if weak else (-squares, squares)
    scores: dict[int, int] = {}
    free = list(works)

    def score(move: int) -> None:
        low = least if all_moves else max([least, *scores.values()])
        if low >= most or shared.stop:
            return
        work = free.pop()
        found = -_value(play(state, move), -most, -low, work, shared)
        free.append(work)
        if not shared.stop and (all_moves or not scores or found > low):
            scores[move] = (found > 0) - (found < 0) if weak else found

    first, *others = sorted(moves_of(state), key=lambda move: len(moves_of(play(state, move))))
    score(first)
    if len(works) == 1:
        for move in others:
            score(move)
    else:
        deque(in_order(score, others, len(works)), maxlen=0)
    return {} if shared.stop else scores


def _value(state: Any, low: int, high: int, work: Any, shared: Any) -> int:
    """The score of a state for its mover, exact between these bounds, by null windows from the middle outwards."""
    if is_over(state):
        return int(margin(state))
    run = _search()
    alpha, beta = max(low, min(-1, high - 2)), min(high, max(1, low + 2))
    while True:
        found = int(run(state.mine, state.theirs, alpha, beta, work, shared))
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
    work.shift = 64 + 1 - max(6, min(BITS, empty - 3))  # only as much of the table is used as the position needs
    return work


def _table() -> Any:
    """An empty table that begins at a cache line. Threads share it, since every entry is true for all of them."""
    raw = np.zeros(SHARED.itemsize + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return raw[start : start + SHARED.itemsize].view(SHARED).view(np.recarray)[0]
