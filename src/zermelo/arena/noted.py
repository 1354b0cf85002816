"""What an arena notes down: flags, the audit log, published snapshots, and ratings over time."""

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from zermelo.arena.tables import Event, Rating, make_tables
from zermelo.files.checked import checked
from zermelo.tournaments.store import Store


def now() -> float:
    """The time in seconds since 1970 (UTC). The clock may jump, so nothing is ordered by it."""
    return time.time()


class Noted:
    """The part of the records that all processes use to tell each other what has changed."""

    def __init__(self, store: Store):
        self.store = store
        make_tables(store)

    @contextlib.contextmanager
    def changing(self, durable: bool = False) -> Iterator[None]:
        """Make all changes inside, or none, while every other change to the arena waits."""
        with self.store.transaction(durable):
            self.store.execute("UPDATE arena_numbers SET value = value + 1 WHERE name = 'turn'")
            yield

    def _next(self, name: str) -> int:
        """The next number of a kind. It is taken only if the transaction succeeds."""
        [(value,)] = self.store.execute(
            "UPDATE arena_numbers SET value = value + 1 WHERE name = ? RETURNING value", [name]
        )
        return int(value)

    # -------------------------------------------------------------------------------- flags

    def flag(self, name: str, default: Any = None) -> Any:
        """The value of a flag, such as paused, frozen or deadline."""
        rows = self.store.execute("SELECT value FROM arena_flags WHERE name = ?", [name])
        return json.loads(rows[0][0]) if rows else default

    def set_flag(self, name: str, value: Any, who: str) -> None:
        """Set a flag to anything that JSON can hold, and note down who did it."""
        self.change_flag(name, None, lambda _before: value, who)

    def change_flag(self, name: str, default: Any, change: Callable[[Any], Any], who: str) -> Any:
        """Replace a flag by change(its value), without losing what another process changes at the same time."""
        with self.changing():
            value = change(self.flag(name, default))
            self.store.execute(
                "INSERT INTO arena_flags VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [name, json.dumps(value)],
            )
            self.audit(who, "set", {"flag": name, "value": value})
        return value

    # -------------------------------------------------------------------------------- audit log

    def audit(self, who: str, what: str, about: Mapping[str, Any]) -> None:
        """Add a line to the audit log. Students are named by their ids only, so that their names can be deleted."""
        with self.changing():
            row = [self._next("event"), now(), who, what, json.dumps(dict(about))]
            self.store.execute("INSERT INTO arena_events VALUES (?, ?, ?, ?, ?)", row)

    def events(self, limit: int = 100, before: int | None = None) -> list[Event]:
        """The latest lines of the audit log, the newest first; `before` a number, for the next page."""
        rows = self.store.execute(
            "SELECT number, time, who, what, about FROM arena_events WHERE number < ? ORDER BY number DESC LIMIT ?",
            [before if before is not None else 1 << 62, limit],
        )
        return [checked(Event(number, when, who, what, json.loads(about))) for number, when, who, what, about in rows]

    # -------------------------------------------------------------------------------- published snapshots

    def publish(self, name: str, content: Mapping[str, Any]) -> int:
        """Replace the snapshot of this name, and return its revision. The same content keeps its revision."""
        text = json.dumps(dict(content))
        with self.changing():
            rows = self.store.execute("SELECT revision, content FROM arena_published WHERE name = ?", [name])
            if rows and rows[0][1] == text:
                return int(rows[0][0])
            revision = self._next("revision")
            self.store.execute(
                "INSERT INTO arena_published VALUES (?, ?, ?) ON CONFLICT (name) "
                "DO UPDATE SET revision = excluded.revision, content = excluded.content",
                [name, revision, text],
            )
        return revision

    def published(self, name: str) -> tuple[int, dict[str, Any]]:
        """The revision and the content of a snapshot; (0, {}) if there is none yet."""
        rows = self.store.execute("SELECT revision, content FROM arena_published WHERE name = ?", [name])
        return (int(rows[0][0]), json.loads(rows[0][1])) if rows else (0, {})

    def unpublish(self, name: str) -> None:
        """Delete a snapshot."""
        self.store.execute("DELETE FROM arena_published WHERE name = ?", [name])

    def published_since(self, revision: int) -> list[tuple[str, int]]:
        """The names and revisions of the snapshots that are newer than a revision, the oldest first."""
        rows = self.store.execute(
            "SELECT name, revision FROM arena_published WHERE revision > ? ORDER BY revision", [revision]
        )
        return [(str(name), int(number)) for name, number in rows]

    def revision(self) -> int:
        """The number of the latest snapshot. It grows whenever anything is published."""
        [(value,)] = self.store.execute("SELECT value FROM arena_numbers WHERE name = 'revision'")
        return int(value)

    # -------------------------------------------------------------------------------- ratings over time

    def remember_rating(self, contestant: str, time: float, games: int, elo: float | None, error: float | None) -> None:
        """Note down a rating; one for each number of games is kept. What is not finite is kept as None."""
        finite = [number if number is not None and math.isfinite(number) else None for number in (elo, error)]
        self.store.execute(
            "INSERT INTO arena_ratings (contestant, games, time, elo, error) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (contestant, games) "
            "DO UPDATE SET time = excluded.time, elo = excluded.elo, error = excluded.error",
            [contestant, games, time, *finite],
        )

    def ratings(self, contestant: str) -> list[Rating]:
        """The ratings of a contestant, by the number of its games."""
        rows = self.store.execute(
            "SELECT time, games, elo, error FROM arena_ratings WHERE contestant = ? ORDER BY games", [contestant]
        )
        return [checked(Rating(*row)) for row in rows]
