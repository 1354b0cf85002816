"""Opening books for the Connect 4 solver: the scores of all positions with few stones.

A file begins with a line that names the format and a line of JSON (the board size, the greatest number of stones). The
rest is compressed: the score, one byte each, of every unfinished position with 0, 1, 2 ... stones, in the order of
their keys. Of two mirror images only one is there. The keys are not stored: the reader generates the positions again.
"""

import functools
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import ONE, ZERO, without_lowest
from zermelo.errors import FileError
from zermelo.files.folders import data_folder
from zermelo.files.reading import cannot_read
from zermelo.files.whole import DAMAGED, decompressed, write_whole
from zermelo.games.connect4.rules import COLUMN, MOST_COLUMNS, MOST_ROWS, Connect4, board_of

MAGIC = b"zermelo connect4 book 1\n"
UNKNOWN = -128
"""Stands for a score that has not been computed yet."""


@dataclass(frozen=True)
class Level:
    """The unfinished positions with the same number of stones, by key, and their scores; one of two mirror images."""

    mine: Any
    stones: Any
    keys: Any
    scores: Any

    def find(self, keys: Any) -> Any:
        """The indices of these keys, which must be those of positions of this level."""
        return np.searchsorted(self.keys, keys)

    @property
    def unknown(self) -> Any:
        """The indices of the positions whose score has not been computed yet."""
        return np.flatnonzero(self.scores == UNKNOWN)

    @property
    def known(self) -> Any:
        """The indices of the others."""
        return np.flatnonzero(self.scores != UNKNOWN)


class Book:
    """The scores of the positions on one board size, up to a number of stones; some may be unknown."""

    def __init__(self, columns: int, rows: int, depth: int):
        self.columns, self.rows = columns, rows
        self.board = board_of(columns, rows)
        self.levels = [self._level(np.zeros(1, np.uint64), np.zeros(1, np.uint64))]
        for _ in range(depth):
            self._grow()

    def _grow(self) -> None:
        """Add the positions with one stone more."""
        children = [(mine, stones) for _, _, mine, stones in self.children(self.levels[-1])]
        mine, stones = (np.concatenate(part) for part in zip(*children, strict=True))
        self.levels.append(self._level(mine, stones))

    @property
    def depth(self) -> int:
        """The greatest number of stones."""
        return len(self.levels) - 1

    @property
    def is_complete(self) -> bool:
        """Is every score known?"""
        return self.whole_levels == len(self.levels)

    @functools.cached_property
    def whole_levels(self) -> int:
        """How many levels, from the empty board on, have all their scores."""
        return next((stones for stones, level in enumerate(self.levels) if len(level.unknown)), len(self.levels))

    def score(self, state: Connect4) -> int | None:
        """The score of an unfinished position for the player to move, or None if it is not in the book."""
        stones = int(state.stones).bit_count()
        if stones > self.depth:
            return None
        level = self.levels[stones]
        key = self.keys_of(np.array([state.mine]), np.array([state.stones]))
        at = level.find(key)[0]
        if at == len(level.keys) or level.keys[at] != key[0]:
            return None  # a position that no game can reach
        score = int(level.scores[at])
        return None if score == UNKNOWN else score

    def least_score(self, state: Connect4) -> int | None:
        """The lowest score that an unfinished position can have; None if the book does not tell.

        No move is better than the score of the position in which it is made, and each of the opponent's topmost stones
        may have been the last. So the scores of all positions before this one tell how low it can be.
        """
        if int(state.stones).bit_count() > self.depth + 1:
            return None
        theirs = state.mine ^ state.stones
        tops = theirs & ~(state.stones >> ONE)
        before = []
        while tops:
            top = tops ^ without_lowest(tops)
            tops ^= top
            before.append(self.score(Connect4(theirs ^ top, state.stones ^ top, state.board)))
        return max((-score for score in before if score is not None), default=None)

    # -------------------------------------------------------------------------------- positions, many at once

    @property
    def _bottom(self) -> Any:
        return self.board & ~(self.board << ONE)

    def keys_of(self, mine: Any, stones: Any) -> Any:
        """A number for each position, the same for its mirror image."""
        keys = mine + stones + self._bottom
        return np.minimum(keys, self._mirrored(keys))

    def _mirrored(self, boards: Any) -> Any:
        """The mirror images of the boards. Columns are bytes, so the order of the bytes is reversed."""
        return boards.byteswap() >> np.uint64(COLUMN * (MOST_COLUMNS - self.columns))

    def _level(self, mine: Any, stones: Any) -> Level:
        """A level of these positions, without repetitions and with only one of two mirror images."""
        keys, first = np.unique(self.keys_of(mine, stones), return_index=True)
        mine, stones = mine[first], stones[first]
        turn = mine + stones + self._bottom != keys
        mine, stones = (np.where(turn, self._mirrored(boards), boards) for boards in (mine, stones))
        return Level(mine, stones, keys, np.full(len(keys), UNKNOWN, np.int8))

    def children(self, level: Level) -> Iterator[tuple[Any, Any, Any, Any]]:
        """For each column: the indices of the positions where it can be played without ending the game, those where
        it wins, and the boards (mine and stones) that the former lead to."""
        for column in range(self.columns):
            cells = (level.stones + self._bottom) & self.board & (np.uint64(0xFF) << np.uint64(COLUMN * column))
            wins = (cells != ZERO) & _have_four(level.mine | cells)
            stones = level.stones | cells
            on = np.flatnonzero((cells != ZERO) & ~wins)
            yield on, np.flatnonzero(wins), (level.mine ^ level.stones)[on], stones[on]

    # -------------------------------------------------------------------------------- files

    def write(self, path: Path) -> None:
        """Save the book. An existing file of this name is replaced only when everything has been written."""
        about = {"columns": self.columns, "rows": self.rows, "depth": self.depth}
        scores = b"".join(level.scores.tobytes() for level in self.levels)
        data = MAGIC + json.dumps(about).encode() + b"\n" + zlib.compress(scores, 9)
        write_whole(path, lambda file: file.write(data))

    @classmethod
    def read(cls, path: Path) -> "Book":
        """Read a book; raise FileError if the file is not one."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise cannot_read(path, error) from None
        try:
            magic, about, packed = data.split(b"\n", 2)
            if magic + b"\n" != MAGIC:
                raise ValueError
            columns, rows, depth = (json.loads(about)[name] for name in ("columns", "rows", "depth"))
            if not (4 <= columns <= MOST_COLUMNS and 4 <= rows <= MOST_ROWS and 0 <= depth <= columns * rows):
                raise ValueError
            book = cls(columns, rows, 0)
            scores = np.frombuffer(decompressed(packed), np.int8)
            at = 0
            for stones in range(depth + 1):
                if stones:
                    book._grow()  # one at a time: a file that claims more depth than it has fails early
                level = book.levels[stones]
                if at + len(level.scores) > len(scores):
                    raise ValueError
                level.scores[:] = scores[at : at + len(level.scores)]
                at += len(level.scores)
            if at != len(scores):
                raise ValueError
        except DAMAGED:
            raise FileError("{path} is not a Connect 4 book, or it is damaged", path=path) from None
        return book


def _have_four(boards: Any) -> Any:
    """Which of the boards have four in a line?"""
    found = np.zeros(len(boards), bool)
    for step in (1, COLUMN - 1, COLUMN, COLUMN + 1):
        pairs = boards & (boards >> np.uint64(step))
        found |= (pairs & (pairs >> np.uint64(2 * step))) != ZERO
    return found


def own_path(columns: int, rows: int) -> Path:
    """The path where the user's own book for this board size is expected."""
    return data_folder() / "books" / f"connect4-{columns}x{rows}.bin"


@functools.cache
def find_book(columns: int, rows: int) -> Book | None:
    """The user's own book for this board size, or the one in the package: the one that knows more positions.

    A book that is still being made counts, too: it may lack scores of its last positions.
    """
    shipped = Path(__file__).parent / "weights" / f"book-{columns}x{rows}.bin"
    books = [Book.read(path) for path in (shipped, own_path(columns, rows)) if path.exists()]
    return max((book for book in books if book.whole_levels), key=_known, default=None)


def _known(book: Book) -> int:
    return sum(len(level.known) for level in book.levels)
