"""Stopping compiled code from outside: when the time is up, or the user presses Ctrl-C."""

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="zermelo-search")
_stops: dict[Callable[[], None], int] = {}  # of the calls that run in other threads than the main one, and which


def run_stoppable(call: Callable[[], T], stop: Callable[[], None], seconds: float | None = None) -> T:
    """The result of call(), which soon returns once stop() has been called: after so many seconds, or at Ctrl-C.

    Python handles signals only in the main thread and between its own instructions. So there the call, which may be
    one long piece of compiled code, goes to a thread of its own, and the main thread waits for it.
    """
    timer, over, ending = None, False, threading.Lock()

    def stop_in_time() -> None:
        with ending:
            if not over:  # a timer may be late, and whoever searches next in the same memory has time left
                stop()

    if seconds is not None:
        timer = threading.Timer(max(seconds, 0), stop_in_time)
        timer.daemon = True
        timer.start()
    try:
        if threading.current_thread() is not threading.main_thread():
            _stops[stop] = threading.get_ident()
            return call()
        # In the same context: NumPy's error settings, by which unsigned numbers may wrap round, belong to it.
        running = _background.submit(contextvars.copy_context().run, call)
        try:
            return running.result()
        except BaseException:
            stop()
            running.exception()  # wait until it is really over, so that nobody writes to its memory any more
            raise
    finally:
        with ending:
            over = True
        _stops.pop(stop, None)
        if timer is not None:
            timer.cancel()


def stop_all() -> None:
    """Stop the searches of all other threads. One that is just about to begin may be missed: call it again."""
    for stop in list(_stops):
        stop()


def stop_thread(ident: int) -> None:
    """Stop the search of one thread. One that is just about to begin may be missed: call it again."""
    for stop, thread in list(_stops.items()):
        if thread == ident:
            stop()
