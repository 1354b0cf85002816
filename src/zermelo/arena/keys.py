"""The keys in the links of an arena. Whoever has a key is let in, so the database holds only their hashes.

A key has 256 random bits, so a plain SHA-256 hash of it cannot be guessed; nothing slower is needed.
"""

import hashlib
import os
import secrets
from pathlib import Path

from zermelo.errors import FileError
from zermelo.files.reading import cannot_read
from zermelo.files.whole import write_whole

KINDS = ("teacher", "join", "watch", "student")
"""Whom a key lets in: the teacher, somebody new to the class, somebody who only watches, or one student."""

LENGTH = 43
"""The number of characters of a key."""


def new_key() -> str:
    """A key that nobody can guess, in letters, digits, `-` and `_`."""
    return secrets.token_urlsafe(32)


def hash_of(key: str) -> str:
    """What the database keeps of a key."""
    return hashlib.sha256(key[:1000].encode("utf-8", "surrogatepass")).hexdigest()


def looks_like_key(text: str) -> bool:
    """Can the text be a key at all? Saves asking the database about nonsense."""
    return len(text) == LENGTH and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def kept_key(path: Path) -> str | None:
    """The key in a file, or None if there is none. The file must not be readable by others."""
    try:
        is_open = bool(path.stat().st_mode & 0o077) and os.name == "posix"
        key = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None
    if is_open:
        raise FileError("{path} can be read by other users; run chmod 600 {path}, or delete it", path=path)
    if not looks_like_key(key):
        raise FileError("{path} does not hold a key; delete it, and a new one is made", path=path)
    return key


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, completely or not at all."""
    write_whole(path, lambda file: file.write(text.encode()), is_private=True)
