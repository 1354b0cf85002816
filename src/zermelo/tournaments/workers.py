"""Who plays the games: threads of this process, or processes of their own."""

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

from zermelo.core import JIT
from zermelo.core.clock import stop_all
from zermelo.errors import ZermeloError
from zermelo.games import find_game, find_heuristic
from zermelo.language import gettext, speaking
from zermelo.match import Record
from zermelo.players import Player
from zermelo.position import Game, Position
from zermelo.processes.lines import LineProcess, ProcessEnded
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.task import Roster, Task, play_task

Spectator = Callable[[Task], Callable[[Position], None] | None]
"""Asked before a game whether it wants to watch it; if so, it gives what is then told every position."""


class Workers(ABC):
    """Somebody to send tasks to."""

    capacity: int  # so many tasks keep everyone busy
    spectator: Spectator | None = None

    def _on_position(self, task: Task) -> Callable[[Position], None] | None:
        return self.spectator(task) if self.spectator is not None else None

    @abstractmethod
    def submit(self, task: Task) -> "Future[Played]":
        """Have a game played. The future may raise Abandoned: then it is not played."""

    @abstractmethod
    def stop(self) -> None:
        """Leave all games, soon; return when nobody plays any more."""

    def close(self) -> None:
        """Nobody is needed any more."""


class Threads(Workers):
    """Threads of this process: compiled searches run without the GIL."""

    def __init__(self, number: int, roster: Roster):
        self.number, self.roster = number, roster
        self.capacity = 2 * number  # while one plays, its next waits
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(number, thread_name_prefix="zermelo-player")

    def submit(self, task: Task) -> "Future[Played]":
        return self._pool.submit(copy_context().run, self._play, task)  # see clock.run_stoppable

    def _play(self, task: Task) -> Played:
        if self._stopped.is_set():
            raise Abandoned
        return play_task(task, self.roster, self._stopped.is_set, self._on_position(task))

    def stop(self) -> None:
        self._stopped.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for thread in self._pool._threads:
            while thread.is_alive():
                stop_all()
                thread.join(0.05)

    def close(self) -> None:
        self._pool.shutdown()


FIRST_MOVE = 120.0
"""Seconds more for the first move of a process: it starts, and compiles."""


class Processes(Workers):
    """Processes, one for each thread of ours that looks after it.

    For players that hold the GIL (plain Python), and for those that may crash or hang: such a process is killed, and
    the player who was to move has lost.
    """

    def __init__(self, number: int, patience: float = 600.0):
        self.patience = patience  # seconds for a move, where the tournament sets none
        self.capacity = 2 * number
        self._stopped = threading.Event()
        self._own = threading.local()
        self._all: list[LineProcess] = []
        self._pool = ThreadPoolExecutor(number, thread_name_prefix="zermelo-process")

    def submit(self, task: Task) -> "Future[Played]":
        return self._pool.submit(self._play, task)

    def _process(self) -> tuple[LineProcess, bool]:
        """This thread's process, and whether it is new."""
        mine: LineProcess | None = getattr(self._own, "process", None)
        if mine is not None and not mine.is_over:
            return mine, False
        mine = self._own.process = LineProcess([sys.executable, "-m", "zermelo.tournaments.worker"])
        self._all.append(mine)
        if self._stopped.is_set():  # while it was being started: nobody else would end it
            mine.kill()
            raise Abandoned
        return mine, True

    def _play(self, task: Task) -> Played:
        if self._stopped.is_set():
            raise Abandoned
        process, is_new = self._process()
        limits = task.limits
        patience = self.patience if limits.seconds is None else limits.seconds + limits.grace
        slow_start = FIRST_MOVE if is_new else 0.0
        record = Record(task.game, (task.players[0].name, task.players[1].name), task.opening)
        mover = 0  # nobody yet
        show = self._on_position(task)
        process.send(task.to_json())
        while True:
            try:
                with speaking("en"):  # what it says of itself goes into the record
                    said = process.receive(patience + (slow_start if mover == 0 else 0.0))
                kind, _, rest = said.partition(" ")
            except (TimeoutError, ProcessEnded) as error:
                process.kill()
                if self._stopped.is_set():
                    raise Abandoned from None
                if mover == 0:
                    raise ZermeloError(
                        gettext("a worker process did not start: {said}").format(said=process.errors)
                    ) from None
                is_late = isinstance(error, TimeoutError)
                record.reason = f"{'timeout' if is_late else 'crash'}: {error}; its process was ended"
                record.winner, record.error = 3 - mover, process.errors or None
                return Played.of(record)
            if kind == "move":
                mover, text = int(rest[0]), rest[2:]
                if show is not None:
                    show(find_game(task.game).position(text))
            elif kind == "record":
                return Played.of(Record.from_json(rest))
            elif kind == "error":
                raise ZermeloError(rest)

    def stop(self) -> None:
        self._stopped.set()
        for process in self._all:
            process.kill()
        self._pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self._pool.shutdown()
        for process in self._all:
            process.kill()


def local_workers(number: int, players: Mapping[str, Player], game: str, objects: Mapping[str, Player]) -> Workers:
    """Threads, unless somebody's code holds the GIL and can run elsewhere."""
    found = find_game(game)
    if number > 1 and not objects and any(holds_the_gil(player, found) for player in players.values()):
        return Processes(number)
    return Threads(number, Roster(objects))


def holds_the_gil(player: Player, game: Game) -> bool:
    """Does it think in plain Python?"""
    chosen = [getattr(player, name, None) for name in ("heuristic", "order")]
    return not JIT or any(find_heuristic(one, game).python for one in chosen if one is not None)
