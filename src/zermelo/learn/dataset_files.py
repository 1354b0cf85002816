"""Datasets in files: Parquet (which needs pyarrow, from the extra `learn`) or NPZ. The settings are stored inside.

Each row is a position that a move led to. Its columns:

    parent        int32     number of the position before the move; rows with the same parent stand together
    move          int32     code of the move
    plies         int16     number of moves played from the start of the game to this position
    score         float32   what the position is worth to the player to move in it
    exact         bool      true if the score is exact, false if it is the estimate of a search
    over          bool      true if the game has ended here (a search asks no heuristic about such positions)
    same_player   bool      true if the player who made the move also moves next
    quiet         bool      true if neither player could win with a single move from here
    parent_quiet  bool      the same for the position before the move
    key           uint64    a number that this position shares with its mirror images
    parent_key    uint64    the same for the position before the move
    state_...               the fields of the state, as the game's rules.py explains them
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import class_of
from zermelo.core.parts import old_fields
from zermelo.errors import FileError, ResourceError
from zermelo.files.arrays import arrays_of
from zermelo.files.reading import check_format
from zermelo.files.whole import DAMAGED, check_growth, write_whole
from zermelo.games import stored_game
from zermelo.language import _
from zermelo.learn.columns import Array, Columns, kinds_of
from zermelo.position import Game

COLUMNS = {
    "parent": np.int32,
    "move": np.int32,
    "plies": np.int16,
    "score": np.float32,
    "exact": np.bool_,
    "over": np.bool_,
    "same_player": np.bool_,
    "quiet": np.bool_,
    "parent_quiet": np.bool_,
    "key": np.uint64,
    "parent_key": np.uint64,
}
FIELD = "state_"
ABOUT = "zermelo"
FORMAT = 1


@dataclass(frozen=True)
class Dataset:
    """Rows, stored by column, and the settings they were made with."""

    game: Game
    columns: dict[str, Array]
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.columns["parent"])

    def __getattr__(self, name: str) -> Any:
        if name in COLUMNS:
            return self.columns[name]
        raise AttributeError(name)

    @property
    def state_class(self) -> Any:
        return class_of(self.game.start_state())

    @property
    def states(self) -> Columns:
        """The states as columns."""
        return tuple(np.ascontiguousarray(self.columns[FIELD + field]) for field in self.state_class._fields)

    def rows(self, chosen: Array) -> "Dataset":
        """Return some of the rows, chosen by a mask or by their indices."""
        return replace(self, columns={name: column[chosen] for name, column in self.columns.items()})


def joined_datasets(parts: list[Dataset]) -> Dataset:
    """Join several datasets of one game. The numbers of the parents continue from one dataset to the next."""
    first, *others = parts
    for part in others:
        if part.game != first.game:
            raise FileError(
                "datasets of different games cannot be joined: {game} and {other}", game=first.game, other=part.game
            )
    shift, columns = 0, []
    for part in parts:
        columns.append(part.columns | {"parent": part.parent + np.int32(shift)})
        shift += int(part.parent.max(initial=-1)) + 1
    whole = {name: np.concatenate([column[name] for column in columns]) for name in first.columns}
    return replace(first, columns=whole, about={"joined": [part.about for part in parts]} if others else first.about)


def field_types(game: Game) -> dict[str, Any]:
    """Return all columns that a dataset of this game has, with their types."""
    cls = class_of(game.start_state())
    fields = zip(cls._fields, kinds_of(cls), strict=True)
    return COLUMNS | {FIELD + name: kind for name, kind in fields}


def write_dataset(path: Path, data: Dataset) -> None:
    """Write a dataset as NPZ or Parquet, as the file's ending says. An older file is replaced only at the end."""
    about = json.dumps(data.about | {"format": FORMAT, "game": str(data.game)}, ensure_ascii=False)
    if path.suffix == ".npz":
        stored: dict[str, Any] = {"about": np.frombuffer(about.encode(), np.uint8), **data.columns}
        write_whole(path, lambda file: np.savez_compressed(file, **stored))
    else:
        arrow = _arrow()
        table = arrow.table(data.columns).replace_schema_metadata({ABOUT: about})
        write_whole(path, lambda file: arrow.parquet.write_table(table, file, compression="zstd"))


def read_dataset(path: Path) -> Dataset:
    """Read a dataset. Raise FileError if the file does not hold one."""
    if not path.is_file():
        raise FileError("there is no file {path}", path=path)
    try:
        if path.suffix == ".npz":
            with arrays_of(path) as arrays:
                columns = {name: arrays[name] for name in arrays.files if name != "about"}
                text = arrays["about"].tobytes().decode()
        else:
            columns, text = _read_parquet(path)
        about = json.loads(text)
        game = stored_game(str(about["game"]), str(path))
        types = field_types(game)
        columns = _with_new_names(columns, game)
        columns = {name: np.ascontiguousarray(columns[name]) for name in types}
        for name, kind in types.items():
            if columns[name].dtype != kind:
                raise ValueError(_("its column {name} has the wrong type").format(name=name))
        sizes = {column.shape for column in columns.values()}
        if len(sizes) > 1 or any(len(size) != 1 for size in sizes):
            raise ValueError(_("its columns have different lengths"))
    except DAMAGED as error:
        raise FileError("{path} is not a zermelo dataset, or it is damaged ({error})", path=path, error=error) from None
    check_format(path, about.get("format"), FORMAT)
    return Dataset(game, columns, about)


def _with_new_names(columns: dict[str, Any], game: Game) -> dict[str, Any]:
    """The columns of a file, by the names that the fields of this game's states have today."""
    new = {FIELD + old: FIELD + field for old, field in old_fields(type(game).__module__).items()}
    return {new.get(name, name): column for name, column in columns.items()}


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ResourceError(
            "Parquet files need pyarrow. Install it with pip install 'zermelo[learn]', or use a file ending in .npz."
        ) from None
    return pyarrow


def _read_parquet(path: Path) -> tuple[dict[str, Array], str]:
    """Return the columns of a Parquet file and the description stored with them."""
    parquet = _arrow().parquet
    head = parquet.read_schema(path)
    rows = parquet.read_metadata(path).num_rows
    check_growth(path.stat().st_size, rows * sum(kind.bit_width // 8 or 1 for kind in head.types))
    table = parquet.read_table(path)
    text = (table.schema.metadata or {})[ABOUT.encode()].decode()
    return {name: table[name].to_numpy() for name in table.column_names}, text
