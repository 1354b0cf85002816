"""Stopping compiled code from outside, when the time is up or the user presses Ctrl-C."""

import contextvars
import threading
from collections.abc import Callable
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
    timer, over, ending = None, False, threading.Lock()

    def stop_in_time() -> None:
        with ending:
            if not over:  # a late timer must not stop the next search in the same memory
                stop()

    if seconds is not None:
        timer = threading.Timer(max(seconds, 0), stop_in_time)
        timer.daemon = True
        timer.start()
    try:
        if threading.current_thread() is not threading.main_thread():
            _stops[stop] = threading.get_ident()
            return call()
        # NumPy's error settings, which allow unsigned numbers to wrap around, are part of the context.
        running = _background.submit(contextvars.copy_context().run, call)
        try:
            return running.result()
        except BaseException:
            stop()
            running.exception()  # wait until the call has ended and no longer writes to its memory
            raise
    finally:
        with ending:
            over = True
        _stops.pop(stop, None)
        if timer is not None:
            timer.cancel()


def stop_thread(ident: int) -> None:
    """Stop the search of one thread. A search that is just beginning may be missed; then call this again."""
    for stop, thread in list(_stops.items()):
        if thread == ident:
            stop()
