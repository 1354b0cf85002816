"""Work for several threads. Compiled code frees the interpreter, so threads of one process use all processors."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(function: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None) -> Iterator[Result]:
    """The result of a function for each item, in the order of the items, computed by several threads.

    By default there are as many threads as processors. A caller that stops early waits only for the items that are
    being computed. Each call runs in a copy of the caller's context, with its language and error settings (see
    core.clock.run_stoppable).
    """
    threads = threads or os.cpu_count() or 1
    if threads == 1:
        yield from map(function, items)
        return
    waiting = iter(items)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-work") as pool:
        running = [pool.submit(copy_context().run, function, item) for item in islice(waiting, 2 * threads)]
        try:
            while running:
                yield running.pop(0).result()
                running += [pool.submit(copy_context().run, function, item) for item in islice(waiting, 1)]
        finally:
            for future in running:
                future.cancel()
