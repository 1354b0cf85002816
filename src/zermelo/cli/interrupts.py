"""Ctrl-C ends a command within two seconds, whatever it is doing.

Python raises KeyboardInterrupt between two of its own instructions, so it waits until compiled code returns. Compiled
code that never returns, such as an endless loop in a heuristic, cannot be stopped in this way. Therefore a separate
thread learns of every Ctrl-C from Python's signal handler in C, and ends the process if it has not ended by itself in
time. The thread can run because our compiled code does not hold the interpreter's lock.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from zermelo.language import _, marked

INTERRUPTED = 130
SECONDS = 1.2
"""Time that a process has to end by itself after Ctrl-C. The rest of the two seconds is for a busy machine."""
SAME_PRESS = 0.3
"""Seconds within which a second signal is taken for the same key press: some programs pass it on to their children."""

_saving = 0.0  # seconds that the present part of the command has for saving its results
_saved = 0.0  # when the last such part ended
_has_told = False
_status: int | None = None  # the exit status, once the command is done and only the interpreter has to end

SAVING = marked("saving the results so far; press Ctrl-C again to end at once")
_says: str | None = SAVING


@contextlib.contextmanager
def time_to_save(seconds: float, says: str | None = SAVING) -> Iterator[None]:
    """In this part of a command, Ctrl-C leaves some seconds for saving results; a second Ctrl-C ends it at once.

    says: what is printed at the first Ctrl-C, if anything.
    """
    global _saving, _saved, _says
    _saving, _says = seconds, says
    try:
        yield
    finally:
        _saving, _saved, _says = 0.0, time.monotonic(), SAVING


def has_ended(status: int) -> None:
    """The command is done: a process that takes long to end after Ctrl-C is still ended, but with this status."""
    global _status
    _status = status


def tell_interrupted() -> None:
    """Say on standard error that the command was interrupted, once."""
    global _has_told
    if not _has_told:
        _has_told = True
        click.echo(_("interrupted"), err=True)


def watch_interrupts() -> None:
    """From now on, Ctrl-C ends this process in time. Call it in the main thread."""
    wake, receive = _signals()
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(receive, _restorer()), name="zermelo-interrupts", daemon=True).start()


def _signals() -> tuple[int, Callable[[float | None], bytes]]:
    """The file to which Python writes the number of each signal, and how to wait some seconds for such numbers."""
    if sys.platform == "win32":  # there it must be a socket; elsewhere a pipe is enough, and takes 5 ms less to import
        import socket

        ours, theirs = socket.socketpair()
        theirs.setblocking(False)

        def receive(seconds: float | None) -> bytes:
            ours.settimeout(seconds)
            try:
                return ours.recv(64)
            except TimeoutError:
                return b""

        return theirs.detach(), receive

    import select

    end, wake = os.pipe()
    os.set_blocking(wake, False)
    waiting = select.poll()
    waiting.register(end, select.POLLIN)
    return wake, lambda seconds: os.read(end, 64) if waiting.poll(None if seconds is None else 1000 * seconds) else b""


def _watch(receive: Callable[[float | None], bytes], restore: Callable[[], None]) -> None:
    """In a thread: wait for Ctrl-C, then for the time to run out."""
    first = 0.0
    while True:
        is_pressed = signal.SIGINT in receive(0.1 if first else None)
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            continue  # a server ends in its own way
        now = time.monotonic()
        if not first:
            first = now if is_pressed else 0.0
            if is_pressed and _saving and _says:
                _say(_(_says))
        elif now > first + (_saving or max(SECONDS, _saved - first + SECONDS)) or (
            is_pressed and now > first + SAME_PRESS
        ):
            _end(restore)


def _end(restore: Callable[[], None]) -> None:
    """Write what was printed and end the process. Another thread writes, because the output may be blocked."""

    def tidy() -> None:
        restore()
        with contextlib.suppress(Exception):
            if _status is None:
                tell_interrupted()
        with contextlib.suppress(Exception):
            sys.stdout.flush()

    tidying = threading.Thread(target=tidy, daemon=True)
    tidying.start()
    tidying.join(0.3)
    os._exit(INTERRUPTED if _status is None else _status)


def _say(text: str) -> None:
    with contextlib.suppress(Exception):
        click.echo(text, err=True)


def _restorer() -> Callable[[], None]:
    """A function that puts the terminal back into its present state."""
    saved: list[tuple[int, Any]] = []
    with contextlib.suppress(ImportError):  # Windows has no termios
        import termios

        for number in (0, 1, 2):
            with contextlib.suppress(termios.error):
                saved.append((number, termios.tcgetattr(number)))

    def restore() -> None:
        for number, attributes in saved[:1]:
            with contextlib.suppress(Exception):
                termios.tcsetattr(number, termios.TCSANOW, attributes)
        if os.isatty(2):
            with contextlib.suppress(OSError):
                os.write(2, b"\r\x1b[K\x1b[?25h")  # a progress bar hides the cursor

    return restore
