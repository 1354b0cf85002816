"""Tables in files (see files/arrays.py), rounded to small integers.

A file has two arrays: `entries` (one int8 or int16 for each entry) and `scale` (what an entry of 1 adds to the value of
the heuristic).
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
    """A table, and what is known about how it was made."""

    weights: np.ndarray[Any, Any]  # float32
    game: str  # such as connect4 or hex(size=7)
    shape: int = 0  # the number that table_shape gives
    made: dict[str, Any] = field(default_factory=dict)  # how it was made: command, seed, figures
    scale: float = 1.0  # in a table from a file, all weights are multiples of this number

    def check(self, size: int, shape: int, label: str) -> None:
        """Raise HeuristicError unless the table has this size and is for boards of this shape."""
        if len(self.weights) != size:
            raise HeuristicError(
                "{label}: the table has {entries} entries, but the game's patterns now need {size}; learn it again",
                label=label,
                entries=len(self.weights),
                size=size,
            )
        if self.shape != shape:
            raise HeuristicError(
                "{label} was learned on the board of {game} and cannot evaluate other boards",
                label=label,
                game=self.game,
            )


def write_table(path: Path, table: TableFile, bits: int = 16, finest: float = 1.0) -> None:
    """Write a table, rounded to 8 or 16 bits per entry.

    finest: the scale of a table of 16 bits, if the entries fit. Whole points are precise enough for a table that counts
    in thousands, as those of self-play do.
    """
    kind, greatest = {8: (np.int8, 127), 16: (np.int16, 32767)}[bits]
    most = float(np.abs(table.weights).max(initial=0.0))
    scale = max(finest if bits == 16 else 1e-6, most / greatest)
    entries = np.round(table.weights / scale).astype(kind)
    about = about_bytes(KIND, game=table.game, shape=table.shape, made=table.made)
    write_whole(path, lambda file: np.savez_compressed(file, entries=entries, scale=np.float64(scale), about=about))


def read_table(path: Path) -> TableFile:
    """Read a table. A FileError says what is wrong with the file."""
    with opened(path) as (about, arrays):
        if about["kind"] != KIND:
            raise FileError("{path} contains a model of the kind {kind}, not a table", path=path, kind=about["kind"])
        entries, scale = arrays["entries"], float(arrays["scale"])
        if entries.ndim != 1 or entries.dtype not in (np.int8, np.int16):
            raise FileError("{path}: the entries must be one row of 8-bit or 16-bit integers", path=path)
        if not 0 < scale <= float(np.finfo(np.float32).max):
            raise FileError("{path}: the scale is {scale}, not a positive number", path=path, scale=scale)
        if not isinstance(about["shape"], int):
            raise ValueError(_("its description is missing"))
        weights = entries.astype(np.float32) * np.float32(scale)
        return TableFile(weights, str(about["game"]), about["shape"], about["made"], scale)
