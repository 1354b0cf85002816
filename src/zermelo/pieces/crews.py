"""Crews that do the pieces of a job on this machine: threads, or separate processes."""

import base64
import threading
from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import Any

from zermelo.core.threads import Pool
from zermelo.errors import ResourceError, ZermeloError
from zermelo.pieces.job import Job, error_of
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess

LONGEST = 1 << 31
"""Maximum number of bytes in the answer of a process."""

ATTEMPTS = 3
"""A piece during which this many processes have died is not tried again."""


class Crew(ABC):
    """Somebody who does pieces."""

    capacity: int  # the number of pieces that keeps all of them busy
    shares_memory = False  # whether all pieces are done in this process

    @abstractmethod
    def submit(self, job: Job, piece: Any) -> "Future[bytes]":
        """Have a piece done."""

    @abstractmethod
    def abandon(self) -> None:
        """Give up all pieces as soon as possible. The crew can be used again."""

    @abstractmethod
    def close(self) -> None:
        """Dismiss the crew."""

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Threads(Crew):
    """Threads of this process: compiled code runs without the GIL."""

    shares_memory = True

    def __init__(self, number: int | None = None):
        """By default there are as many threads as processors."""
        self.number = number
        self._pool: Pool | None = None

    @property
    def capacity(self) -> int:  # type: ignore[override]
        return 2 * self._ready().threads

    def _ready(self) -> Pool:
        if self._pool is None:
            self._pool = Pool(self.number)
        return self._pool

    def submit(self, job: Job, piece: Any) -> "Future[bytes]":
        pool = self._ready()
        return pool.submit(job.do, piece, pool.stopped)

    def abandon(self) -> None:
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    def close(self) -> None:
        self.abandon()


class Processes(Crew):
    """Separate processes of this machine. If one of them dies, another does its piece."""

    def __init__(self, number: int):
        self.capacity = 2 * number
        self._number = number
        self._lock = threading.Lock()
        self._idle: list[OwnProcess] = []
        self._busy: set[OwnProcess] = set()
        self._jobs: dict[OwnProcess, Job] = {}
        self._pool: Pool | None = None

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that work at this moment."""
        with self._lock:
            return [process.process.pid for process in self._busy]

    def submit(self, job: Job, piece: Any) -> "Future[bytes]":
        if self._pool is None:
            self._pool = Pool(self._number)
        return self._pool.submit(self._done, job, piece, self._pool.stopped)

    def _done(self, job: Job, piece: Any, stopped: threading.Event) -> bytes:
        last = ""
        for _attempt in range(ATTEMPTS):
            process = self._taken(stopped)
            try:
                answer = self._asked(process, job, piece)
            except ProcessEnded as error:
                self._leave(process)
                last = f"{error}\n{error.errors}".strip()
                if stopped.is_set():
                    raise InterruptedError from None
                continue
            with self._lock:
                self._busy.discard(process)
                self._idle.append(process)
            if "fault" in answer:
                raise error_of(answer["fault"])
            return base64.b64decode(answer["done"])
        raise ResourceError(
            "{attempts} processes died doing the same piece of work: {error}", attempts=ATTEMPTS, error=last
        )

    def _taken(self, stopped: threading.Event) -> OwnProcess:
        """A process that has nothing to do, or a new one."""
        with self._lock:
            if stopped.is_set():
                raise InterruptedError
            if self._idle:
                process = self._idle.pop()
            else:
                try:
                    process = OwnProcess("zermelo.pieces.worker", longest=LONGEST)
                except OSError as error:
                    raise ZermeloError("a process cannot be started: {error}", error=error) from None
            self._busy.add(process)
            return process

    def _asked(self, process: OwnProcess, job: Job, piece: Any) -> dict[str, Any]:
        if self._jobs.get(process) != job:
            data = base64.b64encode(job.data).decode()
            process.order("begin", function=job.function, settings=job.settings, data=data)
            process.answer()
            self._jobs[process] = job
        process.order("piece", piece=piece)
        return process.answer()

    def _leave(self, process: OwnProcess) -> None:
        """This process has ended, or is ended now."""
        process.kill()
        with self._lock:
            self._busy.discard(process)
            self._jobs.pop(process, None)

    def abandon(self) -> None:
        if self._pool is None:
            return
        self._pool.stopped.set()
        with self._lock:
            busy = list(self._busy)
        for process in busy:
            process.kill()
        self._pool.stop()
        self._pool = None

    def close(self) -> None:
        self.abandon()
        for process in self._idle:
            process.kill()
        self._idle.clear()
