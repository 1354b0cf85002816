"""What a tournament's store consists of: its tables, and games as they are read from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zermelo.match import Record
from zermelo.tournaments.schedule import Pair

SCHEMA = 1

TABLES = (
    "CREATE TABLE zermelo (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE tournaments (
        name TEXT PRIMARY KEY,
        plan TEXT NOT NULL,
        openings TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE notes (
        tournament TEXT NOT NULL REFERENCES tournaments (name),
        text TEXT NOT NULL,
        PRIMARY KEY (tournament, text))""",
    """CREATE TABLE pairs (
        tournament TEXT NOT NULL REFERENCES tournaments (name),
        id TEXT NOT NULL,
        round INTEGER NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        number INTEGER NOT NULL,
        opening TEXT NOT NULL,
        depth_step INTEGER NOT NULL,
        seed BIGINT NOT NULL,
        PRIMARY KEY (tournament, id))""",
    """CREATE TABLE games (
        tournament TEXT NOT NULL,
        pair TEXT NOT NULL,
        swapped INTEGER NOT NULL,
        score DOUBLE PRECISION NOT NULL,
        reason TEXT NOT NULL,
        plies INTEGER NOT NULL,
        record TEXT NOT NULL,
        ended DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (tournament, pair, swapped),
        FOREIGN KEY (tournament, pair) REFERENCES pairs (tournament, id))""",
)

MIGRATIONS: Mapping[int, Sequence[str]] = {}
"""Schema number -> the statements that turn it into the next schema."""


@dataclass(frozen=True)
class StoredGame:
    """A finished game of the ledger."""

    pair: Pair
    swapped: bool
    score: float  # points of the pair's first player
    reason: str
    plies: int
    json: str

    @property
    def record(self) -> Record:
        """The game with its moves."""
        return Record.from_json(self.json)


@dataclass(frozen=True)
class Result:
    """How a game of the ledger ended, without its moves."""

    pair: str
    swapped: bool
    players: tuple[str, str]  # the player who moved first, and the other one
    score: float  # points of the player who moved first
    reason: str
    plies: int
