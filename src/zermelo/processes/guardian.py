"""A small process that outlives this one for a moment and ends the processes that this one leaves running.

It reads from a pipe which process groups to watch. The pipe closes when this process ends in any way, even by `kill
-9`, a crash or os._exit(). Then the guardian kills those groups. Linux's PR_SET_PDEATHSIG is not enough: it acts
when the thread that started the child ends, and it does not reach the child's own children.

Windows has no process groups. There, processes that ignore the end of their standard input survive.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading

HAS_GROUPS = hasattr(os, "killpg")

_PROGRAM = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class _Guardian:
    """The guardian of this process; it is started when there is something to watch."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int) -> None:
        with self._lock:
            self._groups.add(group)
            if self._process is None or not self._tell(f"+{group}\n"):
                self._start()

    def forget(self, group: int) -> None:
        with self._lock:
            if group in self._groups:
                self._groups.remove(group)
                self._tell(f"-{group}\n")

    def _start(self) -> None:
        if self._process is not None:  # somebody killed it
            self._leave(self._process)
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM]
        with contextlib.suppress(OSError):  # if no process can be started, none will be left running either
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=os.sep,
                start_new_session=True,
            )
            self._tell("".join(f"+{group}\n" for group in self._groups))

    def _tell(self, text: str) -> bool:
        if self._process is None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(text.encode())
        except OSError:
            return False
        return True

    def _leave(self, process: "subprocess.Popen[bytes]") -> None:
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)

    def close(self) -> None:
        """Let it kill the groups that are left, and end."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            self._leave(process)

    def forget_all(self) -> None:
        """Leave the guardian to the parent, in a fork of this process: it must notice when the parent ends."""
        self._lock, self._groups = threading.Lock(), set()
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            process.returncode = 0  # it is not a child of this process


_guardian = _Guardian()
if HAS_GROUPS:
    atexit.register(_guardian.close)
    os.register_at_fork(after_in_child=_guardian.forget_all)


def watch_group(group: int) -> None:
    """From now on, kill this process group when this process ends."""
    if HAS_GROUPS:
        _guardian.watch(group)


def forget_group(group: int) -> None:
    """Stop watching a process group, because it has ended."""
    if HAS_GROUPS:
        _guardian.forget(group)


def kill_group(group: int) -> None:
    """Kill a group at once. Call it before waiting for the leader, whose number may later belong to another group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
