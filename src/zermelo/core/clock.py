"""Stopping compiled code from outside, when the time is up or the user presses Ctrl-C."""

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="zermelo-search")
_stops: dict[Callable[[], None], int] = {}  # of calls outside the main thread: how to stop each, and its thread


def run_stoppable(call: Callable[[], T], stop: Callable[[], None], seconds: float | None = None) -> T:
    """The result of call(). After the given number of seconds, or at Ctrl-C, stop() makes call() return soon.

    Python handles signals only in the main thread and between its own instructions, and the call may be one long piece
    of compiled code. So the main thread gives the call to a thread of its own, and waits for it.
    """
    with stopped_in_time(stop, seconds):
        if threading.current_thread() is not threading.main_thread():
            _stops[stop] = threading.get_ident()
            try:
                return call()
            finally:
                _stops.pop(stop, None)
        # NumPy's error settings, which allow unsigned numbers to wrap around, are part of the context.
        running = _background.submit(contextvars.copy_context().run, call)
        try:
            return running.result()
        except BaseException:
            stop()
            running.exception()  # wait until the call has ended and no longer writes to its memory
            raise


@contextlib.contextmanager
def stopped_in_time(stop: Callable[[], None], seconds: float | None) -> Iterator[None]:
    """After the given number of seconds, if any, stop() is called, unless the block has ended by then."""
    if seconds is None:
        yield
        return
    over, ending = False, threading.Lock()

    def stop_in_time() -> None:
        with ending:
            if not over:  # a late timer must not stop the next search in the same memory
                stop()

    timer = threading.Timer(max(seconds, 0), stop_in_time)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with ending:
            over = True
        timer.cancel()


def stop_thread(ident: int) -> None:
    """Stop the search of one thread. A search that is just beginning may be missed; then call this again."""
    for stop, thread in list(_stops.items()):
        if thread == ident:
            stop()
