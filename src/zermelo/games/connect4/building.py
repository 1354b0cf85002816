"""Making an opening book by solving all positions with a given number of stones."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core.threads import in_order
from zermelo.errors import FileError, GameError
from zermelo.files.folders import make_folder
from zermelo.games.connect4.book import UNKNOWN, Book, Level, own_path
from zermelo.games.connect4.rules import Connect4
from zermelo.games.connect4.solver import solve
from zermelo.position import Game

SAVE_SECONDS = 20.0


def build_book(
    depth: int,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
    *,
    columns: int = 7,
    rows: int = 6,
    table_bits: int = 25,
    threads: int = 1,
    seconds: float | None = None,
) -> Book:
    """Solve every position with up to depth stones, and keep the scores in a file.

    Scores that the file already holds are not computed again, so a run may be stopped (by Ctrl-C, or by a time limit)
    and continued later, and a book can be made deeper. progress(done, all) is told how many positions of the deepest
    level are solved.
    """
    if not 0 <= depth < columns * rows - 1:
        raise GameError(
            "connect4 book: depth={depth} is not a number of stones from 0 to {most}",
            depth=depth,
            most=columns * rows - 2,
        )
    book = Book(columns, rows, depth)
    if path.exists():
        _copy_scores(Book.read(path), book, path)
    level, saved = book.levels[-1], time.monotonic()
    waiting = level.unknown
    done = len(level.scores) - len(waiting)
    try:
        for index, score in _scores(book, level, waiting, table_bits, threads, seconds):
            level.scores[index] = score
            done += 1
            if progress is not None:
                progress(done, len(level.scores))
            if time.monotonic() - saved > SAVE_SECONDS:
                book.write(path)
                saved = time.monotonic()
    finally:
        for number in range(depth, 0, -1):
            score_parents(book, book.levels[number - 1], book.levels[number])
        book.write(path)
    return book


@dataclass(frozen=True)
class BookMade:
    """What `zermelo learn book` tells of a book: its file, and how many positions it has and lacks."""

    path: Path
    stones: int
    positions: list[int]  # for each number of stones
    waiting: int  # positions with the most stones that are still to be solved


def build_book_of(
    game: Game,
    stones: int,
    path: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    threads: int = 1,
    seconds: float | None = None,
) -> BookMade:
    """Build the book of a game with its options, in a file or where the game's solver looks for it."""
    columns, rows = game.size  # type: ignore[attr-defined]
    path = path or own_path(columns, rows)
    make_folder(path.parent)
    book = build_book(stones, path, progress, columns=columns, rows=rows, threads=threads, seconds=seconds)
    return BookMade(path, book.depth, [len(level.keys) for level in book.levels], len(book.levels[-1].unknown))


def _scores(
    book: Book, level: Level, indices: Any, table_bits: int, threads: int, seconds: float | None
) -> Iterator[tuple[int, int]]:
    """The scores of these positions, in the given order, until the time is up."""
    deadline = None if seconds is None else time.monotonic() + seconds
    stopped = threading.Event()

    def score(index: int) -> int | None:
        left = None if deadline is None else deadline - time.monotonic()
        if stopped.is_set() or (left is not None and left <= 0):
            return None
        state = Connect4(level.mine[index], level.stones[index], book.board)
        solution = solve(state, seconds=left, book=False, table_bits=table_bits)
        return solution.score if solution.complete else None

    with contextlib.closing(in_order(score, indices, threads, stopped)) as scores:
        for index, found in zip(indices, scores, strict=True):
            if found is not None:
                yield index, found


def _copy_scores(source: Book, target: Book, path: Path) -> None:
    """Copy the scores that are in the book of this file, which will be replaced."""
    if (source.columns, source.rows) != (target.columns, target.rows):
        raise FileError(
            "{path} is a book for boards of {columns}x{rows}", path=path, columns=source.columns, rows=source.rows
        )
    if source.depth > target.depth:
        raise FileError(
            "{path} already contains positions of up to {depth} stones, more than the {wanted} that you asked for",
            path=path,
            depth=source.depth,
            wanted=target.depth,
        )
    for ours, theirs in zip(target.levels, source.levels, strict=False):
        ours.scores[:] = theirs.scores


def score_parents(book: Book, parents: Level, children: Level) -> None:
    """Score positions whose children have scores: a win at once, or the greatest of the children's scores negated."""
    best = np.full(len(parents.scores), -np.inf)
    stones = int(parents.stones[0]).bit_count()
    won: list[Any] = []
    for indices, wins, mine, after in book.children(parents):
        scores: Any = children.scores[children.find(book.keys_of(mine, after))].astype(float)
        best[indices] = np.maximum(best[indices], np.where(scores == UNKNOWN, np.nan, -scores))
        won.append(wins)
    best[np.concatenate(won)] = (book.columns * book.rows + 1 - stones) // 2
    found = ~np.isnan(best) & (parents.scores == UNKNOWN)
    parents.scores[found] = best[found].astype(np.int8)
