"""The rooms in a SQLite file of the user's data folder, so that a server that is started again continues them."""

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.web.sqlite_file import SqliteFile

DAY = 24 * 3600
ALONE_DAYS, PLAYING_DAYS, OVER_DAYS = 1, 30, 7
"""A room is forgotten so many days after its last change: if nobody has joined, if it is played, if it is over."""
MOST_ROOMS = 2000


class TooManyRooms(ZermeloError):
    """There is no room for another game."""

    http_status = 503


class RoomStore:
    """The rooms by their codes. Threads may share a store."""

    def __init__(self, folder: Path, most: int = MOST_ROOMS, wall: Callable[[], float] = time.time):
        self.most, self.wall = most, wall
        self._connection = SqliteFile(folder / "together.sqlite", self._make).connection

    def _make(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS rooms "
            "(code TEXT PRIMARY KEY, invite TEXT NOT NULL, forget REAL NOT NULL, room TEXT NOT NULL)"
        )
        connection.execute("CREATE INDEX IF NOT EXISTS invites ON rooms (invite)")

    def save(self, room: dict[str, Any], days: float) -> None:
        """Keep a room, as Room.to_json describes it, for so many days."""
        with self._connection() as connection:
            known = connection.execute("SELECT 1 FROM rooms WHERE code = ?", (room["code"],)).fetchone()
            if known is None and self._count(connection) >= self.most:
                self._forget(connection)
                if self._count(connection) >= self.most:
                    raise TooManyRooms("this lab has too many games on two devices at the moment")
            connection.execute(
                "INSERT INTO rooms (code, invite, forget, room) VALUES (?, ?, ?, ?) ON CONFLICT (code) DO UPDATE "
                "SET invite = excluded.invite, forget = excluded.forget, room = excluded.room",
                (room["code"], "".join(seat[2] for seat in room["seats"]), self.wall() + days * DAY, json.dumps(room)),
            )

    def room(self, code: str) -> dict[str, Any] | None:
        """The room of this code; None if there is none, or if its time is over."""
        return self._one("code", code)

    def invited(self, invite: str) -> dict[str, Any] | None:
        """The room to which this code invites."""
        return self._one("invite", invite) if invite else None

    def _one(self, column: str, value: str) -> dict[str, Any] | None:
        with self._connection() as connection:
            row = connection.execute(
                f"SELECT room FROM rooms WHERE {column} = ? AND forget > ?", (value, self.wall())
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def forget(self) -> None:
        """Delete the rooms whose time is over."""
        with self._connection() as connection:
            self._forget(connection)

    def _forget(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM rooms WHERE forget <= ?", (self.wall(),))

    def _count(self, connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT COUNT(*) FROM rooms").fetchone()[0])
