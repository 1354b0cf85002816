"""Playing games on the machines of a Dask cluster (see pieces/cluster.py).

A game is a task of plain text. Users' files travel in it and are compiled where the game is played, in processes of
their own as on this machine (see hall.py). Workers keep no results: only the store holds them.
"""

import functools
import os
import socket
from concurrent.futures import Future
from typing import Any

from zermelo.errors import ResourceError
from zermelo.match import Record
from zermelo.pieces.cluster import PATIENCE, Connection, refusal
from zermelo.pieces.job import code_version
from zermelo.pieces.sources import files_of
from zermelo.processes.sandbox import missing
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.task import Task, play_task
from zermelo.tournaments.workers import Processes, Workers


@functools.cache
def _processes() -> Processes:
    """The processes in which a worker runs the files of contestants."""
    return Processes(os.cpu_count() or 1, everyone=False)


def play_there(version: str, task_text: str) -> dict[str, str]:
    """Play a game on a worker, which refuses if it has another version of zermelo than the sender."""
    refused = refusal(version)
    if refused is not None:
        return refused
    task = Task.from_json(task_text)
    if task.sandbox is not None and (reason := missing()) is not None:
        return {"no sandbox": reason, "host": socket.gethostname()}
    has_files = any(files_of(contestant.player) for contestant in task.players)
    played = _processes().submit(task).result() if has_files else play_task(task)
    return {"played": played.json}


class Cluster(Workers):
    """The workers of a Dask scheduler, as many as there are at any time."""

    is_elsewhere = True

    def __init__(self, address: str, patience: float = PATIENCE):
        self._connection = Connection(address, patience)
        self._alone: Processes | None = None
        self._is_stopped = False

    @property
    def capacity(self) -> int:  # type: ignore[override]
        return self._connection.capacity

    def submit(self, task: Task) -> "Future[Played]":
        answer: Future[Played] = Future()

        def hand_on(done: "Future[Any]") -> None:
            try:
                answer.set_result(self._played(done))
            except self._connection.killed:  # several workers died playing it, so one of its players is to blame
                self._play_alone(task, answer)
            except BaseException as error:
                answer.set_exception(error)

        try:
            done = self._connection.executor.submit(play_there, code_version(), task.to_json())
            done.add_done_callback(hand_on)
        except Exception as error:
            answer.set_exception(self._connection.gone(error))
        return answer

    def _played(self, done: "Future[Any]") -> Played:
        """The game that a worker has played, or an error that says why there is none."""
        if self._is_stopped:
            raise Abandoned
        answer = self._connection.answer(done)
        if "no sandbox" in answer:
            raise ResourceError(
                "the worker on {host} has no sandbox, and contestants' files do not run without one: {reason}",
                host=answer["host"],
                reason=answer["no sandbox"],
            )
        return Played.of(Record.from_json(answer["played"]))

    def _play_alone(self, task: Task, answer: "Future[Played]") -> None:
        """Play a game that kills workers in a process of our own, so that we learn who was to move when it died."""
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
        self._is_stopped = True
        if self._alone is not None:
            self._alone.stop()
        self._connection.cancel()

    def close(self) -> None:
        if self._alone is not None:
            self._alone.close()
        self._connection.close()
