"""Failures of standard output and standard error: a full disk, or a reader that has closed the pipe (`| head -1`)."""

import contextlib
import errno
import io
import os
import sys
from typing import Any

from zermelo.language import _

FAILED, PIPE_CLOSED = 1, 141
"""Exit statuses: output that cannot be written; a pipe closed by its reader (128 + SIGPIPE, as in other programs)."""


class OutputFailed(Exception):
    """Nothing more can be written to a stream. It is not an OSError, so that it is not mistaken for another file's."""

    def __init__(self, stream: str, error: OSError):
        super().__init__(stream, error)
        self.stream, self.error = stream, error

    def end(self) -> int:
        """Report the failure, unless the reader of the output is gone, and return the exit status."""
        _silence(self.stream)
        if self.error.errno == errno.EPIPE or (sys.platform == "win32" and self.error.errno == errno.EINVAL):
            _silence("stderr")  # often the same pipe: 2>&1 | head
            return PIPE_CLOSED
        name = {"stdout": _("standard output"), "stderr": _("standard error")}[self.stream]
        with contextlib.suppress(OutputFailed, OSError, AttributeError):
            print(f"zermelo: {name}: {self.error.strerror}", file=sys.stderr, flush=True)
        return FAILED


class _Stream(io.FileIO):
    """A file whose errors can be told apart from those of all other files."""

    def __init__(self, number: int, stream: str):
        super().__init__(number, "wb", closefd=False)
        self.stream = stream

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            raise OutputFailed(self.stream, error) from None


def watch_output() -> None:
    """From now on, output that cannot be written raises OutputFailed, and characters it cannot encode become `?`."""
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        raw = getattr(getattr(old, "buffer", None), "raw", getattr(old, "buffer", None))
        if type(raw) is not io.FileIO:  # closed, a Windows console, or replaced by a test
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
    """Write what is still buffered. If Python did it at exit, an error would come too late to change the status."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def _silence(name: str) -> None:
    """Discard what is still buffered for a stream."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, getattr(sys, name).fileno())
        os.close(nowhere)
