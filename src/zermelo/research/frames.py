"""Records of games as columns, for pandas, pyarrow and others; none of them is needed here."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import FileError, ZermeloError
from zermelo.games import find_game
from zermelo.match import Move, Record, load_records
from zermelo.tournaments.report import Report
from zermelo.tournaments.store import Store, open_store

ROWS = ("games", "moves")
DATABASES = (".db", ".sqlite", ".sqlite3")


class Columns(dict[str, np.ndarray[Any, Any]]):
    """Columns by name, all of the same length. `pandas.DataFrame(columns)` and `pyarrow.table(columns)` take them."""

    @property
    def number(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values())))

    def to_pandas(self) -> Any:
        """The columns as a pandas.DataFrame."""
        return _library("pandas").DataFrame(self)

    def to_arrow(self) -> Any:
        """The columns as a pyarrow.Table."""
        return _library("pyarrow").table(dict(self))

    def __repr__(self) -> str:
        return f"<{self.number} rows of {', '.join(self)}>"


def _library(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ZermeloError("{name} is not installed; install it with: pip install {name}", name=name) from None


def records_frame(
    source: "Record | Iterable[Record] | Report | Store | str | Path", *, rows: str = "games", name: str | None = None
) -> Columns:
    """The games of a source as columns, with a row for each game, or for each move with rows="moves".

    The source is a record, several records, the report of a tournament, a file of games (`games.jsonl`), or a
    database of tournaments (`cup.db`, `postgresql://...`). A database with several tournaments needs the name of one.
    """
    if rows not in ROWS:
        raise ZermeloError('rows={rows!r} is not "games" or "moves"', rows=rows)
    records = list(_records(source, name))
    return _of_games(records) if rows == "games" else _of_moves(records)


def _records(source: Any, name: str | None) -> Iterator[Record]:
    if isinstance(source, Record):
        yield source
    elif isinstance(source, Report):
        if source.store is not None:
            yield from _records(source.store, source.plan.name)
    elif isinstance(source, Store):
        plan, _openings = source.plan(name)
        for game in source.games(plan.name):
            yield game.record
    elif isinstance(source, (str, Path)):
        if str(source).startswith(("postgresql://", "postgres://")) or Path(source).suffix in DATABASES:
            yield from _records(open_store(source, must_exist=True), name)
        else:
            yield from load_records(Path(source))
    elif isinstance(source, Iterable):
        for record in source:
            if not isinstance(record, Record):
                raise FileError("{value!r} is not a record of a game", value=record)
            yield record
    else:
        raise FileError("{value!r} holds no records of games", value=source)


def _texts(values: Iterable[str]) -> np.ndarray[Any, Any]:
    return np.array(list(values), object)


def _numbers(values: Iterable[float | None]) -> np.ndarray[Any, Any]:
    """Numbers, of which some may be unknown."""
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _of_games(records: list[Record]) -> Columns:
    seconds = [[_seconds_of(record, player) for player in (1, 2)] for record in records]
    return Columns(
        game=_texts(record.game for record in records),
        first=_texts(record.players[0] for record in records),
        second=_texts(record.players[1] for record in records),
        start=_texts(record.start for record in records),
        moves=_texts(" ".join(move.move for move in record.moves) for record in records),
        plies=np.array([len(record.moves) for record in records], np.int64),
        winner=np.array([record.winner or 0 for record in records], np.int64),
        score=np.array([record.score for record in records], np.float64),
        margin=_numbers(record.margin for record in records),
        reason=_texts(record.reason for record in records),
        first_seconds=np.array([first for first, _second in seconds], np.float64),
        second_seconds=np.array([second for _first, second in seconds], np.float64),
    )


def _seconds_of(record: Record, player: int) -> float:
    return sum(move.seconds for mover, move in _movers(record) if mover == player)


def _movers(record: Record) -> Iterator[tuple[int, Move]]:
    """The moves of a record, each with the player who made it; a player may move twice in a row."""
    position = find_game(record.game).position(record.start)
    for move in record.moves:
        yield position.to_move, move
        position = position.play(move.move)


def _of_moves(records: list[Record]) -> Columns:
    moves = [
        (number, ply, mover, record, move)
        for number, record in enumerate(records)
        for ply, (mover, move) in enumerate(_movers(record), 1)
    ]
    return Columns(
        record=np.array([number for number, *_rest in moves], np.int64),
        ply=np.array([ply for _number, ply, *_rest in moves], np.int64),
        player=np.array([mover for _number, _ply, mover, *_rest in moves], np.int64),
        name=_texts(record.players[mover - 1] for *_start, mover, record, _move in moves),
        move=_texts(move.move for *_start, move in moves),
        seconds=np.array([move.seconds for *_start, move in moves], np.float64),
        score=_numbers(move.score for *_start, move in moves),
        depth=_numbers(move.depth for *_start, move in moves),
        nodes=_numbers(move.nodes for *_start, move in moves),
        evaluated=_numbers(move.evaluated for *_start, move in moves),
        winner=np.array([record.winner or 0 for *_start, record, _move in moves], np.int64),
    )
