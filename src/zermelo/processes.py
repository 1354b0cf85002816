"""Talking to another process in lines of text, and not waiting for it for ever."""

import contextlib
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from zermelo.language import _

ERROR_LINES = 200
"""Of what it says on standard error, so many of the last lines are kept."""


class ProcessEnded(Exception):
    """It is over, although something was expected of it; `errors` is what it said last on standard error."""

    def __init__(self, message: str, errors: str = ""):
        super().__init__(message)
        self.errors = errors


class LineProcess:
    """A process that takes lines on its standard input and answers in lines on its standard output."""

    def __init__(self, command: Sequence[str], folder: Path | None = None):
        """Start it, in a folder of its own perhaps; OSError if that cannot be done."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            list(command),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            cwd=folder,
        )
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self._lines.put), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self._errors.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: Any, take: Any) -> None:
        with contextlib.suppress(ValueError):  # closed while we read
            for line in stream:
                take(line)
        if stream is self.process.stdout:
            self._lines.put(None)

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    @property
    def errors(self) -> str:
        """What it said last on standard error."""
        return "".join(self._errors)

    def send(self, line: str) -> None:
        """Give it a line. If it is over, the next receive() says so."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def receive(self, seconds: float | None = None) -> str:
        """Its next line; TimeoutError if that does not come in time, ProcessEnded if there will be none."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError(_("no answer in {seconds:g} s").format(seconds=seconds)) from None
        if line is None:
            self._lines.put(None)
            status = self.process.wait()
            self._readers[1].join(1)
            raise ProcessEnded(_("the process ended with status {status}").format(status=status), self.errors)
        return line.rstrip("\r\n")

    def kill(self) -> None:
        """End it, and wait until it is over."""
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(1)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
