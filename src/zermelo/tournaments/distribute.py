"""Playing games on many machines with a Dask cluster, which only needs zermelo to be installed on each machine.

A game is a task of plain text. Users' files travel in it and are compiled where the game is played, in processes of
their own as on this machine (see hall.py). If a worker dies, the scheduler gives its games to another. A worker with
another version of zermelo plays nothing. Workers keep no results: only the store holds them.
"""

import contextlib
import functools
import hashlib
import json
import logging
import os
import socket
import traceback
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.errors import ResourceError
from zermelo.language import _
from zermelo.match import Record
from zermelo.processes.sandbox import missing
from zermelo.tournaments.contestants import files_of
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.task import Task, play_task
from zermelo.tournaments.workers import Processes, Workers

PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for the first worker."""


@functools.cache
def code_version() -> str:
    """The version of zermelo that runs here, with a digest of its code to tell development versions apart."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digest.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return f"{__version__} ({digest.hexdigest()[:8]})"


@functools.cache
def _processes() -> Processes:
    """The processes in which a worker runs the files of contestants."""
    return Processes(os.cpu_count() or 1, everyone=False)


def play_there(order: str) -> str:
    """Play a game on a worker, which refuses if it has another version of zermelo than the sender."""
    asked = json.loads(order)
    if asked["version"] != code_version():
        return json.dumps({"refused": code_version(), "host": socket.gethostname()})
    task = Task.from_json(asked["task"])
    if task.sandbox is not None and (reason := missing()) is not None:
        return json.dumps({"no sandbox": reason, "host": socket.gethostname()})
    has_files = any(files_of(contestant.player) for contestant in task.players)
    played = _processes().submit(task).result() if has_files else play_task(task)
    return json.dumps({"played": played.json})


def _keep_quiet() -> None:
    """Let Dask write no tracebacks: we report ourselves what matters.

    When the client goes, tasks of its event loop may still be waiting for games, and asyncio and Tornado report that
    they were cancelled or that their connections were closed.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)

    for name in ("asyncio", "tornado.application"):
        logging.getLogger(name).addFilter(_is_not_of_dask)


def _is_not_of_dask(record: logging.LogRecord) -> bool:
    """Did an error come from elsewhere than Dask's own code?"""
    error = record.exc_info[1] if record.exc_info else None
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    return not any("distributed" in Path(frame.filename).parts for frame in frames)


class Cluster(Workers):
    """The workers of a Dask scheduler, as many as there are at any time."""

    is_elsewhere = True

    def __init__(self, address: str, patience: float = PATIENCE):
        try:
            from distributed import Client, KilledWorker
        except ModuleNotFoundError:
            raise ResourceError(
                'a Dask cluster needs the package distributed; install it with pip install "zermelo[cluster]"'
            ) from None
        _keep_quiet()
        self._killed: type[Exception] = KilledWorker
        self._alone: Processes | None = None
        self._is_stopped = False
        self._address, self._threads = address, 1
        try:
            self.client = Client(address, timeout=patience, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ResourceError(
                "{address}: no Dask scheduler answers at this address: {error}", address=address, error=error
            ) from None
        try:
            self.client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            self.client.close()
            raise ResourceError(
                "{address}: the Dask scheduler at this address has no workers", address=address
            ) from None
        self._executor: Any = self.client.get_executor(pure=False)

    @property
    def capacity(self) -> int:  # type: ignore[override]
        """Two games for each thread, so that the next one is ready while the first is played."""
        with contextlib.suppress(Exception):  # the connection may be lost, and the games will report that
            self._threads = max(1, sum(int(threads) for threads in self.client.nthreads().values()))
        return 2 * self._threads

    def submit(self, task: Task) -> "Future[Played]":
        answer: Future[Played] = Future()

        def hand_on(done: "Future[str]") -> None:
            try:
                answer.set_result(self._played(done))
            except self._killed:  # several workers died playing it, so one of its players is to blame
                self._play_alone(task, answer)
            except BaseException as error:
                answer.set_exception(error)

        try:
            order = json.dumps({"version": code_version(), "task": task.to_json()})
            self._executor.submit(play_there, order).add_done_callback(hand_on)
        except Exception as error:
            answer.set_exception(self._gone(error))
        return answer

    def _played(self, done: "Future[str]") -> Played:
        """The game that a worker has played, or an error that says why there is none."""
        if self._is_stopped:
            raise Abandoned
        if done.cancelled():
            raise self._gone(_("it cancelled the games"))
        error = done.exception()
        if isinstance(error, self._killed):
            raise error
        if isinstance(error, (AttributeError, ImportError, TypeError)):  # the worker does not know our function
            raise ResourceError(
                "a worker has another version of zermelo than this machine, which has {ours}", ours=code_version()
            )
        if isinstance(error, (OSError, CancelledError)):
            raise self._gone(error)
        answer = json.loads(done.result())
        if "refused" in answer:
            raise ResourceError(
                "the worker on {host} has zermelo {theirs}, but this machine has {ours}; install the same on both",
                host=answer["host"],
                theirs=answer["refused"],
                ours=code_version(),
            )
        if "no sandbox" in answer:
            raise ResourceError(
                "the worker on {host} has no sandbox, and contestants' files do not run without one: {reason}",
                host=answer["host"],
                reason=answer["no sandbox"],
            )
        return Played.of(Record.from_json(answer["played"]))

    def _gone(self, error: object) -> ResourceError:
        return ResourceError(
            "{address}: the connection to the Dask scheduler was lost ({error}); the finished games are kept, "
            "and resume continues",
            address=self._address,
            error=error,
        )

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
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._executor.shutdown(wait=False)  # this cancels the games

    def close(self) -> None:
        if self._alone is not None:
            self._alone.close()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.close(timeout=5)
