"""Tables in files (see array_files.py), rounded to small integers.

Their arrays: `entries` (int8 or int16, one per entry, a flat table) and `scale` (what an entry of 1 is worth to the
heuristic).
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import FileError, HeuristicError
from zermelo.files.arrays import about_bytes, opened
from zermelo.files.whole import write_whole
from zermelo.language import _

KIND = "table"


@dataclass(frozen=True)
class TableFile:
    """A table, and what is known of its making."""

    weights: np.ndarray[Any, Any]  # float32
    game: str  # as it is written: connect4, hex(size=7)
    shape: int = 0  # as table_shape
    made: dict[str, Any] = field(default_factory=dict)  # command, seed, figures: whatever its maker knows

    def check(self, size: int, shape: int, label: str) -> None:
        """Is it for a table of this size, and boards of this shape?"""
        if len(self.weights) != size:
            raise HeuristicError(
                _(
                    "{label}: the table has {entries} entries, but the game's patterns now need {size}: learn it again"
                ).format(label=label, entries=len(self.weights), size=size)
            )
        if self.shape != shape:
            raise HeuristicError(
                _("{label} was learned on the board of {game}, and knows no other").format(label=label, game=self.game)
            )


def write_table(path: Path, table: TableFile, bits: int = 16) -> None:
    """Write a table, rounded to so many bits (8 or 16) an entry."""
    kind, greatest = {8: (np.int8, 127), 16: (np.int16, 32767)}[bits]
    most = float(np.abs(table.weights).max(initial=0.0))
    # A scale of its own only where the entries do not fit as they are: whole points of the heuristic are fine enough.
    scale = max(1.0 if bits == 16 else 1e-6, most / greatest)
    entries = np.round(table.weights / scale).astype(kind)
    about = about_bytes(KIND, game=table.game, shape=table.shape, made=table.made)
    write_whole(path, lambda file: np.savez_compressed(file, entries=entries, scale=np.float64(scale), about=about))


def read_table(path: Path) -> TableFile:
    """Read a table; the error says what is wrong with the file."""
    with opened(path) as (about, arrays):
        if about["kind"] != KIND:
            raise FileError(_("{path}: holds a {kind}, not a table").format(path=path, kind=about["kind"]))
        entries, scale = arrays["entries"], float(arrays["scale"])
        if entries.ndim != 1 or entries.dtype not in (np.int8, np.int16):
            raise FileError(_("{path}: its entries are no flat table of small integers").format(path=path))
        if not np.isfinite(scale):
            raise FileError(_("{path}: its scale is {scale}, which is no number").format(path=path, scale=scale))
        if not isinstance(about["shape"], int):
            raise ValueError(_("it does not say what it is"))
        weights = entries.astype(np.float32) * np.float32(scale)
        return TableFile(weights, str(about["game"]), about["shape"], about["made"])
