"""A SQLite file of the lab. Each use has its own connection, so threads may share it."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from zermelo.errors import FileError

BUSY_SECONDS = 10


class SqliteFile:
    """A file, which is made when it is first used. make(connection) makes its tables."""

    def __init__(self, path: Path, make: Callable[[sqlite3.Connection], None]):
        self.path, self._make = path, make
        self._making, self._made = threading.Lock(), False

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A transaction. Whatever goes wrong with the file is a FileError."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
            try:
                with self._making:
                    if not self._made:
                        connection.execute("PRAGMA journal_mode = WAL")
                        self._make(connection)
                        self._made = True
                with connection:
                    yield connection
            finally:
                connection.close()
        except (sqlite3.Error, OSError) as error:
            raise FileError(f"{self.path}: {error}") from None
