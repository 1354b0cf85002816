"""Games on many machines: a Dask cluster, which needs nothing but zermelo installed on each.

A game is a task of plain text; users' files travel in it and are compiled where it is played. If a worker dies, the
scheduler gives its games to another. Nothing is known there: the store stays the only truth.
"""

from concurrent.futures import Future
from typing import Any

from zermelo.errors import FileError
from zermelo.language import _
from zermelo.match import Record
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.task import Task, play_task
from zermelo.tournaments.workers import Processes, Workers

PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for the first worker."""


def play_remotely(task: str) -> str:
    """Runs on a worker."""
    return play_task(Task.from_json(task)).json


class Cluster(Workers):
    """The workers of a Dask scheduler, as many as there are at any time."""

    def __init__(self, address: str, patience: float = PATIENCE):
        try:
            from distributed import Client, KilledWorker
        except ModuleNotFoundError:
            raise FileError(_('a Dask cluster needs another package: pip install "zermelo[cluster]"')) from None
        self._killed: type[Exception] = KilledWorker
        self._alone: Processes | None = None
        try:
            self.client = Client(address, timeout=patience, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise FileError(
                _("{address}: no Dask scheduler there: {error}").format(address=address, error=error)
            ) from None
        try:
            self.client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            self.client.close()
            raise FileError(_("{address}: the Dask scheduler there has no workers").format(address=address)) from None
        self._executor: Any = self.client.get_executor(pure=False)

    @property
    def capacity(self) -> int:  # type: ignore[override]
        """Two games for each thread: while one is played, the next waits there."""
        return 2 * max(1, sum(int(threads) for threads in self.client.nthreads().values()))

    def submit(self, task: Task) -> "Future[Played]":
        answer: Future[Played] = Future()

        def hand_on(done: "Future[str]") -> None:
            try:
                if done.cancelled():
                    raise Abandoned
                answer.set_result(Played.of(Record.from_json(done.result())))
            except self._killed:  # several workers died of it: somebody in it is to blame
                self._play_alone(task, answer)
            except BaseException as error:
                answer.set_exception(error)

        self._executor.submit(play_remotely, task.to_json()).add_done_callback(hand_on)
        return answer

    def _play_alone(self, task: Task, answer: "Future[Played]") -> None:
        """Play a game that kills workers in a process of ours, which tells who was to move when it died."""
        if self._alone is None:
            self._alone = Processes(1)

        def hand_on(done: "Future[Played]") -> None:
            error = done.exception()
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(done.result())

        self._alone.submit(task).add_done_callback(hand_on)

    def stop(self) -> None:
        if self._alone is not None:
            self._alone.stop()
        self._executor.shutdown(wait=False)  # cancels them

    def close(self) -> None:
        if self._alone is not None:
            self._alone.close()
        self.client.close()
