"""Perfect play in Connect 4, on all board sizes: the exact score of any position, and of every move.

Scores count stones, as other well-known solvers do. The score is k if the player to move wins with the k-th stone,
counted back from that player's last; -k if the opponent wins in this way; 0 for a draw. The search is in exact.py.
"""

import contextlib
import functools
import threading
import time
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba import boolean, int64, uint64

from zermelo.core import JIT, compiled, count
from zermelo.core.clock import run_stoppable
from zermelo.core.threads import in_order
from zermelo.games.connect4 import exact
from zermelo.games.connect4.book import Book, find_book
from zermelo.games.connect4.notation import column_count, row_count
from zermelo.games.connect4.published import move_finder, prepare, score_moves, stored
from zermelo.games.connect4.rules import MOST_COLUMNS
from zermelo.rules import is_over, moves_of, outcome, play
from zermelo.solving.compiled import CompiledSolver
from zermelo.solving.solution import Solution

WORK_TYPE = numba.from_dtype(exact.WORK)
TABLE_BITS = 24
"""The table has room for 2 to this power of positions: 128 MB, of which a search uses only as much as it needs."""

QUICK_STONES, HURRIED_STONES = 14, 18
"""With this many stones on the board of 42 cells, solving a position or all its moves takes a few milliseconds."""

QUICK_NODES = 40_000_000
"""The number of nodes that take a few seconds. Solving all moves of a position just beyond the book usually takes 2
million nodes; the most in 40 random positions was 18 million."""

ALONE_NODES = 50_000
"""The number of nodes after which the moves of a position are shared among threads: about a hundredth of a second."""

INTERPRETED_STONES = 32
"""The same limit for plain Python, which is about a hundred times slower."""

BEYOND_BOOK = 6
"""With this many stones, if a book covers the earlier positions, all moves usually take a second and seldom four."""

SMALL = 25
"""On boards of this many cells or fewer, every position can be solved quickly."""

SHARED_BITS = 18
"""The same for the threads that share the moves of a position of BEYOND_BOOK stones or more, which take a few million
nodes. These 2 MB stay in a processor's cache: with 32 MB, positions of 8 and 9 stones took 1.7 times as long, although
they searched a twentieth fewer nodes."""

PUBLISHED_BITS = 22
"""The same for a published solver: 32 MB, since phones have little memory."""

UNLIMITED = 1 << 62
ANYTHING = 99
"""Greater than every score."""

_own = threading.local()


def is_quick(state: Any, hurry: bool = False, book: bool = True) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    stones = int(count(state.stones))
    opened = find_book(column_count(state), row_count(state)) if book else None
    return stones <= _covered(opened) or stones >= _enough(state, hurry, opened)


def _covered(book: Book | None) -> int:
    """Up to this many stones, the book has all positions after the next move; -1 if it has none."""
    return -1 if book is None else book.whole_levels - 2


def _enough(state: Any, hurry: bool, book: Book | None) -> int:
    """With this many stones on the board, or more, a position beyond the book can be solved quickly."""
    cells = int(count(state.board))
    if cells <= SMALL:
        return 0
    enough = HURRIED_STONES if hurry else QUICK_STONES if book is None else BEYOND_BOOK
    return -(-(enough if JIT else INTERPRETED_STONES) * cells // 42)


def is_practical(state: Any) -> bool:
    """Can thousands of positions like this one be solved? On the usual board each takes two seconds at most."""
    cells, stones = count(state.board), count(state.stones)
    return is_quick(state) or (cells <= 42 and stones >= 5)


def solve(
    state: Any,
    *,
    weak: bool = False,
    all_moves: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    book: bool = True,
    kept: dict[str, Any] | None = None,
    table_bits: int = TABLE_BITS,
) -> Solution:
    """Return the exact score for the player to move and a best move; with weak, only whether it is won, drawn or lost.

    With all_moves, return the score of every legal move, and all best moves. nodes is the maximum number of positions
    to search. With book, look in the opening book first. Scores do not depend on earlier calls, so all_moves may use
    what earlier calls in this thread have found. Without all_moves, earlier results could change which of several
    best moves is found, and with a limit of nodes they could change how far the search gets: in both cases the search
    begins with an empty table, and is the same every time, unless kept (see solving.registry) allows otherwise.
    """
    opened = find_book(column_count(state), row_count(state)) if book else None
    task = _Task(state, weak, opened, _workspace(state.board, table_bits))
    task.prepare(all_moves)
    if task.searches and (nodes is not None or (not all_moves and kept is None)):
        task.forget()
    began, before = time.perf_counter(), int(task.work.searched)
    together = all_moves and nodes is None and not weak and JIT
    scores = task.run(task.score_moves if all_moves else task.find_best, seconds, ALONE_NODES if together else nodes)
    wanted = len(moves_of(state)) if all_moves else 1
    searched = int(task.work.searched) - before
    if together and len(scores) < wanted:
        left = None if seconds is None else seconds - (time.perf_counter() - began)
        scores, more = _score_together(task, scores, left)
        searched += more
    complete = len(scores) == wanted
    return Solution(
        max(scores.values()) if complete else 0,
        _best_of(scores) if complete else tuple(moves_of(state)[:1]),
        scores if all_moves and complete else {},
        plies=plies_of(state, max(scores.values())) if complete and not weak else None,
        distances={move: plies_of(state, score) for move, score in scores.items() if score and complete and not weak},
        in_points=not weak,
        nodes=searched,
        seconds=time.perf_counter() - began,
        complete=complete,
    )


def _best_of(scores: dict[int, int]) -> tuple[int, ...]:
    """The moves with the best score."""
    return tuple(move for move, score in scores.items() if score == max(scores.values()))


def _score_together(task: "_Task", known: dict[int, int], seconds: float | None) -> tuple[dict[int, int], int]:
    """The scores of all moves, of which some are known; as many threads as there are processors find the others.

    Scores are missing if the time was not enough. The second result is how many positions were searched.
    """
    state, table = task.state, shared_table(task.state)
    stopped, works = threading.Event(), []

    def score(move: int) -> tuple[int | None, int]:
        child = play(state, move)
        at_once = task.known_score(child)
        if at_once is not None or stopped.is_set():
            return at_once, 0
        works.append(table.work)
        return table.score(child, task.least_score(child))

    def stop() -> None:
        stopped.set()
        for work in works:
            work.stop = 1

    def score_all() -> list[tuple[int | None, int]]:
        with contextlib.closing(in_order(score, moves, stopped=stopped)) as found:
            return list(found)

    moves = [move for move in moves_of(state) if move not in known]
    answers = dict(zip(moves, run_stoppable(score_all, stop, seconds), strict=True))
    found = known | {move: -score for move, (score, _nodes) in answers.items() if score is not None}
    return {move: found[move] for move in moves_of(state) if move in found}, sum(nodes for _, nodes in answers.values())


def plies_of(state: Any, score: int) -> int:
    """The number of plies that the game lasts with best play, if this is its score for the player to move."""
    cells, stones = int(count(state.board)), int(count(state.stones))
    if score == 0:
        return cells - stones
    is_first = stones % 2 == 0
    all_of_winner = (cells + (is_first == (score > 0))) // 2
    his_now = stones // 2 if score > 0 else (stones + 1) // 2
    his_next = all_of_winner + 1 - abs(score) - his_now
    return 2 * his_next - (score > 0)


def score_of(
    state: Any, weak: bool = False, table_bits: int = TABLE_BITS, seconds: float | None = None
) -> tuple[int | None, int]:
    """The exact score of an unfinished position, found without a book, and how many positions were searched.

    The score is None if the time was not enough. The search may use what earlier calls in this thread have found.
    """
    task = _Task(state, weak, None, _workspace(state.board, table_bits))
    before = int(task.work.searched)
    score = task.run(lambda: task.score(state), seconds)
    return None if task.work.stop else score, int(task.work.searched) - before


class SharedTable:
    """A table that the searches of several threads share. Its bounds are always true, so the scores are the same."""

    def __init__(self, board: Any, table_bits: int = TABLE_BITS):
        self.board, self.words = board, np.zeros(1 << table_bits, np.uint64)
        self._own = threading.local()

    @property
    def work(self) -> Any:
        """This thread's workspace."""
        work = self._own.__dict__.get("work")
        if work is None:
            work = self._own.work = exact.workspace(self.board, self.words)
            compiled(exact.use_whole_table, WORK_TYPE)(work)
        return work

    def score(self, state: Any, least: int | None = None, seconds: float | None = None) -> tuple[int | None, int]:
        """The score of an unfinished position, which is known to be at least `least`, and how many positions were
        searched. The score is None if the time was not enough."""
        task = _Task(state, False, None, self.work)
        before = int(task.work.searched)
        score = task.run(lambda: task.score(state, least), seconds)
        return None if task.work.stop else score, int(task.work.searched) - before


def shared_table(state: Any) -> SharedTable:
    """The table for the moves of a hard position."""
    is_near = count(state.board) <= 42 and count(state.stones) >= BEYOND_BOOK
    return _shared_table(int(state.board), SHARED_BITS if is_near else TABLE_BITS)


@functools.lru_cache(maxsize=1)
def _shared_table(board: int, table_bits: int) -> SharedTable:
    """The table is kept, since its bounds are always true."""
    return SharedTable(np.uint64(board), table_bits)


def scores_of(states: Sequence[Any], weak: bool = False, table_bits: int = TABLE_BITS) -> tuple[Any, Any]:
    """Like score_of, for many positions on one board size: each starts with an empty table, all in compiled code."""
    task = _Task(states[0], weak, None, _workspace(states[0].board, table_bits))
    run = compiled(exact.score_all, uint64[::1], uint64[::1], boolean, int64[::1], int64[::1], WORK_TYPE)
    mine = np.array([state.mine for state in states], np.uint64)
    theirs = np.array([state.mine ^ state.stones for state in states], np.uint64)
    scores, searched = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
    task.run(lambda: run(mine, theirs, weak, scores, searched, task.work), None)
    return scores, searched


class _Task:
    """A position to be solved, and what is needed to solve it. Once work.stop is set, results mean nothing."""

    def __init__(self, state: Any, weak: bool, book: Book | None, work: Any):
        self.state, self.weak, self.book, self.work = state, weak, book, work
        self.searches = True

    @functools.cached_property
    def answer(self) -> Any:
        return compiled(exact.answer, int64, uint64, uint64, int64, WORK_TYPE)

    @functools.cached_property
    def allow(self) -> Any:
        return compiled(exact.allow, int64, WORK_TYPE)

    @functools.cached_property
    def clear(self) -> Any:
        return compiled(exact.forget, WORK_TYPE)

    def prepare(self, all_moves: bool) -> None:
        """Compile the search before the time begins. If the book knows all that is asked, there will be none.

        (It takes a third of the processor time to the engine's first move in a new installation.)
        """
        asked = [play(self.state, move) for move in moves_of(self.state)] + ([] if all_moves else [self.state])
        self.searches = any(self.known_score(state) is None for state in asked)
        if self.searches:
            _ = self.answer, self.allow, self.clear

    def run(self, call: Any, seconds: float | None, nodes: int | None = None) -> Any:
        """Return the result of call(), which is stopped after this many seconds or nodes, or by Ctrl-C."""

        def stop() -> None:
            self.work.stop = 1

        self.work.stop = 0
        if self.searches:
            _ = self.answer
            self.allow(UNLIMITED if nodes is None else nodes, self.work)
        return run_stoppable(call, stop, seconds)

    def ask(self, question: int, state: Any, number: int = 0) -> int:
        """What compiled code answers about a position (see exact.answer)."""
        return int(self.answer(question, state.mine, state.mine ^ state.stones, number, self.work))

    def forget(self) -> None:
        """Make the result independent of earlier calls."""
        self.clear(self.work)

    def known_score(self, state: Any) -> int | None:
        """The score, if it needs no search because the game has ended or the book has it; otherwise None."""
        if is_over(state):
            distance = 1 if self.weak else (count(state.board & ~state.stones) + 2) // 2
            return int(outcome(state)) * distance
        score = self.book.score(state) if self.book else None
        return score if score is None or not self.weak else (score > 0) - (score < 0)

    def least_score(self, state: Any) -> int | None:
        """The lowest score that a position can have, by the book; None if the book does not tell."""
        return None if self.weak or self.book is None else self.book.least_score(state)

    def score(self, state: Any, least: int | None = None) -> int:
        """The score of a position for its mover; least: what it is known to be at least."""
        known = self.known_score(state)
        if known is not None:
            return known
        if self.work.stop:
            return 0
        if least is not None:
            return self.ask(exact.SCORE_ABOVE, state, least)
        return self.ask(exact.SIGN if self.weak else exact.SCORE, state)

    def score_moves(self) -> dict[int, int]:
        """The scores of all moves, or of those that were finished when the search was stopped."""
        scores = {}
        for move in moves_of(self.state):
            child = play(self.state, move)
            score = self.score(child, self.least_score(child))
            if self.work.stop:
                break
            scores[move] = -score
        return scores

    def find_best(self) -> dict[int, int]:
        """A best move with its score: the first one that is recognised without a search, or one found by search.

        If the search was stopped, there is none.
        """
        score = self.score(self.state)
        goal = ANYTHING if self.weak and score < 0 else -score
        moves = sorted(moves_of(self.state), key=lambda move: -int(self.work.centre[move]))
        for deep in (False, True):
            for move in moves:
                child = play(self.state, move)
                bound = self.known_score(child)
                if bound is None:
                    bound = self.ask(exact.BOUND if deep else exact.BOUND_AT_ONCE, child, goal)
                if self.work.stop:
                    return {}
                if bound <= goal:
                    return {move: score}
        raise AssertionError("no move has the score of the position")


def _workspace(board: Any, table_bits: int) -> Any:
    """This thread's workspace for a board. Its table is kept between calls, since its bounds are always true."""
    kept = _own.__dict__
    if kept.get("board") != (int(board), table_bits):
        kept["table"] = np.zeros(1 << table_bits, np.uint64)  # only one table is kept at a time
        kept["work"] = exact.workspace(board, kept["table"])
        kept["board"] = int(board), table_bits
    return kept["work"]


def published(state: Any) -> CompiledSolver:
    """The solver for WebAssembly modules, with the book for this board."""
    book, columns = find_book(column_count(state), row_count(state)), column_count(state)
    # No book has keys of more than seven columns: an eighth would leave no room for the score.
    scores, room = stored(book.levels if book is not None and columns < MOST_COLUMNS else [], columns)
    table = np.zeros((1 << PUBLISHED_BITS) + room, np.uint64)
    work = exact.workspace(state.board, table[: 1 << PUBLISHED_BITS])
    finder = move_finder(_enough(state, False, book), _enough(state, True, book), _covered(book))
    return CompiledSolver(work, table, scores, score_moves, finder, prepare=prepare)
