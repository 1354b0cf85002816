"""Marks in the cache folder: the code of these players has been compiled, so nobody needs to look for it.

To look whether the code of a player is in the cache costs a second or two per game. The lab does not spend them at each
start: it believes a mark for MARK_DAYS. The mark is for the present files of the package and of the game.
"""

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

import numba

from zermelo.core import cache_folder, save
from zermelo.core.cache import DAY, PACKAGE
from zermelo.position import Game

MARK_DAYS = 7
"""Days for which a mark counts. It must be less than the time for which code is kept that nobody uses."""


def _file_of(game: Game, players: Sequence[str]) -> Path:
    """The mark of a game: its name follows from all files that the code may come from."""
    files = [*Path(PACKAGE).rglob("*.py"), *Path(PACKAGE).rglob("*.npz")]
    named = Path(str(game).partition("(")[0])
    files += [named] if named.suffix else []
    seen = [f"{numba.__version__} {game} {players}"]
    for file in sorted(files):
        if file.exists():
            seen.append(f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}")
    return cache_folder() / "warm" / hashlib.sha256("\n".join(seen).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def is_marked(game: Game, players: Sequence[str]) -> bool:
    """Has this been compiled in the last days?"""
    try:
        return time.time() - _file_of(game, players).stat().st_mtime < MARK_DAYS * DAY
    except OSError:
        return False


def mark(game: Game, players: Sequence[str]) -> None:
    """Remember that this has been compiled."""
    file = _file_of(game, players)
    save(file, lambda out: None)
    for old in file.parent.iterdir() if file.parent.is_dir() else ():
        if time.time() - old.stat().st_mtime > MARK_DAYS * DAY:
            old.unlink(missing_ok=True)
