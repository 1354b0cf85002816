"""The keys of the links that belong to the arena itself: the teacher's, the join link, and the one for watching.

The database has only their hashes. The keys are kept in files of the arena's folder that only its owner can read, so
that a server that is started again prints the same links.
"""

from pathlib import Path

from zermelo.arena.keys import kept_key, new_key, write_private
from zermelo.arena.records import Records


def link_key(records: Records, folder: Path, kind: str) -> str:
    """The key of a link. If it was not kept, or is no longer valid, a new one is made."""
    key = kept_key(_file(folder, kind))
    return key if key is not None and records.is_key(kind, key) else renewed(records, folder, kind)


def renewed(records: Records, folder: Path, kind: str) -> str:
    """A new key for a link. The old link stops working."""
    key = new_key()
    write_private(_file(folder, kind), f"{key}\n")
    return records.make_key(kind, key)


def page_token(folder: Path) -> str:
    """The token that forms of the arena's pages carry. It outlives the server, since pages stay open for weeks."""
    path = folder / "pages.key"
    token = kept_key(path)
    if token is None:
        token = new_key()
        write_private(path, f"{token}\n")
    return token


def _file(folder: Path, kind: str) -> Path:
    return folder / f"{kind}.key"
