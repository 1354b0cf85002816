"""The workers that play the games: threads of this process, or separate processes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from zermelo.core import JIT
from zermelo.core.threads import Pool
from zermelo.pieces.sources import files_of
from zermelo.players import Player
from zermelo.position import Position
from zermelo.tournaments.hall import Hall
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.task import Roster, Task, play_task

Spectator = Callable[[Task], Callable[[Position], None] | None]
"""A function that is asked before each game. To watch it, it returns a function to call with every position."""


class Workers(ABC):
    """Workers that play the games of tasks."""

    capacity: int  # the number of tasks that keeps all workers busy
    processes = 1_000_000  # the number of contestants with files that have a process at the same time
    spectator: Spectator | None = None
    is_elsewhere = False  # whether they are on other machines

    def _on_position(self, task: Task) -> Callable[[Position], None] | None:
        return self.spectator(task) if self.spectator is not None else None

    @abstractmethod
    def submit(self, task: Task) -> "Future[Played]":
        """Have a game played. If the future raises Abandoned, the game was not played."""

    @abstractmethod
    def stop(self) -> None:
        """Abandon all games as soon as possible, and return when no game is being played."""

    def close(self) -> None:
        """Release the workers, which are no longer needed."""


class Threads(Workers):
    """Threads of this process: compiled searches run without the GIL."""

    def __init__(self, number: int, roster: Roster):
        self.number, self.roster = number, roster
        self.capacity = 2 * number  # while a thread plays a game, its next one waits
        self._pool = Pool(number, "zermelo-player")

    def submit(self, task: Task) -> "Future[Played]":
        return self._pool.submit(self._play, task)

    def _play(self, task: Task) -> Played:
        is_stopped = self._pool.stopped.is_set
        if is_stopped():
            raise Abandoned
        return play_task(task, self.roster, is_stopped, self._on_position(task))

    def stop(self) -> None:
        self._pool.stop()

    def close(self) -> None:
        self._pool.close()


class Processes(Workers):
    """Processes in which players think, while this process referees the games (see hall.py).

    The files of each contestant run in a process of their own, which may crash or hang. Players without
    files share processes, or, with everyone=False, play each other in threads.
    """

    def __init__(self, number: int, roster: Roster | None = None, everyone: bool = True):
        self.capacity = 8 * number  # a process works on many games at a time
        self._hall = Hall(number, roster or Roster(), everyone)
        self._hall.spectator = self._on_position
        self.processes = self._hall.most_homes

    def submit(self, task: Task) -> "Future[Played]":
        return self._hall.enter(task)

    def stop(self) -> None:
        self._hall.stop()

    def close(self) -> None:
        self._hall.stop()


def local_workers(number: int, plan: Plan, objects: Mapping[str, Player], others_join: bool = False) -> Workers:
    """Threads for players without files, and processes for code from files, which may crash, hang or disturb others.

    Without the compiler everyone gets processes, because plain Python holds the GIL. others_join: contestants may join
    later, perhaps with files.
    """
    has_files = others_join or any(files_of(contestant.player) for contestant in plan.contestants)
    python_only = not JIT and number > 1 and not objects
    if has_files or python_only:
        return Processes(number, Roster(objects), everyone=python_only)
    return Threads(number, Roster(objects))
