"""Opening books that the engine has made: what deep searches said about the first positions of a game.

A file begins with a line that names the format and a line of JSON (the game, the heuristic, and how the book was made).
The rest is compressed: for each position its key, the score of the search, the score after looking through the book,
and whether the moves of the position are in the book, too. Scores are in points, for the player to move. A position and
its symmetries share a key. `zermelo learn book` writes such files.
"""

import functools
import json
import re
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import FileError
from zermelo.files.folders import data_folder
from zermelo.files.reading import cannot_read
from zermelo.files.whole import DAMAGED, decompressed, write_whole
from zermelo.position import Game, Position
from zermelo.rules import moves_of, play, to_move

MAGIC = b"zermelo opening book 1\n"
ENTRY = np.dtype([("key", "<u8"), ("found", "<f4"), ("score", "<f4"), ("open", "u1")])


@dataclass
class Entry:
    """What the book knows about a position. Scores are in points, for the player to move."""

    found: float  # by the search
    score: float  # by the search of the positions at the end of the book's lines
    is_open: bool = False  # are its good moves in the book, too?


class BookMove(NamedTuple):
    """A move of the book, with the position after it."""

    move: int
    key: int
    sign: int  # 1 if the same player moves again, otherwise -1
    entry: Entry

    @property
    def score(self) -> float:
        """For the player who makes the move."""
        return self.sign * self.entry.score


@dataclass
class OpeningBook:
    """The positions of a book by key, and how it was made: `game`, `heuristic` and the settings of the searches."""

    about: dict[str, Any]
    entries: dict[int, Entry] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of positions whose moves are in the book."""
        return sum(entry.is_open for entry in self.entries.values())

    def moves(self, position: Position) -> list[BookMove]:
        """The moves of a position that are in the book, the best first."""
        own, found = self.entries.get(position.game.canonical_key(position.state)), []
        for move in moves_of(position.state) if own is not None and own.is_open else ():
            child = play(position.state, move)
            key = position.game.canonical_key(child)
            if (entry := self.entries.get(key)) is not None:
                found.append(BookMove(move, key, 1 if to_move(child) == to_move(position.state) else -1, entry))
        return sorted(found, key=lambda one: -one.score)

    def good_moves(self, position: Position, points: float) -> list[BookMove]:
        """Those moves that are worse than the best by no more than this."""
        moves = self.moves(position)
        return [one for one in moves if one.score >= moves[0].score - points]

    def write(self, path: Path) -> None:
        """Save the book. An existing file of this name is replaced only when everything has been written."""
        rows = [(key, one.found, one.score, one.is_open) for key, one in sorted(self.entries.items())]
        data = MAGIC + json.dumps(self.about).encode() + b"\n" + zlib.compress(np.array(rows, ENTRY).tobytes(), 9)
        write_whole(path, lambda file: file.write(data))

    @classmethod
    def read(cls, path: Path) -> "OpeningBook":
        """Read a book; raise FileError if the file is not one."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise cannot_read(path, error) from None
        try:
            magic, about, packed = data.split(b"\n", 2)
            rows = np.frombuffer(decompressed(packed), ENTRY)
            made = json.loads(about)
            finite = np.isfinite(rows["found"]).all() and np.isfinite(rows["score"]).all()
            if magic + b"\n" != MAGIC or not isinstance(made, dict) or "game" not in made or not finite:
                raise ValueError
        except DAMAGED:
            raise FileError("{path} is not an opening book, or it is damaged", path=path) from None
        return cls(made, {int(key): Entry(float(a), float(b), bool(c)) for key, a, b, c in rows.tolist()})


def own_book_path(game: Game) -> Path:
    """The path where the user's own book of a game is expected."""
    return data_folder() / "books" / (re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-") + ".book")


@functools.cache
def find_opening_book(game: Game) -> OpeningBook | None:
    """The user's own book of a game or, without it, the one in the package of the game; None if there is neither."""
    shipped = Path(str(sys.modules[type(game).__module__].__file__)).parent / "weights" / "openings.book"
    for path in (own_book_path(game), shipped):
        if path.exists() and (book := OpeningBook.read(path)).about["game"] == str(game):
            return book
    return None
