"""Games under way whose players think in several processes, and what the referee does in them.

A SlowTable is conducted as every other game, by match.Course and the Referee. The one difference is that nobody waits
at the table: whoever brings a move calls play(), and next_seat() says whom to ask next, as one turn of match.play_out.

A QuickTable cannot be conducted so. Its state is a row of numbers that compiled code changes for a whole batch of games
at a time, and Python never makes a Position of it. So compiled code decides whether its game is over, as it does in the
whole games of searches/playing.py.
"""

import dataclasses
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from zermelo.core import class_of
from zermelo.core.packed import words_of
from zermelo.language import speaking
from zermelo.match import TOO_LONG, Course, Lost
from zermelo.players import Choice, Player
from zermelo.players.programs import choice_told
from zermelo.position import Game, Position
from zermelo.processes.sandbox import SandboxLimits
from zermelo.searches.replies import ENDED, ILLEGAL, MARGIN, OUTCOME, STATUS, compiled_plays, new_room
from zermelo.tournaments.guests import Sources
from zermelo.tournaments.quick import ending_of, written
from zermelo.tournaments.referee import Played, Referee, position_after
from zermelo.tournaments.task import Task

FEW, MANY = 0.02, 0.1
"""Seconds. After a batch that took less than FEW the next may be larger; after more than MANY it is smaller."""

MOST_ROWS = 256
"""Maximum number of games under way at a time, and so of positions in a batch."""

Tell = Callable[[Position], None]


class Seat:
    """A player in its games: where it thinks, and the games in which it is to move."""

    def __init__(self, game: str, player: str, sources: Sources, home: str, here: Player | None = None):
        self.game, self.player, self.sources = game, player, sources
        self.sandbox: SandboxLimits | None = None  # of its process; None: it runs with our rights
        self.has_objects = False  # it is a class of players, with an object for each game
        self.home = home  # seats with the same home share a process
        self.here = here  # a player that was given in Python thinks in this process
        self.waiting: deque[Table] = deque()
        self.size = 1  # the size of the next batch

    @property
    def is_foreign(self) -> bool:
        """Does the player run code from a file?"""
        return bool(self.sources)

    def take(self) -> "list[Table]":
        """The next batch. Games that may have ended a process come one by one."""
        batch = [self.waiting.popleft()]
        while self.waiting and len(batch) < self.size and not (batch[0].is_suspect or self.waiting[0].is_suspect):
            batch.append(self.waiting.popleft())
        return batch

    def give_up(self, name: str) -> "list[Table]":
        """Remove the games that wait for a move of this contestant, and return them. The judge gives up none."""
        lost = [table for table in self.waiting if self.player and table.names[table.mover] == name]
        self.waiting = deque(table for table in self.waiting if table not in lost)
        return lost

    def took(self, seconds: float, number: int) -> None:
        """Adjust the size of the next batch to the time that this one took."""
        if seconds < FEW and number >= self.size:
            self.size = min(2 * self.size, MOST_ROWS)
        elif seconds > MANY:
            self.size = max(1, self.size // 2)


class Table(ABC):
    """A game under way."""

    is_quick = False

    def __init__(self, task: Task, seats: tuple[Seat, Seat], start: Position, tell: Tell | None):
        self.task, self.seats, self.start, self.tell = task, seats, start, tell
        self.names = (task.players[0].name, task.players[1].name)
        self.future: Future[Played] = Future()
        self.began = time.monotonic()
        self.is_suspect = False  # it was in a batch that ended a process

    @property
    def asked(self) -> "tuple[Seat, ...]":
        """All seats that may be asked in this game."""
        return self.seats

    @property
    @abstractmethod
    def mover(self) -> int:
        """The player to move, 0 or 1."""

    @abstractmethod
    def next_seat(self) -> Seat | None:
        """The seat to ask next; None if the game is over."""

    @abstractmethod
    def lose(self, reason: str, error: str | None = None) -> None:
        """End the game as a loss for the player to move."""

    @abstractmethod
    def played(self) -> Played:
        """The finished game."""


class SlowTable(Table):
    """A game whose positions Python sees. It may have any players, time limits and a judge."""

    def __init__(
        self, task: Task, seats: tuple[Seat, Seat], start: Position, tell: Tell | None, judge: Seat | None = None
    ):
        super().__init__(task, seats, start, tell)
        self.course, self.judge = Course(start, self.names), judge
        # The judge has a process of its own, and spectators are told outside the hall's lock.
        self.referee = Referee(dataclasses.replace(task.limits, prove_nodes=None))
        self.is_open = False  # the referee has seen this position, and waits for a move
        self.is_judged = False
        if tell is not None:
            tell(start)

    @property
    def asked(self) -> tuple[Seat, ...]:
        return self.seats if self.judge is None else (*self.seats, self.judge)

    @property
    def position(self) -> Position:
        return self.course.position

    @property
    def mover(self) -> int:
        return self.position.to_move - 1

    @property
    def place(self) -> tuple[str, list[str]]:
        """The position in the form in which it is sent to a process."""
        record = self.course.record
        return record.start, [move.move for move in record.moves]

    def next_seat(self) -> Seat | None:
        self.is_open = self.is_open or self.course.goes_on(self.referee)
        if self.course.is_ended:
            return None
        if self.judge is not None and not self.is_judged:
            return self.judge
        return self.seats[self.mover]

    def judged(self, outcome: int | None) -> None:
        """Take the judge's answer: how this position ends, or None if that is not known."""
        self.is_judged = True
        if outcome is not None:
            self.course.end_proven(outcome)

    def take(self, choice: Choice) -> None:
        """Play the move that a process has chosen. Raises Lost if it is illegal."""
        with speaking("en"):
            following = position_after(self.position, choice)
        self.play(choice, following)

    def play(self, choice: Choice, following: Position) -> None:
        """Play a move, which leads to this position."""
        self.course.play(choice, following)
        self.is_open = self.is_judged = False
        if self.tell is not None:
            self.tell(self.position)

    def lose(self, reason: str, error: str | None = None) -> None:
        self.course.lose(reason, error)

    def played(self) -> Played:
        return Played.of(self.course.record)


class QuickTable(Table):
    """A game between plain alpha-beta players. Its state is a row of numbers, and Python is needed once per batch."""

    is_quick = True

    def __init__(
        self, task: Task, seats: tuple[Seat, Seat], start: Position, tell: Tell | None, depths: tuple[int, int]
    ):
        super().__init__(task, seats, start, tell)
        self.depths = depths
        self.row = -1  # the index of its row in QuickRows
        self.turn = start.to_move - 1
        self.log: list[tuple[int, int, int, int, int]] = []
        self.elapsed = 0.0
        self.end: dict[str, Any] | None = None
        self.position = start
        if tell is not None:
            tell(start)

    @property
    def mover(self) -> int:
        return self.turn

    def next_seat(self) -> Seat | None:
        limit = self.task.limits.most_plies
        if self.end is None and limit is not None and len(self.log) >= limit:
            self.end = ending_of(0, None, TOO_LONG.format(plies=limit))
        return None if self.end is not None else self.seats[self.turn]

    def take(self, reply: tuple[int, int, int, int], result: Sequence[int]) -> None:
        """Record the move that was chosen, and what it led to."""
        if result[STATUS] == ILLEGAL:
            self.lose(f"illegal move: {reply[0]} is not the number of a legal move")
            return
        self.log.append((self.turn, *reply))
        if self.tell is not None:
            self.position = self.position.play_code(reply[0])
            self.tell(self.position)
        if result[STATUS] == ENDED:
            self.end = ending_of(result[OUTCOME], result[MARGIN])
        else:
            self.turn = result[STATUS]

    def lose(self, reason: str, error: str | None = None) -> None:
        self.end = {"winner": 2 - self.turn, "margin": None, "reason": reason}
        if error is not None:
            self.end["error"] = error

    def played(self) -> Played:
        assert self.end is not None
        log = np.array(self.log, np.int64).reshape(-1, 5)
        return written(self.start, self.names, log, self.depths, self.elapsed, self.end)


class QuickRows:
    """The packed states of all quick games (see QuickTable) of one game, such as Connect 4."""

    def __init__(self, game: Game):
        self.like = game.start_state()
        self.words = np.zeros((MOST_ROWS, len(self.like)), np.uint64)
        self.free = list(range(MOST_ROWS))
        self.play = compiled_plays(class_of(self.like))

    def add(self, table: QuickTable) -> None:
        table.row = self.free.pop()
        self.words[table.row] = words_of(table.start.state)

    def remove(self, table: QuickTable) -> None:
        self.free.append(table.row)

    def packed(self, tables: Sequence[QuickTable]) -> bytes:
        return self.words[[table.row for table in tables]].tobytes()

    def step(self, tables: Sequence[QuickTable], answer: Mapping[str, Any], seconds: float) -> int:
        """Play the answered moves in the first of these games and return how many. ValueError if it is no answer."""
        try:
            replies = np.array(answer["replies"], np.int64)
        except (KeyError, TypeError, OverflowError):
            raise ValueError from None
        if replies.ndim != 2 or replies.shape[0] != 4 or not 1 <= replies.shape[1] <= len(tables):
            raise ValueError
        number = int(replies.shape[1])
        rows = np.array([table.row for table in tables[:number]], np.int64)
        results = np.zeros((number, 3), np.int64)
        self.play(self.like, self.words, rows, replies[0].copy(), results, new_room())
        share = seconds / number
        for table, reply, result in zip(tables, replies.T.tolist(), results.tolist(), strict=False):
            table.elapsed += share
            table.take(reply, result)
        return number


def choice_of(answer: Mapping[str, Any], seconds: float) -> Choice:
    """The choice in an answer. Raises Lost if the answer reports a loss, and ValueError if it is not an answer."""
    if isinstance(answer.get("lost"), str):
        error = answer.get("error")
        raise Lost(answer["lost"][:2000], error[:8000] if isinstance(error, str) else None)
    return choice_told(answer.get("choice"), seconds)
