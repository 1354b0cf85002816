"""Waiting for a process that may be short of processors: a busy machine must not make honest code look endless.

A time limit is for the process, not for the machine. So the time for which a process was ready to run, but all
processors were taken, does not count. Linux tells that time; elsewhere all time counts.
"""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

LONGEST = 10
"""However busy the machine is, nobody waits longer than so many times the limit."""

SHORTEST = 0.05
"""Seconds before the next look at a process that gets more time."""


class Usage(NamedTuple):
    """What a process has had since it began, in seconds."""

    used: float = 0.0  # processor time, of all its threads
    queued: float = 0.0  # time for which its first thread waited for a processor


def usage_of(pid: int) -> Usage:
    """What a process of this machine has had; nothing if the system does not tell."""
    used = queued = 0.0
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        queued = int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return Usage(used, queued)


class Patience:
    """A time limit of some seconds that begins now. usage: what the process has had, asked only if it takes long."""

    def __init__(self, seconds: float | None, usage: Callable[[], Usage]):
        self.seconds, self._usage = seconds, usage
        self._began = time.monotonic()
        self._before: tuple[float, Usage] | None = None
        self._until = float("inf") if seconds is None else self._began + seconds

    @property
    def left(self) -> float:
        """Seconds until somebody should ask whether it is over."""
        return max(0.0, self._until - time.monotonic())

    def is_over(self) -> bool:
        """Has the process had its time? Asked whenever it has been silent for a while."""
        now = time.monotonic()
        if self._before is None:
            self._before = now, self._usage()
        if now < self._until or self.seconds is None:
            return now >= self._until
        since, before = self._before
        usage = self._usage()
        had = max(now - self._began - (usage.queued - before.queued), since - self._began + usage.used - before.used)
        more = min(self.seconds - had, LONGEST * self.seconds - (now - self._began))
        self._until = now + max(more, SHORTEST)
        return more <= 0
