"""Exact endgames of Reversi: the final score with best play, on all board sizes. The search is in endgame.py."""

import time
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.clock import run_stoppable
from zermelo.core import compiled, count
from zermelo.games.reversi.endgame import BITS, SHARED, SHARED_TYPE, WORK, WORK_TYPE, value
from zermelo.games.reversi.heuristics import zone
from zermelo.games.reversi.rules import board
from zermelo.rules import is_over, margin, moves_of, play
from zermelo.solution import Solution

QUICK_EMPTY = 16
"""With so few empty squares an answer takes well under a second, whoever stands better."""

CACHE_LINE = 64


def is_quick(state: Any, hurry: bool = False) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    return int(count(np.uint64(board(state)) & ~(state.mine | state.theirs))) <= QUICK_EMPTY - 4 * hurry


def solve(state: Any, *, weak: bool = False, all_moves: bool = False, seconds: float | None = None) -> Solution:
    """The exact final score for the player to move, empty squares going to the winner; with weak only its sign.

    all_moves: the score of every legal move. From about 24 empty squares on this takes minutes.
    """
    began = time.perf_counter()
    work, shared = _workspace(state)

    def stop() -> None:
        shared.stop = 1

    scores, best_moves = run_stoppable(lambda: _score_moves(state, weak, all_moves, work, shared), stop, seconds)
    complete = not shared.stop
    best = max(scores.values(), default=0)
    return Solution(
        best if complete else 0,
        best_moves or tuple(moves_of(state)[:1]),
        scores if all_moves and complete else {},
        in_points=not weak,
        nodes=int(work.nodes),
        seconds=time.perf_counter() - began,
        complete=complete,
    )


def _score_moves(
    state: Any, weak: bool, all_moves: bool, work: Any, shared: Any
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Scores by move, and the best of them: one, or all. What is not asked for is only shown to be no better."""
    squares = int(work.squares)
    scores: dict[int, int] = {}
    best = -squares - 1
    for move in moves_of(state):
        child = play(state, move)
        low, high = (-1, 1) if weak else (-squares, squares)
        if not all_moves and best > -squares - 1:
            if best >= high:
                break
            low = max(low, best)
        score = -_value(child, -high, -low, work, shared)
        if shared.stop:
            return {}, ()
        if weak:
            score = (score > 0) - (score < 0)
        scores[move] = score
        best = max(best, score)
    found = [move for move, score in scores.items() if score == best]
    return scores, tuple(found if all_moves else found[:1])


def _value(state: Any, low: int, high: int, work: Any, shared: Any) -> int:
    """The score of a state for its mover, exact between these bounds: by null windows, from the middle outwards."""
    if is_over(state):
        return int(margin(state))
    run = compiled(value, uint64, uint64, int64, int64, WORK_TYPE, SHARED_TYPE)
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


def _workspace(state: Any) -> tuple[Any, Any]:
    """What a search writes, and its table, which begins at a cache line and is used as far as the position needs."""
    squares = np.uint64(board(state))
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.board, work.squares, work.corners = squares, count(squares), zone(squares, 0, 0)
    empty = int(work.squares) - int(count(state.mine | state.theirs))
    bits = max(6, min(BITS, empty - 3))
    work.shift = 64 - bits + 1
    raw = np.zeros(SHARED.itemsize + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    shared = raw[start : start + SHARED.itemsize].view(SHARED).view(np.recarray)[0]
    return work, shared
