"""Where tournaments are kept: a ledger of pairs, and every finished game.

A row is written once and never changed. Its key follows from the plan, so writing it again does nothing. A run can
therefore be killed at any time, and the next run reads what is there and plays what is missing.
"""

import contextlib
import dataclasses
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.errors import FileError
from zermelo.files.checked import checked
from zermelo.language import Message, _
from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.stored import MIGRATIONS, SCHEMA, TABLES, Result, StoredGame

AT_A_TIME = 2000
"""Number of rows of a long result that are read at a time."""

SCORES = (0, 0.5, 1)
"""The points that a player can get for a game."""


@dataclass(frozen=True)
class _Texts:
    texts: list[str]


class Store(ABC):
    """Tournaments by name in a database. All databases use the same SQL, in which `?` stands for a value.

    Several threads may use one store: it has one connection, and a lock that a transaction keeps until its end.
    """

    where: str
    is_shared: ClassVar[bool] = False
    """Whether several processes may play here at the same time."""

    # -------------------------------------------------------------------------------- what each database defines

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and fetch its rows."""

    @abstractmethod
    def select(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, of which only a few thousand are in memory at a time."""

    @abstractmethod
    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row, in one transaction."""

    @abstractmethod
    def transaction(self, durable: bool = False) -> contextlib.AbstractContextManager[Any]:
        """Run all statements inside, or none of them. One transaction inside another is a part of it.

        Other threads that use this store wait. durable: what is written survives a loss of power, as far as the disk
        keeps its word; otherwise it survives the end of every process, but perhaps not that of the machine.
        """

    @abstractmethod
    def hold(self, name: str) -> bool:
        """Reserve something by name until let_go, or until this process ends in any way; False if another has it."""

    @abstractmethod
    def let_go(self, name: str) -> None:
        """End a reservation made with hold."""

    @abstractmethod
    def _has_tables(self) -> bool:
        """Does the database already have our tables?"""

    @abstractmethod
    def playing(self, tournament: str) -> contextlib.AbstractContextManager[Any]:
        """Enter this while this process plays a tournament. It is an error if another process plays and may not."""

    @abstractmethod
    def claim(self, tournament: str, pair: str) -> bool:
        """Reserve a pair for this process until it ends or releases the pair; False if another process has it."""

    @abstractmethod
    def release(self, tournament: str, pair: str) -> None:
        """End the reservation of a pair, whether it was played or not."""

    @abstractmethod
    def erase(self) -> None:
        """Remove what was deleted from the files of the database, too, as far as the database can."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    # -------------------------------------------------------------------------------- schema

    def _open(self) -> None:
        """Make the tables of a new database, or bring an old one up to date; raise FileError if that is impossible."""
        if not self._has_tables():
            with self.transaction():
                if not self._has_tables():  # another process may have made them meanwhile
                    for table in TABLES:
                        self.execute(table)
                    self.execute("INSERT INTO zermelo VALUES ('schema', ?)", [str(SCHEMA)])
        rows = self.execute("SELECT value FROM zermelo WHERE name = 'schema'")
        if not rows or not str(rows[0][0]).isdecimal():
            raise FileError(
                "{path} is not a tournament store: {error}",
                path=self.where,
                error=Message("it does not say which version of zermelo made it"),
            )
        version = int(rows[0][0])
        if version > SCHEMA:
            raise FileError(
                "{where} was made by a newer version of zermelo: its schema is {version}, and this version reads "
                "schemas up to {known}",
                where=self.where,
                version=version,
                known=SCHEMA,
            )
        while version < SCHEMA:
            if version not in MIGRATIONS:
                raise FileError(
                    "{where}: its schema {version} is too old to be updated to {known}; export its games with the "
                    "version of zermelo that made it, and import them here",
                    where=self.where,
                    version=version,
                    known=SCHEMA,
                )
            with self.transaction():
                for statement in MIGRATIONS[version]:
                    self.execute(statement)
                version += 1
                self.execute("UPDATE zermelo SET value = ? WHERE name = 'schema'", [str(version)])

    # -------------------------------------------------------------------------------- tournaments

    def names(self) -> list[str]:
        """Return the names of the tournaments, oldest first."""
        names = [name for (name,) in self.execute("SELECT name FROM tournaments ORDER BY made, name")]
        with self._reading():
            return checked(_Texts(names)).texts

    def create(self, plan: Plan, openings: Sequence[str]) -> None:
        """Add a new tournament."""
        row = [plan.name, plan.to_json(), json.dumps(list(openings), ensure_ascii=False), time.time()]
        self.execute("INSERT INTO tournaments VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)

    def plan(self, name: str | None = None) -> tuple[Plan, list[str]]:
        """Return the plan and the openings of a tournament. The name may be left out if there is only one."""
        known = self.names()
        if name is None and len(known) == 1:
            name = known[0]
        if name is None or name not in known:
            raise FileError(f"{self.where}: {_no_tournament(name, known)}")
        [(plan, openings)] = self.execute("SELECT plan, openings FROM tournaments WHERE name = ?", [name])
        with self._reading():
            return Plan.from_json(plan), checked(_Texts(json.loads(openings))).texts

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors in what is read into our own: the store is damaged, or another program wrote to it."""
        try:
            yield
        except (ValueError, RecursionError, TypeError) as error:  # FileError is a ValueError
            raise FileError(
                "{path} is not a tournament store, or it is damaged: {error}", path=self.where, error=error
            ) from None

    def set_openings(self, name: str, openings: Sequence[str]) -> None:
        """Replace the openings of a tournament by a longer list that begins with the old one."""
        row = [json.dumps(list(openings), ensure_ascii=False), name]
        self.execute("UPDATE tournaments SET openings = ? WHERE name = ?", row)

    def set_plan(self, plan: Plan) -> None:
        """Replace the plan of a tournament whose contestants join and leave while it is played."""
        self.execute("UPDATE tournaments SET plan = ? WHERE name = ?", [plan.to_json(), plan.name])

    def forget(self, contestants: Collection[str]) -> None:
        """Delete the players and the files of contestants from the plans of all tournaments; their games stay.

        The files of a contestant are in a folder of its name. Tracebacks quote them, so these are deleted, too.
        """
        for tournament in self.names():
            plan, _openings = self.plan(tournament)
            if not set(contestants).isdisjoint(plan.names):
                left = {
                    file: texts for file, texts in plan.sources.items() if file.partition("/")[0] not in contestants
                }
                players = tuple(
                    Contestant(one.name, "random") if one.name in contestants else one for one in plan.contestants
                )
                self.set_plan(dataclasses.replace(plan, contestants=players, sources=left))
        for name in sorted(contestants):
            self._forget_faults(name)

    def _forget_faults(self, name: str) -> None:
        """Of the games that a contestant lost by a fault, keep only the kind of the fault."""
        rows = self.execute(
            "SELECT g.tournament, g.pair, g.swapped, g.reason, g.record FROM games g "
            "JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
            "WHERE ((p.first = ? AND g.score = 0) OR (p.second = ? AND g.score = 1)) AND g.reason LIKE '%:%'",
            [name, name],
        )
        for tournament, pair, swapped, reason, text in rows:
            kind = str(reason).partition(":")[0]
            record = {key: value for key, value in json.loads(text).items() if key != "error"} | {"reason": kind}
            self.execute(
                "UPDATE games SET reason = ?, record = ? WHERE tournament = ? AND pair = ? AND swapped = ?",
                [kind, json.dumps(record, ensure_ascii=False), tournament, pair, swapped],
            )

    def remove(self, name: str) -> None:
        """Delete a tournament and all its games."""
        with self.transaction():
            for table in ("games", "pairs", "notes"):
                self.execute(f"DELETE FROM {table} WHERE tournament = ?", [name])
            self.execute("DELETE FROM tournaments WHERE name = ?", [name])

    def add_notes(self, tournament: str, notes: Iterable[str]) -> None:
        """Add remarks that readers of the results should know."""
        rows = [(tournament, text) for text in notes]
        self.execute_many("INSERT INTO notes VALUES (?, ?) ON CONFLICT DO NOTHING", rows)

    def notes(self, tournament: str) -> list[str]:
        """Return the remarks that readers of the results should know."""
        rows = self.execute("SELECT text FROM notes WHERE tournament = ? ORDER BY text", [tournament])
        with self._reading():
            return checked(_Texts([text for (text,) in rows])).texts

    # -------------------------------------------------------------------------------- pairs and games

    def add_pairs(self, tournament: str, pairs: Iterable[Pair]) -> None:
        """Add pairs to the ledger; pairs that are already there stay as they are."""
        self.execute_many(
            "INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            ((tournament, p.id, p.round, p.first, p.second, p.number, p.opening, p.depth_step, p.seed) for p in pairs),
        )

    def add_games(self, tournament: str, games: Iterable[tuple[str, bool, Played]]) -> None:
        """Add finished games, given as (pair, swapped, game); games that are already there stay as they are."""
        self.execute_many(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                (
                    *(tournament, pair, int(swapped), 1 - played.score if swapped else played.score),
                    *(played.reason, played.plies, played.json, time.time()),
                )
                for pair, swapped, played in games
            ],
        )

    def scores(self, tournament: str) -> dict[tuple[str, bool], float]:
        """Return (pair, swapped) -> the points of the pair's first player, for every finished game."""
        return {(pair, swapped): score for pair, swapped, score in self.each_score(tournament)}

    def each_score(self, tournament: str) -> Iterator[tuple[str, bool, float]]:
        """Yield the same one after another, because a million of them take much memory."""
        for pair, swapped, score in self.select(
            "SELECT pair, swapped, score FROM games WHERE tournament = ?", [tournament]
        ):
            if score not in SCORES:
                self._refuse_score(score)
            yield pair, bool(swapped), score

    def _refuse_score(self, score: Any) -> None:
        with self._reading():
            raise FileError("{value} is not the score of a game", value=repr(score))

    def games(self, tournament: str) -> Iterator[StoredGame]:
        """Yield every finished game, in the order of the schedule."""
        return self._stored_games("ORDER BY p.round, p.number, p.id, g.swapped", [tournament])

    def _stored_games(self, which: str, values: Sequence[Any]) -> Iterator[StoredGame]:
        rows = self.select(
            "SELECT p.id, p.round, p.first, p.second, p.number, p.opening, p.depth_step, p.seed, "
            "g.swapped, g.score, g.reason, g.plies, g.record "
            "FROM games g JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
            f"WHERE g.tournament = ? {which}",
            values,
        )
        for *pair, swapped, score, reason, plies, text in rows:
            if score not in SCORES:
                self._refuse_score(score)
            with self._reading():
                found = checked(StoredGame(Pair(*pair), bool(swapped), score, reason, plies, text))
            yield found

    def game(self, tournament: str, pair: str, swapped: bool) -> StoredGame | None:
        """Return one finished game, or None if it is not there."""
        return next(self._stored_games("AND g.pair = ? AND g.swapped = ?", [tournament, pair, int(swapped)]), None)

    def games_of(self, tournament: str, player: str, limit: int) -> Iterator[StoredGame]:
        """Yield the latest finished games of a player, the latest first."""
        which = "AND ? IN (p.first, p.second) ORDER BY g.ended DESC, g.pair, g.swapped LIMIT ?"
        return self._stored_games(which, [tournament, player, limit])

    def results(
        self, tournament: str, limit: int, offset: int = 0, players: tuple[str, ...] = (), latest: bool = False
    ) -> list[Result]:
        """Return finished games of these players (by default of all) without their moves.

        They come in the order of the schedule, or the latest first.
        """
        meeting = " AND ? IN (p.first, p.second)" * len(players)
        order = "g.ended DESC, g.pair, g.swapped" if latest else "p.round, p.number, p.id, g.swapped"
        rows = self.execute(
            "SELECT p.id, p.first, p.second, g.swapped, g.score, g.reason, g.plies "
            "FROM games g JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
            f"WHERE g.tournament = ?{meeting} ORDER BY {order} LIMIT ? OFFSET ?",
            [tournament, *players, limit, offset],
        )
        with self._reading():
            return [
                checked(Result(pair, True, (second, first), 1 - score, reason, plies))
                if swapped
                else checked(Result(pair, False, (first, second), score, reason, plies))
                for pair, first, second, swapped, score, reason, plies in rows
            ]

    def counts(self, tournament: str) -> tuple[int, int]:
        """Return the number of finished games, and the number of games on the ledger so far."""
        [(finished,)] = self.execute("SELECT COUNT(*) FROM games WHERE tournament = ?", [tournament])
        [(pairs,)] = self.execute("SELECT COUNT(*) FROM pairs WHERE tournament = ?", [tournament])
        return finished, 2 * pairs

    def pairs(self, tournament: str) -> list[Pair]:
        """Return all pairs of the ledger, played or not."""
        rows = self.execute(
            "SELECT id, round, first, second, number, opening, depth_step, seed FROM pairs WHERE tournament = ? "
            "ORDER BY round, number, id",
            [tournament],
        )
        with self._reading():
            return [checked(Pair(*row)) for row in rows]


def _no_tournament(name: str | None, known: Sequence[str]) -> str:
    """Say that a tournament is not in a store, and which ones are."""
    if not known:
        return _("there are no tournaments here")
    listed = ", ".join(known)
    if name is None:
        return _("there are several tournaments here; choose one of {known}").format(known=listed)
    return _("there is no tournament {name!r} here; the tournaments are {known}").format(name=name, known=listed)


def open_store(where: str | Path | None, must_exist: bool = False) -> Store:
    """Open the store in a file or at a URL `postgresql://...`; None opens one in the memory of this process."""
    if isinstance(where, str) and where.startswith(("postgresql://", "postgres://")):
        from zermelo.tournaments.postgres import PostgresStore

        return PostgresStore(where)
    from zermelo.tournaments.sqlite_store import SqliteStore

    return SqliteStore(Path(where) if where is not None else None, must_exist)
