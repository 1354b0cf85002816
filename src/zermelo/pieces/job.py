"""A job and its pieces: what has to be done, in a form that can be sent anywhere."""

import functools
import hashlib
import importlib
import json
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import __version__, errors
from zermelo.errors import ZermeloError

Fault = dict[str, str]
"""What went wrong in a piece: the name of the error's class, and its text."""


@dataclass(frozen=True)
class Job:
    """Work that is cut into pieces.

    function: "module:name" of a function that does a piece. It is called with the settings (JSON), the common data, the
    piece (any value of JSON) and an event that is set when the work is given up; it returns bytes.
    """

    function: str
    settings: str
    data: bytes = b""  # what all pieces need and JSON cannot hold, such as the table that is learned

    def do(self, piece: Any, stopped: threading.Event | None = None) -> bytes:
        """Do a piece here."""
        with np.errstate(over="ignore"):  # unsigned numbers wrap around; a thread of a cluster has its own settings
            return _function(self.function)(self.settings, self.data, piece, stopped or threading.Event())


@functools.cache
def _function(name: str) -> Callable[[str, bytes, Any, threading.Event], bytes]:
    module, _colon, function = name.partition(":")
    found: Callable[[str, bytes, Any, threading.Event], bytes] = getattr(importlib.import_module(module), function)
    return found


def fault_of(error: Exception) -> Fault:
    """What another process tells of an error: users can mend a ZermeloError, and anything else is a bug."""
    if isinstance(error, ZermeloError):
        return {"class": type(error).__name__, "text": str(error)}
    return {"class": "", "text": "".join(traceback.format_exception(error))}


def error_of(fault: Fault) -> Exception:
    """The error that another process told of."""
    name, told = fault["class"], fault["text"]
    if not name:
        return RuntimeError(told)
    cls = getattr(errors, name, ZermeloError)
    return cls(told) if issubclass(cls, ZermeloError) else ZermeloError(told)


@functools.cache
def code_version() -> str:
    """The version of zermelo that runs here, with a digest of its code to tell development versions apart."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digest.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return f"{__version__} ({digest.hexdigest()[:8]})"


def settings_of(value: Any) -> str:
    """Settings as JSON, always the same for the same settings."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
