"""Standard output and standard error that may fail: a full disk, or a reader that has gone away (`| head -1`)."""

import contextlib
import errno
import io
import os
import sys
from typing import Any

from zermelo.language import _

FAILED, PIPE_CLOSED = 1, 141
"""Statuses: output that cannot be written; a pipe closed by its reader (128 + SIGPIPE, as other programs end)."""


class OutputFailed(Exception):
    """Nothing more can be written to a stream. It is no OSError, so that nobody takes it for one of another file."""

    def __init__(self, stream: str, error: OSError):
        super().__init__(stream, error)
        self.stream, self.error = stream, error

    def end(self) -> int:
        """Say it, where that is possible and of interest, and return the status of the process."""
        _silence(self.stream)
        if self.error.errno == errno.EPIPE or (sys.platform == "win32" and self.error.errno == errno.EINVAL):
            _silence("stderr")  # often the same pipe: 2>&1 | head
            return PIPE_CLOSED
        told = {"stdout": _("standard output"), "stderr": _("standard error")}[self.stream]
        with contextlib.suppress(OutputFailed, OSError, AttributeError):
            print(f"zermelo: {told}: {self.error.strerror}", file=sys.stderr, flush=True)
        return FAILED


class _Stream(io.FileIO):
    """A file whose errors are told apart from those of all other files."""

    def __init__(self, number: int, stream: str):
        super().__init__(number, "wb", closefd=False)
        self.stream = stream

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            raise OutputFailed(self.stream, error) from None


def watch_output() -> None:
    """From now on, an output that cannot be written raises OutputFailed, and letters it does not have become `?`."""
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        raw = getattr(getattr(old, "buffer", None), "raw", getattr(old, "buffer", None))
        if type(raw) is not io.FileIO:  # closed, a console of Windows, or a test's
            continue
        stream = _Stream(raw.fileno(), name)
        is_buffered = old.buffer is not raw
        new = io.TextIOWrapper(
            io.BufferedWriter(stream) if is_buffered else stream,
            encoding=old.encoding,
            errors="replace" if old.errors == "strict" else old.errors,
            line_buffering=old.line_buffering,
            write_through=not is_buffered,
        )
        setattr(sys, name, new)


def flush_output() -> None:
    """Write what is still waiting; if that is left to Python, its errors come after the status is decided."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def _silence(name: str) -> None:
    """What is still waiting to be written to a stream goes nowhere."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, getattr(sys, name).fileno())
        os.close(nowhere)
