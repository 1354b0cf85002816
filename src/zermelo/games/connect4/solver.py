"""Perfect Connect 4, on all board sizes: the exact score of any position, and of every move.

A score counts stones, as on the well-known solver page: k if the player to move wins with his k-th stone from his
last, -k if he loses so, 0 for a draw.
"""

import threading
import time
from typing import Any

import numba
import numpy as np
from numba import boolean, types

from zermelo.clock import run_stoppable
from zermelo.core import compiled, count
from zermelo.games.connect4.exact import WORK, score_bounds, workspace
from zermelo.rules import is_over, moves_of, outcome, play
from zermelo.solution import Solution

WORK_TYPE = numba.from_dtype(WORK)
TABLE_BITS = 24
"""Words of the table, as a power of two: 128 MB, used only as far as a search grows."""

QUICK_STONES = 14
"""With so many stones on the board (a third of its cells) a position takes a fraction of a second."""

_own = threading.local()


def is_quick(state: Any, hurry: bool = False) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    cells, stones = count(state.board), count(state.stones)
    return stones * 42 >= (QUICK_STONES + 4 * hurry) * cells or cells <= 25


def solve(state: Any, *, weak: bool = False, all_moves: bool = False, seconds: float | None = None) -> Solution:
    """The exact score for the player to move; with weak, only its sign. all_moves: the score of every legal move."""
    began = time.perf_counter()
    work = _workspace(state)
    before = int(work.searched)
    work.stop = 0

    def stop() -> None:
        work.stop = 1

    def search() -> tuple[dict[int, int], bool]:
        scores: dict[int, int] = {}
        for move in moves_of(state):
            scores[move] = _score_of_move(state, move, weak, work)
            if work.stop:
                return {}, False
        return scores, True

    scores, complete = run_stoppable(search, stop, seconds)
    best = max(scores.values(), default=0)
    moves = tuple(move for move, score in scores.items() if score == best) or tuple(moves_of(state)[:1])
    return Solution(
        best,
        moves if all_moves else moves[:1],
        scores if all_moves else {},
        in_points=not weak,
        nodes=int(work.searched) - before,
        seconds=time.perf_counter() - began,
        complete=complete,
    )


def _score_of_move(state: Any, move: int, weak: bool, work: Any) -> int:
    """The score of a move, for the player who makes it."""
    child = play(state, move)
    empty = count(child.board & ~child.stones)
    if is_over(child):
        won = int(outcome(child)) < 0
        return (1 if weak else (empty + 2) // 2) if won else 0
    run = compiled(score_bounds, types.uint64, types.uint64, boolean, WORK_TYPE)
    lower, _ = run(child.mine, child.mine ^ child.stones, weak, work)
    score = -int(lower)
    return (score > 0) - (score < 0) if weak else score


def score_of(state: Any, weak: bool = False) -> tuple[int, int]:
    """The exact score of an unfinished position by one search, and the positions searched for it."""
    work = _workspace(state)
    before = int(work.searched)
    work.stop = 0
    run = compiled(score_bounds, types.uint64, types.uint64, boolean, WORK_TYPE)

    def stop() -> None:
        work.stop = 1

    lower, _ = run_stoppable(lambda: run(state.mine, state.mine ^ state.stones, weak, work), stop)
    score = int(lower)
    return ((score > 0) - (score < 0) if weak else score), int(work.searched) - before


def _workspace(state: Any) -> Any:
    """This thread's workspace for a board; its table is kept, since what it says is true whoever asked."""
    boards = _own.__dict__.setdefault("boards", {})
    board = int(state.board)
    if board not in boards:
        boards.clear()  # one table at a time
        table = np.zeros(1 << TABLE_BITS, np.uint64)
        boards[board] = (workspace(state.board, table), table)
    return boards[board][0]
