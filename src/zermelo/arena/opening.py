"""Opening the records of an arena."""

import contextlib
from collections.abc import Iterator

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.tournaments.store import open_store


@contextlib.contextmanager
def opened(settings: ArenaSettings, store: str | None = None) -> Iterator[Records]:
    """The records of an arena, in its own database or in another one."""
    where = store or settings.database
    ledger = open_store(where, must_exist=True)
    try:
        yield Records(ledger)
    finally:
        ledger.close()
