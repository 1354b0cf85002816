"""Watching the sandboxes of this process for what no limit of the system covers: the number of files in their `/tmp`.

Every file takes room in the kernel, even if it is empty, and bubblewrap can limit only the size of all files. One
thread looks at all sandboxes every second, and ends the process in one that has too many.
"""

import contextlib
import os
import threading
from typing import Protocol

from zermelo.language import _

EVERY = 1.0
"""Seconds between two looks."""


class Watched(Protocol):
    """A process in a sandbox."""

    @property
    def inner_pid(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    def end(self, reason: str | None = None) -> None: ...


class _Watch:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: dict[Watched, int] = {}
        self._thread: threading.Thread | None = None

    def add(self, process: Watched, most_files: int) -> None:
        with self._changed:
            self._watched[process] = most_files
            if self._thread is None:
                self._thread = threading.Thread(target=self._go, name="zermelo-sandboxes", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _go(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._watched)
                self._changed.wait(EVERY)
                watched = dict(self._watched)
            for process, most in watched.items():
                if process.is_over:
                    with self._changed:
                        self._watched.pop(process, None)
                elif files_inside(process) > most:
                    process.end(_("the process made more than {number} files").format(number=most))

    def begin_again(self) -> None:
        """In a fork of this process, the sandboxes belong to the parent."""
        self.__init__()  # type: ignore[misc]


def files_inside(process: Watched) -> int:
    """The number of files in the `/tmp` of a sandbox; 0 if the system does not tell."""
    with contextlib.suppress(OSError):
        root = f"/proc/{process.inner_pid}/root"
        if not os.path.samefile(root, os.sep):  # it has just ended, and another process has its number
            found = os.statvfs(f"{root}/tmp")
            return found.f_files - found.f_ffree
    return 0


_watch = _Watch()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch.begin_again)


def watch_files(process: Watched, most: int) -> None:
    """From now on, end this process if it makes more files than this."""
    _watch.add(process, most)
