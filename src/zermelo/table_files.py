"""Tables in files: an NPZ file of small integers, a scale and what is known of their making, as JSON.

The file is read without pickle. Its arrays: `entries` (int8 or int16, one per entry, a flat table), `scale` (what an
entry of 1 is worth to the heuristic) and `about` (JSON, as bytes).
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import FileError, HeuristicError
from zermelo.files import DAMAGED, write_whole
from zermelo.language import _

FORMAT = 1
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
    about = {"format": FORMAT, "kind": KIND, "game": table.game, "shape": table.shape, "made": table.made}
    entries = np.round(table.weights / scale).astype(kind)
    told = np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8)
    write_whole(path, lambda file: np.savez_compressed(file, entries=entries, scale=np.float64(scale), about=told))


def read_about(path: Path) -> dict[str, Any]:
    """What a file of weights says of itself."""
    return _read(path)[2]


def read_table(path: Path) -> TableFile:
    """Read a table; the error says what is wrong with the file."""
    entries, scale, about = _read(path)
    if about["kind"] != KIND:
        raise FileError(_("{path}: holds a {kind}, not a table").format(path=path, kind=about["kind"]))
    if entries.ndim != 1 or entries.dtype not in (np.int8, np.int16):
        raise FileError(_("{path}: its entries are no flat table of small integers").format(path=path))
    if not np.isfinite(scale):
        raise FileError(_("{path}: its scale is {scale}, which is no number").format(path=path, scale=scale))
    weights = entries.astype(np.float32) * np.float32(scale)
    if not isinstance(about["shape"], int) or not isinstance(about["made"], dict):
        raise FileError(
            _("{path}: is no file of learned weights, or damaged (it does not say what it is)").format(path=path)
        )
    return TableFile(weights, str(about["game"]), about["shape"], about["made"])


def _read(path: Path) -> tuple[np.ndarray[Any, Any], float, dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            entries, scale = arrays["entries"], float(arrays["scale"])
            about = json.loads(arrays["about"].tobytes().decode())
    except OSError as error:
        raise FileError(
            _("{path}: cannot be read: {reason}").format(path=path, reason=error.strerror or error)
        ) from None
    except DAMAGED as error:
        raise FileError(
            _("{path}: is no file of learned weights, or damaged ({error})").format(path=path, error=error)
        ) from None
    if not isinstance(about, dict) or not {"format", "kind", "game", "shape", "made"} <= set(about):
        raise FileError(
            _("{path}: is no file of learned weights, or damaged (it does not say what it is)").format(path=path)
        )
    if about["format"] != FORMAT:
        raise FileError(
            _("{path}: has format {format}, and this version reads format {ours}").format(
                path=path, format=about["format"], ours=FORMAT
            )
        )
    return entries, scale, about
