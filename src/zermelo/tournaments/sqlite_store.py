"""A tournament store in an SQLite file."""

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

try:
    import fcntl
except ModuleNotFoundError:  # on Windows, two processes are not kept from playing the same tournament
    fcntl = None  # type: ignore[assignment]

from zermelo.errors import FileError, ResourceError
from zermelo.files.whole import cannot_write
from zermelo.language import Message, _
from zermelo.tournaments.store import AT_A_TIME, Store

MACHINE_FAULTS = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
"""Errors that SQLite reports although nothing is wrong with the file."""

CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class SqliteStore(Store):
    """A store in a file. One process at a time may play its tournaments, and any number may read it meanwhile."""

    def __init__(self, path: Path | None, must_exist: bool = False):
        self.path, self.where, self._is_open = path, str(path or "memory"), False
        self._lock = threading.RLock()
        self._held: dict[str, TextIO | None] = {}
        if path is not None and must_exist and not path.is_file():
            raise FileError("there is no tournament store {path}", path=path)
        self._copy: Path | None = None
        try:
            self._connect(str(path) if path else ":memory:")
            if path is not None:
                # With WAL, readers do not wait, commits do not wait for the disk, and a killed process loses nothing.
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
                self.connection.execute("PRAGMA secure_delete = ON")
        except sqlite3.Error as error:
            with contextlib.suppress(AttributeError):
                self.connection.close()
            if (
                path is None
                or not path.is_file()
                or _code(error) not in CANNOT_WRITE
                or not self._connect_to_read(path)
            ):
                cls = ResourceError if _code(error) in MACHINE_FAULTS[:4] else FileError
                raise cls(_("{path} is not a tournament store: {error}").format(path=path, error=error)) from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise
        self._is_open = True

    def _connect(self, where: str, is_uri: bool = False) -> None:
        # Threads take turns (see _lock). The connection commits by itself, except inside our own transactions.
        self.connection = sqlite3.connect(where, isolation_level=None, check_same_thread=False, timeout=30, uri=is_uri)

    def _connect_to_read(self, path: Path) -> bool:
        """Open a file that cannot be written, for reading; returns whether that was possible.

        Its journal needs a file beside it. Where none can be made, the file is opened as one that nobody changes. If
        there is a journal with the latest games, a copy of both is opened instead.
        """
        address = f"file:{quote(str(path.resolve()))}"
        journal = Path(f"{path}-wal")
        ways = [f"{address}?mode=ro"]
        has_journal = journal.is_file() and journal.stat().st_size > 0
        if not has_journal:
            ways.append(f"{address}?mode=ro&immutable=1")
        for way in ways:
            with contextlib.suppress(sqlite3.Error):
                self._connect(way, is_uri=True)
                self.connection.execute("SELECT count(*) FROM sqlite_master")
                return True
        if has_journal:
            with contextlib.suppress(sqlite3.Error, OSError):
                self._copy = Path(tempfile.mkdtemp(prefix="zermelo-"))
                for file in (path, journal):
                    shutil.copyfile(file, self._copy / file.name)
                self._connect(str(self._copy / path.name))
                self.connection.execute("SELECT count(*) FROM sqlite_master")
                self.connection.execute("PRAGMA query_only = ON")
                return True
        return False

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._in_words():
            return self.connection.execute(sql, values).fetchall()

    def select(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        with self._lock, self._in_words():
            cursor = self.connection.execute(sql, values)
        try:
            while True:
                with self._lock, self._in_words():
                    rows = cursor.fetchmany(AT_A_TIME)
                if not rows:
                    return
                yield from rows
        finally:
            with self._lock:
                cursor.close()

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._in_words(), self.transaction():
            self.connection.executemany(sql, rows)

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turn errors of the database into our own: the file is damaged or locked, or the disk is full."""
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            wrong = (
                _("{path} cannot be used: {error}") if self._is_open else _("{path} is not a tournament store: {error}")
            )
            cls = ResourceError if _code(error) in MACHINE_FAULTS else FileError
            raise cls(wrong.format(path=self.where, error=error)) from None

    @contextlib.contextmanager
    def transaction(self, durable: bool = False) -> Iterator[None]:
        with self._lock:
            if self.connection.in_transaction:
                yield
                return
            if durable:
                self.execute("PRAGMA synchronous = FULL")
            try:
                with self._whole():
                    yield
            finally:
                if durable:
                    self.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(FileError):  # the first error says more
                self.execute("ROLLBACK")
            raise

    def _has_tables(self) -> bool:
        tables = {name for (name,) in self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "zermelo" not in tables:
            raise FileError(
                "{path} is not a tournament store: {error}",
                path=self.where,
                error=Message("it is a database of another program"),
            )
        return bool(tables)

    @contextlib.contextmanager
    def playing(self, tournament: str) -> Iterator[None]:
        """Hold a lock file, which the system releases even if the process is killed."""
        if self.path is None or fcntl is None:
            yield
            return
        name = Path(f"{self.path}.lock")
        file = _locked(name)
        if file is None:
            raise ResourceError("another process is already playing the tournaments in {path}", path=self.path)
        with file:
            try:
                yield
            finally:
                name.unlink(missing_ok=True)

    def hold(self, name: str) -> bool:
        """Lock a file beside the database, which the system unlocks even if the process is killed."""
        with self._lock:
            if name in self._held:
                return False
            file = None
            if self.path is not None and fcntl is not None:
                file = _locked(self._beside(name))
                if file is None:
                    return False
            self._held[name] = file
            return True

    def let_go(self, name: str) -> None:
        with self._lock:
            file = self._held.pop(name, None)
            if file is not None:
                with file:
                    self._beside(name).unlink(missing_ok=True)

    def _beside(self, name: str) -> Path:
        return Path(f"{self.path}.{re.sub('[^a-z0-9]+', '-', name.lower())}.lock")

    def claim(self, tournament: str, pair: str) -> bool:
        return True

    def release(self, tournament: str, pair: str) -> None:
        pass

    def erase(self) -> None:
        """Deleted rows are overwritten with zeros at once (see secure_delete); empty the journal, which had them."""
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        for name in list(self._held):
            self.let_go(name)
        self.connection.close()
        if self._copy is not None:
            shutil.rmtree(self._copy, ignore_errors=True)


def _locked(name: Path) -> TextIO | None:
    """The lock file of this name, opened and locked; None if another process, or another store, has it."""
    while True:
        try:
            file = name.open("w")
        except OSError as error:
            raise cannot_write(name, error) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_ino == name.stat().st_ino:
                return file
            file.close()  # its last owner removed it just now, and we try again
        except FileNotFoundError:
            file.close()
        except OSError:
            file.close()
            return None


def _code(error: Exception) -> int:
    """Return the primary error code of SQLite, without its details."""
    code = getattr(error, "sqlite_errorcode", 0)
    return int(code) & 0xFF if code else 0
