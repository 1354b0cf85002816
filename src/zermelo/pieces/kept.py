"""The results of pieces, kept in a file while the work goes on, so that whoever kills the command loses nothing.

The file is an SQLite database, which is removed when the work is finished. The settings stand in it, so that the
results of different settings are never mixed.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from zermelo.errors import FileError, ResourceError
from zermelo.language import _

FORMAT = 1


class Kept:
    """The finished pieces of some work. Without a path nothing is kept."""

    def __init__(self, path: Path | None = None, settings: str = ""):
        """Open the file, or make it. Raises FileError if it holds the pieces of other settings."""
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        if path is not None:
            if path.is_dir():
                raise self._other()
            with self._in_words():
                self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
                self._open(settings)

    def _open(self, settings: str) -> None:
        assert self._connection is not None
        try:
            # With WAL, a commit does not wait for the disk, and a process that is killed loses nothing.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS about (format INTEGER, settings TEXT)")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS pieces "
                "(step TEXT, number INTEGER, result BLOB, PRIMARY KEY (step, number)) WITHOUT ROWID"
            )
            found = self._connection.execute("SELECT format, settings FROM about").fetchone()
            if found is None:
                self._connection.execute("INSERT INTO about VALUES (?, ?)", (FORMAT, settings))
            elif found != (FORMAT, settings):
                raise self._other()
        except BaseException:
            self._connection.close()
            raise

    def _other(self) -> FileError:
        """The error for a file (or, from version 0.1, a folder) that holds other work."""
        return FileError(
            "{path} contains unfinished work with other settings; delete it or choose another file", path=self.path
        )

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            damaged = getattr(error, "sqlite_errorname", "") in ("SQLITE_NOTADB", "SQLITE_CORRUPT")
            told = _("{path}: the finished pieces cannot be kept there: {error}").format(path=self.path, error=error)
            raise (FileError if damaged else ResourceError)(told) from None

    def get(self, step: str, number: int) -> bytes | None:
        """The result of a piece, if it was kept."""
        if self._connection is None:
            return None
        with self._lock, self._in_words():
            found = self._connection.execute(
                "SELECT result FROM pieces WHERE step = ? AND number = ?", (step, number)
            ).fetchone()
        return found[0] if found is not None else None

    def put(self, step: str, number: int, result: bytes) -> None:
        """Keep the result of a piece. Any thread may call this."""
        if self._connection is not None:
            with self._lock, self._in_words():
                self._connection.execute("INSERT OR REPLACE INTO pieces VALUES (?, ?, ?)", (step, number, result))

    def forget_all_but(self, step: str) -> None:
        """Forget the pieces of all other steps, because what was made of them is in another file now."""
        if self._connection is not None:
            with self._lock, self._in_words():
                self._connection.execute("DELETE FROM pieces WHERE step <> ?", (step,))

    def close(self) -> None:
        """Leave the file for another time."""
        if self._connection is not None:
            with self._lock:
                self._connection.close()
                self._connection = None

    def remove(self) -> None:
        """Remove the file, since the work is finished."""
        self.close()
        if self.path is not None:
            for ending in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    Path(f"{self.path}{ending}").unlink()

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def beside(path: Path) -> Path:
    """The file in which the pieces are kept from which another file is made."""
    return path.with_name(path.name + ".parts")
