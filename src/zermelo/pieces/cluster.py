"""A Dask cluster, which only needs zermelo to be installed on each machine, and the crew of its workers.

Workers keep nothing: results come back to whoever asked. If a worker dies, the scheduler gives its work to another. A
worker with another version of zermelo than the sender refuses to work.
"""

import contextlib
import json
import logging
import socket
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from zermelo.errors import ResourceError
from zermelo.language import _
from zermelo.pieces.crews import Crew
from zermelo.pieces.job import Fault, Job, code_version, error_of, fault_of, settings_of
from zermelo.pieces.sources import Files, moved, named_files

PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for the first worker."""

LITTLE = 1000
"""Number of bytes up to which common data travels with every piece."""


def _keep_quiet() -> None:
    """Let Dask write no tracebacks: we report ourselves what matters.

    When the client goes, tasks of its event loop may still be waiting for results, and asyncio and Tornado report that
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


class Connection:
    """The connection to a Dask scheduler."""

    def __init__(self, address: str, patience: float = PATIENCE):
        try:
            from distributed import Client, KilledWorker
        except ModuleNotFoundError:
            raise ResourceError(
                'a Dask cluster needs the package distributed; install it with pip install "zermelo[cluster]"'
            ) from None
        _keep_quiet()
        self.killed: type[Exception] = KilledWorker
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
        self.executor: Any = self.client.get_executor(pure=False)

    @property
    def capacity(self) -> int:
        """Two tasks for each thread, so that the next one is ready while the first is done."""
        with contextlib.suppress(Exception):  # the connection may be lost, and the tasks will report that
            self._threads = max(1, sum(int(threads) for threads in self.client.nthreads().values()))
        return 2 * self._threads

    def answer(self, done: "Future[Any]") -> Any:
        """What a worker has answered, or an error that says why there is no answer; `killed` if workers died of it."""
        if done.cancelled():
            raise self.gone(_("it cancelled the work"))
        error = done.exception()
        if isinstance(error, self.killed):
            raise error
        if isinstance(error, (AttributeError, ImportError, TypeError)):  # the worker does not know our function
            raise ResourceError(
                "a worker has another version of zermelo than this machine, which has {ours}", ours=code_version()
            )
        if isinstance(error, (OSError, CancelledError)):
            raise self.gone(error)
        answer = done.result()
        if "refused" in answer:
            raise ResourceError(
                "the worker on {host} has zermelo {theirs}, but this machine has {ours}; install the same on both",
                host=answer["host"],
                theirs=answer["refused"],
                ours=code_version(),
            )
        return answer

    def gone(self, error: object) -> ResourceError:
        return ResourceError(
            "{address}: the connection to the Dask scheduler was lost ({error}); what was finished is kept if the "
            "command has a file for it, and can then be continued",
            address=self._address,
            error=error,
        )

    def cancel(self) -> None:
        """Give up all tasks that have not begun. New ones can be submitted."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.executor.shutdown(wait=False)
            self.executor = self.client.get_executor(pure=False)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.close(timeout=5)


def refusal(version: str) -> dict[str, str] | None:
    """On a worker: what it answers to a sender with another version of zermelo."""
    return None if version == code_version() else {"refused": code_version(), "host": socket.gethostname()}


# ------------------------------------------------------------------------------------------ pieces


def do_there(version: str, job: tuple[str, str, Files], data: bytes, piece: Any) -> dict[str, bytes | str | Fault]:
    """Do a piece on a worker."""
    refused = refusal(version)
    if refused is not None:
        return dict(refused)
    function, settings, files = job
    try:
        return {"done": Job(function, settings_of(moved(json.loads(settings), files)), data).do(piece)}
    except Exception as error:
        return {"fault": fault_of(error)}


class Cluster(Crew):
    """The workers of a Dask scheduler, as many as there are at any time. The files that settings name travel there."""

    def __init__(self, address: str, patience: float = PATIENCE):
        self._connection = Connection(address, patience)
        self._sent: tuple[Job, Files, Any] | None = None

    @property
    def capacity(self) -> int:  # type: ignore[override]
        return self._connection.capacity

    def submit(self, job: Job, piece: Any) -> "Future[bytes]":
        answer: Future[bytes] = Future()
        try:
            if self._sent is None or self._sent[0] != job:
                self._sent = job, named_files(json.loads(job.settings)), self._shared(job.data)
            _job, files, data = self._sent
            there = (job.function, job.settings, files)
            done = self._connection.executor.submit(do_there, code_version(), there, data, piece)
        except OSError as error:
            answer.set_exception(self._connection.gone(error))
            return answer
        done.add_done_callback(self._hand_on(answer))
        return answer

    def _shared(self, data: bytes) -> Any:
        """Data that each worker gets only once. Little data travels with each piece.

        It is the result of a task, which the scheduler can repeat; scattered data is lost with the worker that has it.
        """
        if len(data) < LITTLE:
            return data
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            return self._connection.client.submit(bytes, data, pure=False)

    def _hand_on(self, answer: "Future[bytes]") -> Callable[["Future[Any]"], None]:
        def hand_on(done: "Future[Any]") -> None:
            try:
                found = self._connection.answer(done)
                if "fault" in found:
                    raise error_of(found["fault"])
                answer.set_result(found["done"])
            except self._connection.killed as error:
                answer.set_exception(
                    ResourceError("several workers died doing the same piece of work: {error}", error=error)
                )
            except BaseException as error:
                answer.set_exception(error)

        return hand_on

    def abandon(self) -> None:
        self._connection.cancel()

    def close(self) -> None:
        self._connection.cancel()
        self._connection.close()
