"""Waiting for what another process or thread does: for the event itself, and as long as a busy machine may need."""

import contextlib
import os
import threading
import time

PATIENCE = 240.0
"""Seconds after which something will not happen any more."""


def until(condition, seconds=PATIENCE):
    """What the condition returns, once that is true."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened in {seconds:g} s")
        time.sleep(0.05)
    return found


def used(number):
    """The processor time that a process has used, in seconds."""
    with open(f"/proc/{number}/stat") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def is_running(number):
    """Is there such a process, other than a zombie that nobody has waited for?"""
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(number):
    """The processes that a process has started and that are still there, and those that they have started."""
    try:
        with open(f"/proc/{number}/task/{number}/children") as file:
            own = [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [found for child in own for found in (child, *children(child))]


@contextlib.contextmanager
def again_and_again(call):
    """Call a function every few milliseconds, in another thread: once may be before what it ends has begun."""
    is_over = threading.Event()

    def go_on():
        while not is_over.wait(0.05):
            call()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
