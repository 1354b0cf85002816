"""Keeps a worker running: starts its process, starts it again when it dies or hangs, and ends it with this process."""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from zermelo.language import Message, marked
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess

MODULE = "zermelo.arena.worker_process"

FIRST_DELAY, LONGEST_DELAY = 1.0, 60.0
"""Seconds before a worker that died is started again: at first, and at most. Each time it is twice as long."""

HEALTHY = 5.0
"""A worker that has run for so many seconds after its start is not one that always fails: the delays begin anew."""

SILENCE = 180.0
"""A worker that says nothing for so many seconds hangs, and is killed."""

LAST_SECONDS = 45.0
"""How long a worker may take to end after it was told to stop."""

ENDED, HANGS, NO_START = (
    marked("the worker ended: {reason}"),
    marked("the worker said nothing for {seconds:g} seconds and was killed"),
    marked("the worker cannot be started: {reason}"),
)

log = logging.getLogger("zermelo.arena")

Tell = Callable[[dict[str, Any]], None]
"""Told whenever the state changes: {"state": "running", "starts": 2, "why": "the worker ended: ...", "pid": ...}"""


ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Threads of linear algebra wait for each other busily where games are played beside them: the ratings of 200
contestants took 0.04 s of processor time with one thread, and 0.9 s with two."""


class Keeper:
    """The one who keeps a worker running. start() and stop() return at once and in time, whatever the worker does."""

    def __init__(
        self,
        order: Mapping[str, Any],
        tell: Tell = lambda state: None,
        *,
        module: str = MODULE,
        first_delay: float = FIRST_DELAY,
        silence: float = SILENCE,
    ):
        """order: what the worker is told to do (see worker_process.py)."""
        self.order, self.tell, self.module = dict(order), tell, module
        self.first_delay, self.silence = first_delay, silence
        self.starts = 0
        self.process: OwnProcess | None = None
        self._ready: float | None = None  # when it had started
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name="zermelo-keeper", daemon=True)

    def start(self) -> None:
        """Begin to keep a worker running."""
        self._thread.start()

    def stop(self) -> None:
        """Tell the worker to finish, and wait until it has ended, but not for ever."""
        self._stopping.set()
        with self._lock:
            process = self.process
        if process is not None:
            with contextlib.suppress(ProcessEnded, OSError):
                process.order("stop")
        if self._thread.ident is not None:
            self._thread.join(LAST_SECONDS)
        if process is not None:
            process.kill()

    def _keep(self) -> None:
        delay = self.first_delay
        while not self._stopping.is_set():
            self._ready = None
            why = self._live()
            if self._stopping.is_set():
                break
            if self._ready is not None and time.monotonic() - self._ready > HEALTHY:
                delay = self.first_delay
            log.error("%s", why)
            self._say("waiting", why, delay)
            self._stopping.wait(delay)
            delay = min(2 * delay, LONGEST_DELAY)
        self._say("stopped")

    def _live(self) -> Message:
        """One life of the worker. Returns why it ended."""
        self.starts += 1
        try:
            process = OwnProcess(self.module, environment={**os.environ, **ONE_THREAD})
        except OSError as error:
            return Message(NO_START, reason=str(error))
        with self._lock:
            self.process = process
        try:
            process.greet()
            self._ready = time.monotonic()
            process.order(**self.order)
            if self._stopping.is_set():
                process.order("stop")
            self._say("running")
            while True:
                answer = process.answer(self.silence)
                if isinstance(answer.get("log"), str):
                    log.warning("%s", answer["log"])
        except TimeoutError:
            return Message(HANGS, seconds=self.silence)
        except ProcessEnded as error:
            lines = [line.strip() for line in error.errors.splitlines() if line.strip()]
            return Message(ENDED, reason=f"{error} ({lines[-1][:300]})" if lines else str(error))
        finally:
            with self._lock:
                self.process = None
            process.kill()

    def _say(self, state: str, why: Message | None = None, delay: float | None = None) -> None:
        with self._lock:
            pid = self.process.process.pid if self.process is not None else None
        told: dict[str, Any] = {"state": state, "starts": self.starts, "since": time.time(), "pid": pid}
        told["keeper"] = os.getpid()
        if why is not None:
            told |= {"why": why.english(), "again_in": delay}
        try:
            self.tell(told)
        except Exception as error:  # the database may be away; the worker is kept running all the same
            log.warning("%s", error)
