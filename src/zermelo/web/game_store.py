"""The games that are played in the pages, kept in a SQLite file in the user's data folder."""

import json
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from zermelo.errors import FileError, ZermeloError
from zermelo.match import Record
from zermelo.web.sqlite_file import SqliteFile

MOST_GAMES = 5000  # of the owner; the oldest are deleted first
MOST_OF_VISITOR, MOST_OF_VISITORS = 200, 20_000  # of one visitor, whose oldest games are deleted first; of all visitors
VISITORS_DAYS = 30  # after these days a visitor's game may be deleted to make room
UNDO_SECONDS = 24 * 3600  # in which a deleted game can be restored
TABLE = "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, saved REAL NOT NULL, record TEXT NOT NULL)"
# Columns that older files lack: whose game it is ('' for the owner), and when it was deleted.
LATER_COLUMNS = {"holder": "TEXT NOT NULL DEFAULT ''", "deleted": "REAL"}


@dataclass(frozen=True)
class SavedGame:
    """A game, and when it was saved, in seconds since 1970."""

    id: str
    saved: float
    record: Record


class NotYours(ZermeloError):
    """A visitor may not do this with a saved game."""

    http_status = 403


class GameStore:
    """The saved games. Each call has its own connection to the file, so threads may share a store."""

    def __init__(self, folder: Path):
        self.path = folder / "games.sqlite"
        self._connection = SqliteFile(self.path, self._make).connection

    def _make(self, connection: sqlite3.Connection) -> None:
        """Make the table. An older one gets the columns that it lacks, unless another process has just added them."""
        connection.execute(TABLE)
        for name, kind in LATER_COLUMNS.items():
            known = {row[1] for row in connection.execute("PRAGMA table_info(games)")}
            if name not in known:
                try:
                    connection.execute(f"ALTER TABLE games ADD COLUMN {name} {kind}")
                except sqlite3.OperationalError as error:
                    if "duplicate column" not in str(error):
                        raise

    def save(self, *games: tuple[str, Record], holder: str = "") -> None:
        """Keep games of a holder. A game of the same id is replaced if the holder may change it."""
        now = time.time()
        with self._connection() as connection:
            for id_, _ in games:
                self._check(connection, id_, holder)
            connection.execute("DELETE FROM games WHERE deleted < ?", (now - UNDO_SECONDS,))
            if holder:
                self._make_room(connection, len(games), now)
            connection.executemany(
                "INSERT INTO games (id, saved, record, holder) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET saved = excluded.saved, record = excluded.record, deleted = NULL",
                [(id_, now, record.to_json(), holder) for id_, record in games],
            )
            connection.execute(
                "DELETE FROM games WHERE holder = ? AND id NOT IN "
                "(SELECT id FROM games WHERE holder = ? ORDER BY saved DESC LIMIT ?)",
                (holder, holder, MOST_OF_VISITOR if holder else MOST_GAMES),
            )

    def _check(self, connection: sqlite3.Connection, id_: str, holder: str) -> None:
        """An error unless the holder may change this game: the owner may change all games, visitors only their own."""
        row = connection.execute("SELECT holder FROM games WHERE id = ?", (id_,)).fetchone()
        if holder and row is not None and row[0] != holder:
            raise NotYours("this saved game belongs to somebody else")

    def _make_room(self, connection: sqlite3.Connection, number: int, now: float) -> None:
        """Make room for a visitor's games. Only old games of visitors are deleted, never the owner's."""
        count = "SELECT COUNT(*) FROM games WHERE holder != ''"
        if connection.execute(count).fetchone()[0] + number > MOST_OF_VISITORS:
            old = now - VISITORS_DAYS * 24 * 3600
            connection.execute("DELETE FROM games WHERE holder != '' AND saved < ?", (old,))
            if connection.execute(count).fetchone()[0] + number > MOST_OF_VISITORS:
                raise NotYours("this lab cannot store any more games of visitors")

    def all(self, limit: int = MOST_GAMES + MOST_OF_VISITORS, holder: str = "") -> list[SavedGame]:
        """The games of a holder, the newest first. The owner sees the games of everybody."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, saved, record FROM games WHERE deleted IS NULL AND (? = '' OR holder = ?) "
                "ORDER BY saved DESC, id LIMIT ?",
                (holder, holder, limit),
            ).fetchall()
        return [SavedGame(id_, saved, Record.from_json(record)) for id_, saved, record in rows]

    def one(self, id_: str, holder: str = "") -> SavedGame | None:
        with self._connection() as connection:
            row = connection.execute(
                "SELECT id, saved, record FROM games WHERE id = ? AND deleted IS NULL AND (? = '' OR holder = ?)",
                (id_, holder, holder),
            ).fetchone()
        return None if row is None else SavedGame(row[0], row[1], Record.from_json(row[2]))

    def delete(self, id_: str, holder: str = "") -> bool:
        """Delete a game, which can be restored for a day. False if there is no such game."""
        with self._connection() as connection:
            self._check(connection, id_, holder)
            changed = connection.execute(
                "UPDATE games SET deleted = ? WHERE id = ? AND deleted IS NULL", (time.time(), id_)
            )
            return changed.rowcount > 0

    def restore(self, id_: str, holder: str = "") -> bool:
        """Restore a deleted game. False if there is no such game."""
        with self._connection() as connection:
            self._check(connection, id_, holder)
            changed = connection.execute("UPDATE games SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL", (id_,))
            return changed.rowcount > 0


# ------------------------------------------------------------------------------------------ as text


def record_text(record: Record, tree: str = "") -> str:
    """A game for people to read; read_text reads it again. tree: its variations, as variations.py reads them."""
    fields = {"game": record.game, "first": record.players[0], "second": record.players[1]}
    if record.start not in ("", "-"):
        fields["start"] = record.start
    fields |= {"winner": {1: "first", 2: "second", None: "nobody"}[record.winner], "reason": record.reason}
    if tree:
        fields["tree"] = tree
    lines = [f"{name}: {value}" for name, value in fields.items()]
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
                "line {number}, {line!r}, is not of the form 'game: connect4'", number=number, line=line[:80]
            )
        fields[key.strip()] = value.strip()
    if "game" not in fields:
        raise FileError("the text is neither games as JSON lines nor a game that begins with 'game:'")
    words = [word for word in moves.split() if not (word.endswith(".") and word[:-1].isdigit())]
    return fields | {"moves": " ".join(words)}


def is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text.strip().splitlines()[0]), dict)
    except (json.JSONDecodeError, IndexError):
        return False
