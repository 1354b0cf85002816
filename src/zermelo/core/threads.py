"""The threads that share the work of a process. Compiled code frees the interpreter, so they use all processors."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import ParamSpec, TypeVar

from zermelo.core.clock import stop_thread

Item = TypeVar("Item")
Result = TypeVar("Result")
Given = ParamSpec("Given")

STOP_AGAIN = 0.05
"""Seconds after which a thread that has not ended is stopped again: a search that had just begun may be missed."""


class Pool:
    """Threads that compute what they are given, in the order in which they are given it.

    Each call runs in a copy of the caller's context, with the caller's language and NumPy's error settings, which
    allow unsigned numbers to wrap around.
    """

    def __init__(
        self, threads: int | None = None, name: str = "zermelo-work", stopped: threading.Event | None = None
    ) -> None:
        """By default there are as many threads as processors. `stopped` is set when the work is given up."""
        self.threads = threads or os.cpu_count() or 1
        self.stopped = stopped or threading.Event()
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix=name)

    def submit(self, function: Callable[Given, Result], *args: Given.args, **options: Given.kwargs) -> "Future[Result]":
        """Have a function called by one of the threads."""
        context = copy_context()
        return self._pool.submit(lambda: context.run(function, *args, **options))

    def stop(self) -> None:
        """Give up: begin nothing more, stop the searches of these threads, and return when all threads have ended."""
        self.stopped.set()
        self.close(wait=False)
        for thread in self._pool._threads:
            while thread.is_alive():
                if thread.ident is not None:
                    stop_thread(thread.ident)
                thread.join(STOP_AGAIN)

    def close(self, wait: bool = True) -> None:
        """Take no more work, and wait until all is done; or, without waiting, cancel what has not begun."""
        self._pool.shutdown(wait=wait, cancel_futures=not wait)


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int | None = None,
    stopped: threading.Event | None = None,
) -> Generator[Result, None, None]:
    """The result of a function for each item, in the order of the items, computed by the threads of a pool.

    If the caller stops early, presses Ctrl-C, or an item fails, `stopped` is set, the searches under way are stopped,
    and nothing more is begun. When this returns, no thread is at work.
    """
    waiting = iter(items)
    pool = Pool(threads, stopped=stopped)
    try:
        running = deque(pool.submit(function, item) for item in islice(waiting, 2 * pool.threads))
        while running:
            yield running.popleft().result()
            running.extend(pool.submit(function, item) for item in islice(waiting, 1))
    except BaseException:
        pool.stop()
        raise
    pool.close()
