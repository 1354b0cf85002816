"""Exact endgames: every position of up to four pieces, for the five cards in play.

A table is made in a few seconds when it is first needed (retrograde.py), and kept in the cache folder: 48 million
bytes for five cards, whoever holds them. Distances take no account of repetitions or of the limit of 200 plies.
"""

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import cache_folder, save
from zermelo.errors import GameError
from zermelo.games.onitama import retrograde
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.deals import IN_PLAY, card_number
from zermelo.games.onitama.notation import card_name
from zermelo.games.onitama.rules import card_at, is_lost

Progress = Callable[[int, int], None]

MOST_FILES = 20
"""The number of tables that are kept, about 1 GB; the least recently used are removed first."""

MOST_MEN = 4
LAYOUT = 2
"""Raise this number when the order or the meaning of the bytes changes."""


class Table:
    """The exact value of every position of up to four pieces with these five cards."""

    def __init__(self, cards: tuple[int, ...], values: Any):
        self.cards = np.array(cards, np.uint8)
        """Card numbers, in order. Compiled code passes them and values to retrograde.look_up."""
        self.values = values
        """An entry of 16 bits for each place, as retrograde.py describes."""

    def probe(self, state: Any) -> tuple[int, int] | None:
        """1, 0 or -1 for the player to move, and the plies to the end (0 if drawn); None if it is not in the table."""
        plies = int(retrograde.look_up(state, self.cards, self.values))
        if plies < 0:
            return None
        return (0 if plies == retrograde.DRAWN else 1 if plies % 2 else -1), plies

    def counts(self, my_students: int, their_students: int) -> dict[str, int]:
        """The number of won, lost and drawn positions with so many students, and the plies of the longest win."""
        mine, theirs = (np.bitwise_count(students) for students in (retrograde.MINE, retrograde.THEIRS))
        chosen = (mine == my_students) & (theirs == their_students)
        values = self.values.reshape(-1, retrograde.STUDENTS)[:, chosen]
        numbers = np.bincount(values.reshape(-1), minlength=1 << 16)[: retrograde.NOT_A_POSITION]
        longest = max((plies for plies in range(1, len(numbers), 2) if numbers[plies]), default=0)
        found = {"won": numbers[1::2].sum(), "lost": numbers[2::2].sum(), "drawn": numbers[0], "longest": longest}
        return {what: int(number) for what, number in found.items()}

    def __repr__(self) -> str:
        return f"<endgames of {' '.join(map(card_name, self.cards))}>"


# ------------------------------------------------------------------------------------------ made, kept, found again

_lock = threading.Lock()
_open: dict[tuple[int, ...], Table] = {}
_begun: set[tuple[int, ...]] = set()


def tables_for(cards: Iterable[int | str], progress: Progress | None = None) -> Table:
    """The table of five cards, given by number or name, in any order; it is made if it is not in the cache folder.

    progress(done, total) is called from time to time while the table is made.
    """
    numbers = tuple(sorted(card_number(card) if isinstance(card, str) else int(card) for card in cards))
    if len(numbers) != IN_PLAY or len(set(numbers)) != IN_PLAY or not 0 <= numbers[0] <= numbers[-1] < len(CARDS):
        raise GameError(
            "onitama: a table of endgames needs five different cards, not {numbers}",
            numbers=", ".join(map(str, numbers)),
        )
    with _lock:  # another thread may be making it
        if numbers not in _open:
            values = _read(table_file(numbers))
            if values is None:
                values = retrograde.build(numbers, progress)
                values.setflags(write=False)
                _write(table_file(numbers), values)
            _open[numbers] = Table(numbers, values)
        return _open[numbers]


def is_at_hand(cards: tuple[int, ...]) -> bool:
    """Is the table of these cards ready? If not, start to make it in the background."""
    if cards in _open or table_file(cards).exists():
        return True
    if cards not in _begun:
        _begun.add(cards)
        threading.Thread(target=tables_for, args=(cards,), daemon=True).start()
    return False


def cards_of(state: Any) -> tuple[int, ...]:
    """The five cards in play, in order of their numbers."""
    return tuple(sorted(int(card_at(state, place)) for place in range(IN_PLAY)))


def probe(state: Any, progress: Progress | None = None) -> tuple[int, int] | None:
    """1, 0 or -1 for the player to move and the plies to the end; None if there are more than four pieces."""
    if is_lost(state):
        return -1, 0
    if (int(state.mine) | int(state.theirs)).bit_count() > MOST_MEN:
        return None
    return tables_for(cards_of(state), progress).probe(state)


def table_file(cards: tuple[int, ...]) -> Path:
    """The path where the table of these cards is kept; its name depends on the cards' moves and the layout."""
    made_from = repr((LAYOUT, retrograde.PLACES, [CARDS[card].moves for card in cards]))
    digest = hashlib.sha256(made_from.encode()).hexdigest()[:8]
    return cache_folder() / "onitama" / f"{'-'.join(map(card_name, cards))}-{digest}.endgames"


def _read(path: Path) -> Any:
    """The values of a table, mapped into memory; None if the file does not exist or is incomplete."""
    try:
        values = np.memmap(path, np.uint16, "r")
        os.utime(path)  # mark it as used, so that it is not the first to be removed
    except (OSError, ValueError):
        return None
    return values.view(np.ndarray) if len(values) == retrograde.PLACES else None


def _write(path: Path, values: Any) -> None:
    """Write a table to its file. If the disk is full or read-only, the table stays in memory only."""
    if save(path, values.tofile):
        _remove_unused(path.parent)


def _remove_unused(folder: Path) -> None:
    newest_first = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in newest_first[MOST_FILES:]:
        with contextlib.suppress(OSError):
            file.unlink()
