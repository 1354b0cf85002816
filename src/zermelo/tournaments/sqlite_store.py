"""A tournament store in a file: SQLite."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nobody is stopped from playing twice
    fcntl = None  # type: ignore[assignment]

from zermelo.errors import FileError, ResourceError
from zermelo.files.whole import cannot_write
from zermelo.language import _
from zermelo.tournaments.store import Store

MACHINE_FAULTS = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
"""What SQLite complains of although the file is as it should be."""

CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class SqliteStore(Store):
    """A file. One process plays it at a time; any number may read it meanwhile."""

    def __init__(self, path: Path | None, must_exist: bool = False):
        self.path, self.where, self._is_open = path, str(path or "memory"), False
        if path is not None and must_exist and not path.is_file():
            raise FileError(_("{path}: there is no such tournament store").format(path=path))
        self._copy: Path | None = None
        try:
            self._connect(str(path) if path else ":memory:")
            if path is not None:
                # WAL: readers do not wait, and a commit does not wait for the disk; a killed process loses nothing.
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
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
                raise cls(_("{path}: not a tournament store: {error}").format(path=path, error=error)) from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise
        self._is_open = True

    def _connect(self, where: str, is_uri: bool = False) -> None:
        # The main thread writes; autocommit, with transactions where we say so.
        self.connection = sqlite3.connect(where, isolation_level=None, check_same_thread=False, timeout=30, uri=is_uri)

    def _connect_to_read(self, path: Path) -> bool:
        """A file that may only be read can still be reported on. Is that so?

        Its journal needs a file beside it; where none can be made, SQLite reads the file as one that nobody changes, or
        (if a journal holds the latest games) a copy of both.
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

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._in_words():
            return self.connection.execute(sql, values).fetchall()

    def _execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._in_words(), self._transaction():
            self.connection.executemany(sql, rows)

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """What the database complains of is the file's fault: it is damaged, locked, or the disk is full."""
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            wrong = (
                _("{path}: cannot be used: {error}") if self._is_open else _("{path}: not a tournament store: {error}")
            )
            cls = ResourceError if _code(error) in MACHINE_FAULTS else FileError
            raise cls(wrong.format(path=self.where, error=error)) from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(FileError):  # what went wrong before says more
                self._execute("ROLLBACK")
            raise
        self._execute("COMMIT")

    def _has_tables(self) -> bool:
        tables = {name for (name,) in self._execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "zermelo" not in tables:
            raise FileError(
                _("{where}: not a tournament store: it is a database of something else").format(where=self.where)
            )
        return bool(tables)

    @contextlib.contextmanager
    def playing(self, tournament: str) -> Iterator[None]:
        """A lock file, which the system lets go of even if the process is killed."""
        if self.path is None or fcntl is None:
            yield
            return
        name = Path(f"{self.path}.lock")
        with contextlib.ExitStack() as held:
            while True:
                try:
                    file = held.enter_context(name.open("w"))
                except OSError as error:
                    raise cannot_write(name, error) from None
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise ResourceError(
                        _("{path}: another process is playing this tournament").format(path=self.path)
                    ) from None
                if name.exists() and os.fstat(file.fileno()).st_ino == name.stat().st_ino:
                    break  # else its last owner removed it just now
            try:
                yield
            finally:
                name.unlink(missing_ok=True)

    def claim(self, tournament: str, pair: str) -> bool:
        return True

    def release(self, tournament: str, pair: str) -> None:
        pass

    def close(self) -> None:
        self.connection.close()
        if self._copy is not None:
            shutil.rmtree(self._copy, ignore_errors=True)


def _code(error: Exception) -> int:
    """Which fault it is, without the details."""
    code = getattr(error, "sqlite_errorcode", 0)
    return int(code) & 0xFF if code else 0
