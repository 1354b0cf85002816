"""Exact endgames: every position of up to four pieces, or up to six if somebody asks for that, for five cards.

A table of four pieces is made in about a second when it is first needed (retrograde.py), and kept in the cache folder:
20 MB for five cards, whoever holds them. A table of five pieces has 287 MB and one of six 3 GB, so these are made only
on demand. Once they are there, they are used wherever the small one is. Distances take no account of repetitions or of
the limit of 200 plies.
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
from zermelo.games.onitama.endgame_index import (
    BEYOND,
    DEALINGS,
    DRAWN,
    FIRST_STUDENTS,
    MOST_STUDENTS,
    PLIES_BITS,
    WAYS,
    first_place,
    look_up,
    table_words,
)
from zermelo.games.onitama.notation import card_name
from zermelo.games.onitama.rules import SQUARES, card_at, is_lost

Progress = Callable[[int, int], None]

MOST_BYTES = 8 << 30
"""The bytes of all tables that are kept; the least recently used are removed first."""

USUAL_MEN = 4
"""Tables of so many pieces are made whenever they are needed."""
MASTERS = 2
MOST_MEN = MASTERS + MOST_STUDENTS
LAYOUT = 3
"""Raise this number when the order or the meaning of the bytes changes."""


class Table:
    """The exact value of every position of up to so many pieces with these five cards."""

    def __init__(self, cards: tuple[int, ...], men: int, values: Any, beyond: Any):
        self.cards = np.array(cards, np.uint8)
        """Card numbers, in order."""
        self.men = men
        self.values = values
        """A byte for each place, as endgame_index.py describes."""
        self.beyond = beyond
        """Places and plies of endgames that are longer than a byte can say."""
        self._words = table_words(cards, men - MASTERS, values, beyond)

    @property
    def address(self) -> int:
        """What compiled code passes to endgame_index.look_up. The table must be alive meanwhile."""
        return int(self._words.ctypes.data)

    def limited(self, men: int) -> "Table":
        """This table, or what it has of positions of up to so many pieces: the beginning of the same bytes."""
        return self if self.men <= men else Table(tuple(map(int, self.cards)), men, self.values, self.beyond)

    def probe(self, state: Any) -> tuple[int, int] | None:
        """1, 0 or -1 for the player to move, and the plies to the end (0 if drawn); None if it is not in the table."""
        plies = int(look_up(state, self.address))
        if plies < 0:
            return None
        return (0 if plies == DRAWN else 1 if plies % 2 else -1), plies

    def counts(self, my_students: int, their_students: int) -> dict[str, int]:
        """The number of won, lost and drawn positions with so many students, and the plies of the longest win."""
        number = int(FIRST_STUDENTS[my_students, their_students])
        sets = int(WAYS[SQUARES, their_students] * WAYS[SQUARES - their_students, my_students])
        students = my_students + their_students
        start = int(first_place((1 << students) - 1, number))
        end = start + sets * DEALINGS * (SQUARES - students) ** 2
        numbers = np.bincount(self.values[start:end], minlength=256)[:BEYOND]
        first, last = np.searchsorted(self.beyond, [start << PLIES_BITS, end << PLIES_BITS])
        longer = np.bincount(self.beyond[first:last] & ((1 << PLIES_BITS) - 1), minlength=BEYOND)
        longer[:BEYOND] += numbers
        longest = max((plies for plies in range(1, len(longer), 2) if longer[plies]), default=0)
        found = {"won": longer[1::2].sum(), "lost": longer[2::2].sum(), "drawn": longer[0], "longest": longest}
        return {what: int(number) for what, number in found.items()}

    def __repr__(self) -> str:
        return f"<endgames of {' '.join(map(card_name, self.cards))}, {self.men} pieces>"


# ------------------------------------------------------------------------------------------ made, kept, found again

_lock = threading.Lock()
_open: dict[tuple[int, ...], Table] = {}
_begun: set[tuple[int, ...]] = set()


def tables_for(cards: Iterable[int | str], progress: Progress | None = None, men: int = USUAL_MEN) -> Table:
    """The table of five cards, given by number or name, in any order; it is made if it is not in the cache folder.

    It holds positions of at least so many pieces (at most six). progress(done, total) is called from time to time while
    the table is made. If that is interrupted, nothing is written.
    """
    numbers = tuple(sorted(card_number(card) if isinstance(card, str) else int(card) for card in cards))
    if len(numbers) != IN_PLAY or len(set(numbers)) != IN_PLAY or not 0 <= numbers[0] <= numbers[-1] < len(CARDS):
        raise GameError(
            "onitama: a table of endgames needs five different cards, not {numbers}",
            numbers=", ".join(map(str, numbers)),
        )
    if not MASTERS <= men <= MOST_MEN:
        raise GameError(
            "onitama: tables have positions of {least} to {most} pieces, not of {men}",
            least=USUAL_MEN,
            most=MOST_MEN,
            men=men,
        )
    with _lock:  # another thread may be making it
        found = _open.get(numbers)
        if found is None or found.men < men:
            found = _kept(numbers, men)
        if found is None:
            men = max(men, USUAL_MEN)
            made = retrograde.build(numbers, men - MASTERS, progress)
            path = table_file(numbers, men)
            _write(path, *made)
            # A table that was written is read from the file, so that the system can take its memory back.
            found = Table(numbers, men, *(_read(path, men) or made))
        _open[numbers] = found
        return found


def _kept(cards: tuple[int, ...], men: int) -> Table | None:
    """The largest table of these cards in the cache folder, if it has positions of so many pieces."""
    for size in range(MOST_MEN, max(men, USUAL_MEN) - 1, -1):
        arrays = _read(table_file(cards, size), size)
        if arrays is not None:
            return Table(cards, size, *arrays)
    return None


def at_hand(cards: tuple[int, ...], men: int = USUAL_MEN, *, begin: bool = True) -> Table | None:
    """The table of these cards, if it is ready and has positions of so many pieces.

    begin: if there is none at all, make a small one in the background, for the moves to come.
    """
    if cards in _open or any(table_file(cards, size).exists() for size in range(USUAL_MEN, MOST_MEN + 1)):
        table = tables_for(cards)
        return table if table.men >= men else None
    if begin and cards not in _begun:
        _begun.add(cards)
        threading.Thread(target=tables_for, args=(cards,), daemon=True).start()
    return None


def cards_of(state: Any) -> tuple[int, ...]:
    """The five cards in play, in order of their numbers."""
    return tuple(sorted(int(card_at(state, place)) for place in range(IN_PLAY)))


def men_of(state: Any) -> int:
    """The number of pieces on the board."""
    return (int(state.mine) | int(state.theirs)).bit_count()


def probe(state: Any, progress: Progress | None = None) -> tuple[int, int] | None:
    """1, 0 or -1 for the player to move and the plies to the end; None if no table has it.

    A table of four pieces is made if there is none.
    """
    if is_lost(state):
        return -1, 0
    if men_of(state) > MOST_MEN:
        return None
    return tables_for(cards_of(state), progress).probe(state)


def table_file(cards: tuple[int, ...], men: int) -> Path:
    """The path where the table of these cards is kept; its name depends on the cards' moves and the layout."""
    made_from = repr((LAYOUT, [CARDS[card].moves for card in cards]))
    digest = hashlib.sha256(made_from.encode()).hexdigest()[:8]
    return cache_folder() / "onitama" / f"{'-'.join(map(card_name, cards))}-{digest}.endgames{men}"


def _read(path: Path, men: int) -> tuple[Any, Any] | None:
    """The values of a table and its long endgames, mapped into memory; None if the file is missing or incomplete."""
    places = retrograde.places_of(men - MASTERS)
    try:
        data = np.memmap(path, np.uint8, "r").view(np.ndarray)
        os.utime(path)  # mark it as used, so that it is not the first to be removed
    except (OSError, ValueError):
        return None
    if len(data) < places or (len(data) - places) % 8:
        return None
    return data[:places], data[places:].view(np.int64)


def _write(path: Path, values: Any, beyond: Any) -> None:
    """Write a table to its file. If the disk is full or read-only, the table stays in memory only."""

    def fill(file: Any) -> None:
        values.tofile(file)
        beyond.tofile(file)

    if save(path, fill):
        _remove_unused(path.parent)


def _remove_unused(folder: Path) -> None:
    total = 0
    for file in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True):
        total += file.stat().st_size
        if total > MOST_BYTES:
            with contextlib.suppress(OSError):
                file.unlink()
