"""The threads in which searches run. Their queue is limited, and a search ends as soon as nobody waits for its result.

    found = await searches.run(work)                             # work() runs in a thread
    async with aclosing(searches.stream(work)) as items:         # work(report) runs in a thread
        async for item in items: ...                             # what it reports, as soon as it does

Compiled code releases the GIL, so the server can answer other requests meanwhile.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from zermelo.core.clock import stop_thread
from zermelo.core.threads import Pool
from zermelo.errors import ZermeloError

T = TypeVar("T")
Report = Callable[[Any], None]

STOP_AGAIN_AFTER = 0.02  # seconds; a search that has not quite begun misses the first call


class TooBusy(ZermeloError):
    """More searches are waiting than the lab allows."""

    http_status = 503


class Stopped(BaseException):
    """Nobody waits for this search any more. It is not an Exception, so that no handler takes it for a failure."""


@dataclass
class _Job:
    wanted: bool = True
    thread: int | None = None
    done: threading.Event = field(default_factory=threading.Event)
    ending: threading.Lock = field(default_factory=threading.Lock)

    def finish(self) -> None:
        with self.ending:
            self.done.set()

    def stop(self) -> None:
        """Stop the search of this job if it is running, but never that of the next job in the same thread."""
        with self.ending:
            if self.thread is not None and not self.done.is_set():
                stop_thread(self.thread)


class Searches:
    """The threads and their queue."""

    def __init__(self, threads: int, waiting: int):
        self._threads = Pool(threads, "zermelo-web")
        self._most = threads + waiting
        self._jobs: set[asyncio.Task[None]] = set()
        self.unfinished = 0

    async def run(self, work: Callable[[], T]) -> T:
        """The result of work(), which is stopped if the caller is cancelled."""
        async with aclosing(self.stream(lambda report: report(work()))) as items:
            result: T = await anext(items)
            return result

    def refuse_if_full(self) -> None:
        """TooBusy if as many searches run and wait as the lab allows."""
        if self.unfinished >= self._most:
            raise TooBusy("too many searches are running; try again in a moment")

    async def stream(self, work: Callable[[Report], None]) -> AsyncGenerator[Any, None]:
        """Everything that work(report) reports, as soon as it does. Closing the stream stops the search."""
        self.refuse_if_full()
        loop = asyncio.get_running_loop()
        reported: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        job = _Job()

        def tell(kind: str, item: Any) -> None:
            if not job.wanted:
                raise Stopped
            loop.call_soon_threadsafe(reported.put_nowait, (kind, item))

        def run() -> None:
            job.thread = threading.get_ident()
            try:
                if job.wanted:
                    work(lambda item: tell("report", item))
                    tell("end", None)
            except Stopped:
                pass
            except BaseException as error:
                if job.wanted:
                    loop.call_soon_threadsafe(reported.put_nowait, ("error", error))
            finally:
                job.finish()

        self.unfinished += 1
        self._threads.submit(run)
        try:
            while True:
                kind, item = await reported.get()
                if kind == "error":
                    raise item
                if kind == "end":
                    return
                yield item
        finally:
            job.wanted = False
            ending = asyncio.ensure_future(self._end(job))
            self._jobs.add(ending)
            ending.add_done_callback(self._jobs.discard)

    async def _end(self, job: _Job) -> None:
        """Stop the job if it still runs, and wait for its end."""
        while not job.done.is_set():
            job.stop()
            await asyncio.sleep(STOP_AGAIN_AFTER)
        self.unfinished -= 1

    async def close(self) -> None:
        """Begin no more searches. Those who wait for the running ones stop them."""
        self._threads.close(wait=False)
