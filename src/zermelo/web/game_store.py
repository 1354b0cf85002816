"""Games played in the pages, in a small SQLite file of the user's."""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from zermelo.errors import FileError
from zermelo.language import gettext
from zermelo.match import Record

MOST_GAMES = 5000  # the oldest go first
BUSY_SECONDS = 10
TABLE = "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, saved REAL NOT NULL, record TEXT NOT NULL)"


@dataclass(frozen=True)
class SavedGame:
    """A game with when it was saved, in seconds since 1970."""

    id: str
    saved: float
    record: Record


class GameStore:
    """The file is made when it is first used; every call has a connection of its own, so threads may share this."""

    def __init__(self, folder: Path):
        self.path = folder / "games.sqlite"
        self._made = threading.Event()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
            try:
                if not self._made.is_set():
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute(TABLE)
                    self._made.set()
                with connection:
                    yield connection
            finally:
                connection.close()
        except (sqlite3.Error, OSError) as error:
            raise FileError(f"{self.path}: {error}") from None

    def save(self, *games: tuple[str, Record]) -> None:
        """Keep games; one of the same id is replaced."""
        now = time.time()
        rows = [(id_, now, record.to_json()) for id_, record in games]
        with self._connection() as connection:
            connection.executemany("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", rows)
            connection.execute(
                "DELETE FROM games WHERE id NOT IN (SELECT id FROM games ORDER BY saved DESC LIMIT ?)", (MOST_GAMES,)
            )

    def all(self, limit: int = MOST_GAMES) -> list[SavedGame]:
        """The games, the newest first."""
        with self._connection() as connection:
            rows = connection.execute("SELECT * FROM games ORDER BY saved DESC, id LIMIT ?", (limit,)).fetchall()
        return [SavedGame(id_, saved, Record.from_json(record)) for id_, saved, record in rows]

    def one(self, id_: str) -> SavedGame | None:
        with self._connection() as connection:
            row = connection.execute("SELECT * FROM games WHERE id = ?", (id_,)).fetchone()
        return None if row is None else SavedGame(row[0], row[1], Record.from_json(row[2]))

    def delete(self, id_: str) -> bool:
        """Was there such a game?"""
        with self._connection() as connection:
            return connection.execute("DELETE FROM games WHERE id = ?", (id_,)).rowcount > 0


# ------------------------------------------------------------------------------------------ as text


def record_text(record: Record) -> str:
    """A game for people to read; read_text reads it again."""
    lines = [f"game: {record.game}", f"first: {record.players[0]}", f"second: {record.players[1]}"]
    if record.start not in ("", "-"):
        lines.append(f"start: {record.start}")
    winner = {1: "first", 2: "second", None: "nobody"}[record.winner]
    lines += [f"winner: {winner}", f"reason: {record.reason}"]
    moves = [f"{number}. {move.move}" for number, move in enumerate(record.moves, 1)]
    rows = [" ".join(moves[row : row + 10]) for row in range(0, len(moves), 10)]
    return "\n".join([*lines, "", *rows]) + "\n"


def read_text(text: str) -> dict[str, str]:
    """The fields of a game's text, and its moves under `moves`."""
    head, _, moves = text.partition("\n\n")
    fields = {}
    for number, line in enumerate(head.splitlines(), 1):
        key, colon, value = line.partition(":")
        if not colon:
            raise FileError(
                gettext("line {number}, {line!r}: not of the form `game: connect4`").format(
                    number=number, line=line[:80]
                )
            )
        fields[key.strip()] = value.strip()
    if "game" not in fields:
        raise FileError(gettext("neither JSON lines of games nor a text that begins with `game:`"))
    words = [word for word in moves.split() if not (word.endswith(".") and word[:-1].isdigit())]
    return fields | {"moves": " ".join(words)}


def is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text.strip().splitlines()[0]), dict)
    except (json.JSONDecodeError, IndexError):
        return False
