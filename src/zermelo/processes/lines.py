"""Talking to another process in lines of text, without waiting forever and without keeping all that it writes.

Each process leads a process group of its own. It is killed together with the processes that it started, for example
the engine behind a shell script, and all of them die with this process (see guardian.py).
"""

import contextlib
import os
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from zermelo.language import _
from zermelo.processes.guardian import HAS_GROUPS, forget_group, kill_group, watch_group
from zermelo.processes.patience import Patience, Usage

ERROR_LINES = 200
"""The number of last lines of standard error that are kept."""
LONGEST_ERROR = 2000
"""The number of bytes that are kept of a line of standard error."""
LONGEST_LINE = 1 << 24
"""A process that writes a line of more bytes on standard output is killed, unless its owner sets another limit."""
MOST_LINES, MOST_BYTES = 1000, 1 << 20
"""If more than this is waiting to be taken, no more output is read, so that memory does not grow."""
CHUNK = 1 << 16
SEND_SECONDS = 60.0
"""A process that does not read what it is sent is killed after this time, in seconds."""
CHECK_SECONDS = 0.5
"""The time between two checks whether a silent process is still running, in seconds."""


class ProcessEnded(Exception):
    """A process ended although an answer was expected; `errors` holds its last lines of standard error."""

    def __init__(self, message: str, errors: str = ""):
        super().__init__(message)
        self.errors = errors


class LineTooLong(ProcessEnded):
    """A process wrote a line longer than the limit and was killed."""


class _Inbox:
    """Lines that were read but not yet taken. While it is full, put() waits."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[str] = deque()
        self._size = 0
        self.is_closed = False

    def put(self, line: str) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self.is_closed or (self._size <= MOST_BYTES and len(self._lines) < MOST_LINES)
            )
            if not self.is_closed:
                self._lines.append(line)
                self._size += len(line)
                self._changed.notify_all()

    def take(self, seconds: float) -> str | None:
        """The next line; None if none comes in time, or if no more will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.is_closed, seconds)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._size -= len(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()


class LineProcess:
    """A process that takes lines on its standard input and answers in lines on its standard output."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        longest: int = LONGEST_LINE,
        environment: Mapping[str, str] | None = None,
        most_errors: int | None = None,
    ):
        """Start the process. OSError if that is not possible.

        longest: the maximum number of bytes in a line. most_errors: the maximum number of bytes on standard error; a
        process that writes more is killed, because reading all of it would keep us busy.
        """
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            list(command),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        watch_group(self.process.pid)
        self._stdin = self.process.stdin
        self._longest = longest
        self._too_long = False
        self._most_errors = most_errors
        self._why: str | None = None  # why it was ended, if somebody said so
        self._deaf = False  # whether it did not read what it was sent
        self._inbox = _Inbox()
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._reaping, self._sending, self._closing = threading.RLock(), threading.Lock(), threading.Lock()
        self._is_killed = False
        self._alarm: tuple[int, int] | None = (
            None  # a pipe; once it has something to read, nobody waits for the process
        )
        if HAS_GROUPS:
            self._alarm = os.pipe()
            os.set_blocking(self._stdin.fileno(), False)
        self._readers = [
            threading.Thread(target=self._read_lines, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self.process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    # ------------------------------------------------------------------------------------- in the readers' threads

    def _read_lines(self, stream: IO[bytes]) -> None:
        rest = bytearray()
        while not self._too_long and (chunk := self._chunk(stream)):
            rest += chunk
            if b"\n" in chunk:
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    if len(line) > self._longest:
                        self._too_long = True
                        break
                    self._inbox.put(line.decode("utf-8", "replace").rstrip("\r"))
            self._too_long = self._too_long or len(rest) > self._longest
        if self._too_long:
            self.end()
        elif rest:
            self._inbox.put(rest.decode("utf-8", "replace").rstrip("\r"))
        self._inbox.close()

    def _read_errors(self, stream: IO[bytes]) -> None:
        rest = b""
        read = 0
        while chunk := self._chunk(stream):
            read += len(chunk)
            if self._most_errors is not None and read > self._most_errors:
                text = _("the process wrote more than {number} bytes on standard error")
                self.end(text.format(number=self._most_errors))
                break
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[-LONGEST_ERROR:]
            self._errors.extend(line[:LONGEST_ERROR].decode("utf-8", "replace") + "\n" for line in lines[-ERROR_LINES:])
        if rest:
            self._errors.append(rest.decode("utf-8", "replace"))

    def _chunk(self, stream: IO[bytes]) -> bytes:
        """What there is to read; nothing at the end, or once the process is killed, even if others hold its pipe."""
        with contextlib.suppress(OSError, ValueError):
            if self._wait_for(stream, select.POLLIN if self._alarm else 0):
                return os.read(stream.fileno(), CHUNK)
        return b""

    def _wait_for(self, stream: IO[bytes], event: int, seconds: float | None = None) -> bool:
        """Wait until the stream can be read or written. False if the process is killed meanwhile, or the time is up."""
        if self._alarm is None:  # Windows has no poll(), so a thread may be left waiting
            return not self._is_killed
        poll = select.poll()
        poll.register(stream.fileno(), event)
        poll.register(self._alarm[0], select.POLLIN)
        ready = dict(poll.poll(None if seconds is None else max(0.0, seconds) * 1000))
        return bool(ready) and self._alarm[0] not in ready

    # ------------------------------------------------------------------------------------- for its owner

    @property
    def is_over(self) -> bool:
        """Has the process ended? If so, all that it had started is killed."""
        with self._reaping:
            if self.process.returncode is not None:
                return True
            if HAS_GROUPS and hasattr(os, "waitid"):
                flags = (
                    os.WEXITED | os.WNOHANG | os.WNOWAIT
                )  # it stays a zombie, so that no other process gets its number
                with contextlib.suppress(ChildProcessError):
                    if os.waitid(os.P_PID, self.process.pid, flags) is None:
                        return False
                kill_group(self.process.pid)
            if self.process.poll() is None:
                return False
            if HAS_GROUPS and not hasattr(os, "waitid"):  # macOS before Python 3.13
                kill_group(self.process.pid)
            forget_group(self.process.pid)
            return True

    @property
    def errors(self) -> str:
        """The last lines that it wrote to standard error."""
        return "".join(self._errors.copy())

    def send(self, line: str) -> None:
        """Send it a line. If it has ended, or does not read the line, the next receive() says so."""
        data = memoryview((line + "\n").encode("utf-8", "replace"))
        deadline = time.monotonic() + SEND_SECONDS
        with self._sending, contextlib.suppress(OSError, ValueError):
            while data:
                if not self._wait_for(self._stdin, select.POLLOUT if self._alarm else 0, deadline - time.monotonic()):
                    self._deaf = not self._is_killed
                    self.end()
                    return
                with contextlib.suppress(BlockingIOError):
                    data = data[os.write(self._stdin.fileno(), data) :]

    def usage(self) -> Usage:
        """What counts if it is late. For other programs all time counts, since they may measure it themselves."""
        return Usage()

    def receive(self, seconds: float | None = None) -> str:
        """Its next line. TimeoutError if none comes in time, ProcessEnded if no more will come."""
        patience = Patience(seconds, self.usage)
        was_over = False
        while not self._inbox.is_closed:
            line = self._inbox.take(CHECK_SECONDS if was_over else min(CHECK_SECONDS, patience.left))
            if line is not None:
                return line
            if was_over:  # all that it started is killed too, so nothing more comes, even if its pipe is open
                self._inbox.close()
            elif self.is_over:
                was_over = True
            elif patience.is_over():
                raise TimeoutError(_("no answer in {seconds:g} s").format(seconds=seconds))
        line = self._inbox.take(0)
        if line is not None:
            return line
        raise self._ended()

    def _ended(self) -> ProcessEnded:
        has_ended = self._wait(1)
        self.end()
        self._readers[1].join(1)
        if self._too_long:
            return LineTooLong(
                _("the process wrote a line of more than {number} bytes").format(number=self._longest), self.errors
            )
        if self._why is not None:
            text = self._why
        elif self._deaf:
            text = _("the process did not read its input for {seconds:g} s").format(seconds=SEND_SECONDS)
        elif has_ended:
            text = _("the process ended with status {status}").format(status=self.process.returncode)
        else:
            text = _("the process closed its standard output")
        return ProcessEnded(text, self.errors)

    def _wait(self, seconds: float) -> bool:
        """Wait for at most this many seconds, and return whether it has ended."""
        deadline, pause = time.monotonic() + seconds, 0.001
        while not self.is_over:
            if time.monotonic() > deadline:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return True

    @property
    def why_ended(self) -> str | None:
        """Why somebody here ended it, if they said so."""
        return self._why

    def end(self, reason: str | None = None) -> None:
        """Kill it and all that it started, without waiting until they have ended."""
        with self._reaping:
            self._why = self._why or reason
            if self.process.returncode is None:
                if HAS_GROUPS:
                    kill_group(self.process.pid)
                else:
                    self.process.kill()

    def kill(self) -> None:
        """Kill it and all that it started, and wait until it has ended, but not for others that hold its pipes open."""
        self.end()
        self._wait(5)
        with self._closing:
            if self._is_killed:
                return
            self._is_killed = True
            self._inbox.close()
            if self._alarm:
                os.write(self._alarm[1], b"!")
            for reader in self._readers:
                reader.join(1)
            with self._sending:
                self._close()

    def _close(self) -> None:
        if any(reader.is_alive() for reader in self._readers):
            return  # this happens only on Windows, where closing a stream would wait for its reader
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self._alarm:
            for end in self._alarm:
                os.close(end)
