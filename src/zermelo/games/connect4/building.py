"""Making an opening book by solving all positions with a given number of stones."""

import contextlib
import functools
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import FileError, GameError
from zermelo.files.folders import make_folder
from zermelo.games.connect4.book import UNKNOWN, Book, Level, own_path
from zermelo.games.connect4.rules import Connect4
from zermelo.games.connect4.solver import SharedTable
from zermelo.pieces.crews import Crew, Threads
from zermelo.pieces.job import Job, settings_of
from zermelo.pieces.kept import Kept, beside
from zermelo.pieces.results import results
from zermelo.position import Game

SAVE_SECONDS = 20.0
BITS_ELSEWHERE = 24
"""Number of bits of the table of each process of a crew, which takes 128 megabytes then."""


def build_book(
    depth: int,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
    *,
    columns: int = 7,
    rows: int = 6,
    table_bits: int = 26,
    crew: Crew | None = None,
    seconds: float | None = None,
) -> Book:
    """Solve every position with up to depth stones, and keep the scores in a file.

    Positions with few stones come first, because their scores say how low the scores of the next ones can be. Scores
    that the file already holds are not computed again, so a run may be stopped (by Ctrl-C, or by a time limit) and
    continued later, and a book can be made deeper. progress(done, all) is told how many positions are solved. A crew
    solves them, by default one thread; the file is the same.
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
    done, total = (sum(map(len, sizes)) for sizes in zip(*((one.known, one.keys) for one in book.levels), strict=True))
    saved = time.monotonic()
    size = {"columns": columns, "rows": rows}
    with (
        Kept(beside(path), settings_of(size)) as kept,
        contextlib.nullcontext(crew) if crew is not None else Threads(1) as workers,
    ):
        bits = table_bits if workers.shares_memory else min(table_bits, BITS_ELSEWHERE)
        job = Job(f"{__name__}:do_score", settings_of(size | {"table_bits": bits}))
        try:
            for level, index, score in _scores(book, job, workers, kept, seconds):
                level.scores[index] = score
                done += 1
                if progress is not None:
                    progress(done, total)
                if time.monotonic() - saved > SAVE_SECONDS:
                    book.write(path)
                    saved = time.monotonic()
        finally:
            book.write(path)
            _table.cache_clear()
        if book.is_complete:
            kept.remove()
    return book


@dataclass(frozen=True)
class BookMade:
    """What `zermelo learn book` tells of a book: its file, and how many positions it has and lacks."""

    path: Path
    stones: int
    positions: list[int]  # for each number of stones
    waiting: int  # positions that are still to be solved


def build_book_of(
    game: Game,
    stones: int,
    path: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    crew: Crew | None = None,
    seconds: float | None = None,
) -> BookMade:
    """Build the book of a game with its options, in a file or where the game's solver looks for it."""
    columns, rows = game.size  # type: ignore[attr-defined]
    path = path or own_path(columns, rows)
    make_folder(path.parent)
    book = build_book(stones, path, progress, columns=columns, rows=rows, crew=crew, seconds=seconds)
    waiting = sum(len(level.unknown) for level in book.levels)
    return BookMade(path, book.depth, [len(level.keys) for level in book.levels], waiting)


def _scores(book: Book, job: Job, crew: Crew, kept: Kept, seconds: float | None) -> Iterator[tuple[Level, int, int]]:
    """The missing scores with the places where they belong, until the time is up."""
    until = None if seconds is None else time.monotonic() + seconds
    for stones, level in enumerate(book.levels):
        lowest = lowest_scores(book, book.levels[stones - 1], level) if stones else None
        unknown = [int(index) for index in level.unknown]
        pieces = (
            (
                index,
                [int(level.mine[index]), int(level.stones[index]), None if lowest is None else int(lowest[index])],
            )
            for index in unknown
        )
        solved = 0
        with contextlib.closing(results(crew, job, pieces, kept, f"{stones} stones", until)) as scores:
            for index, score in zip(unknown, scores, strict=False):
                yield level, index, int(score)
                solved += 1
        if solved < len(unknown):  # the time is up
            return


def do_score(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Solve the position of a piece: (stones of the player to move, all stones, lowest possible score)."""
    table, (mine, stones, least) = _table(settings), piece
    score = table.score(Connect4(np.uint64(mine), np.uint64(stones), table.board), least)[0]
    if score is None or stopped.is_set():
        raise InterruptedError
    return str(score).encode()


@functools.lru_cache(maxsize=1)
def _table(settings: str) -> SharedTable:
    """One table for all threads and positions of a process: neighbours share half of what is searched."""
    given = json.loads(settings)
    return SharedTable(Book(given["columns"], given["rows"], 0).board, given["table_bits"])


def lowest_scores(book: Book, parents: Level, level: Level) -> Any:
    """The lowest score that each position can have: no move is better for a parent's mover than the parent's score."""
    lowest = np.full(len(level.keys), UNKNOWN)
    for indices, _wins, mine, stones in book.children(parents):
        np.maximum.at(lowest, level.find(book.keys_of(mine, stones)), -parents.scores[indices].astype(int))
    return lowest


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
