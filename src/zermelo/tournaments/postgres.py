"""A PostgreSQL database as a store, with which several machines can play one tournament together.

A process holds an advisory lock on each pair that it plays, so no other process plays that pair. The server releases
the lock as soon as the connection ends, for whatever reason.
"""

import contextlib
import functools
import itertools
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zermelo.errors import ResourceError
from zermelo.tournaments.openings import digest
from zermelo.tournaments.store import AT_A_TIME, Store

_numbers = itertools.count()  # of the cursors


class PostgresStore(Store):
    """The database of a URL, `postgresql://user@host/database`."""

    is_shared = True

    def __init__(self, url: str):
        try:
            import psycopg
        except ModuleNotFoundError:
            raise ResourceError(
                'PostgreSQL needs the package psycopg; install it with pip install "zermelo[cluster]"'
            ) from None
        place = url.partition("://")[2].rpartition("@")[2] or url
        self.where = re.sub(r"password=[^&]*", "password=...", place)
        self._error: type[Exception] = psycopg.Error
        self._lock = threading.RLock()
        self._depth = 0  # of transactions
        self._held: set[str] = set()
        self._is_closed = False
        self._connect = functools.partial(psycopg.connect, url, autocommit=True, client_encoding="UTF8")
        with self._reporting():
            self.connection = self._connect()
        try:
            making = digest("zermelo tables")  # two processes may find an empty database at the same time
            self.execute("SELECT pg_advisory_lock(?)", [making])
            self._open()
            self.execute("SELECT pg_advisory_unlock(?)", [making])
        except BaseException:
            self.close()
            raise

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn errors of the server into our own."""
        try:
            yield
        except self._error as error:
            raise ResourceError(f"{self.where}: {str(error).strip()}") from None

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._using(), self.connection.cursor() as cursor:
            cursor.execute(_own_marks(sql), values)
            return cursor.fetchall() if cursor.description is not None else []

    def select(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        with self._using():
            cursor = self.connection.cursor(name=f"zermelo_{next(_numbers)}", withhold=True)
            cursor.execute(_own_marks(sql), values)
        try:
            while True:
                with self._using():
                    rows = cursor.fetchmany(AT_A_TIME)
                if not rows:
                    return
                yield from rows
        finally:
            with self._using():
                cursor.close()

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.transaction(), self.connection.cursor() as cursor:
            cursor.executemany(_own_marks(sql), rows)

    @contextlib.contextmanager
    def transaction(self, durable: bool = False) -> Iterator[None]:
        with self._using(), self.connection.transaction():
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    @contextlib.contextmanager
    def _using(self) -> Iterator[None]:
        """Use the connection in this thread only. If the server went away, and came back, connect again.

        The transaction during which it went away fails, and reservations end.
        """
        with self._lock, self._reporting():
            if self.connection.closed and not self._depth and not self._is_closed:
                self._held.clear()
                self.connection = self._connect()
            yield

    def hold(self, name: str) -> bool:
        with self._lock:
            if name in self._held and not self.connection.closed:
                return False  # the server would grant it to the same connection once more
            [(mine,)] = self.execute("SELECT pg_try_advisory_lock(?)", [digest(name)])
            if mine:
                self._held.add(name)
            return bool(mine)

    def let_go(self, name: str) -> None:
        with self._lock:
            if name in self._held:
                self._held.discard(name)
                self.execute("SELECT pg_advisory_unlock(?)", [digest(name)])

    def _has_tables(self) -> bool:
        known = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema AND tablename = 'zermelo'"
        return bool(self.execute(known))

    def playing(self, tournament: str) -> contextlib.AbstractContextManager[Any]:
        return contextlib.nullcontext()  # several processes may play at the same time

    def claim(self, tournament: str, pair: str) -> bool:
        [(mine,)] = self.execute("SELECT pg_try_advisory_lock(?)", [digest(f"{tournament} {pair}")])
        if not mine:
            return False
        # Another process may have finished the pair since we last looked.
        [(played,)] = self.execute("SELECT count(*) FROM games WHERE tournament = ? AND pair = ?", [tournament, pair])
        if played == 2:
            self.release(tournament, pair)
        return bool(played < 2)

    def release(self, tournament: str, pair: str) -> None:
        self.execute("SELECT pg_advisory_unlock(?)", [digest(f"{tournament} {pair}")])

    def erase(self) -> None:
        self.execute("VACUUM")

    def close(self) -> None:
        self._is_closed = True
        self.connection.close()


def _own_marks(sql: str) -> Any:
    """Replace `?`, which stands for a value in our SQL, by psycopg's `%s`; a `%` of ours stays one."""
    return sql.replace("%", "%%").replace("?", "%s")
