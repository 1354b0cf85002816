"""Code that comes with a file runs only if it is the user's own, or if the user trusts it.

A tournament's database holds the text of heuristics and the commands of engines, and a file of weights may name a
Python file. The digests of all that was begun or written on this machine are kept in the user's data folder. Before
anything else runs, the user is asked, or must give `--trust` (in Python: trusting()).
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.errors import UntrustedError
from zermelo.files.folders import data_folder
from zermelo.language import _

TRUSTED = "ZERMELO_TRUSTED"
"""The environment variable that tells processes started from this one what is trusted."""

Ask = Callable[[str], bool]


class _Manner:
    """How this process decides whether to trust code."""

    ask: Ask | None = None  # puts the question to the user
    trusts_all = False


_manner = _Manner()


def ask_by(ask: Ask) -> None:
    """Set the function that puts the question to the user. Without one, the answer is no."""
    _manner.ask = ask


@contextlib.contextmanager
def trusting() -> Iterator[None]:
    """Inside, code that comes with files runs without a question. Use it only for files whose authors you trust."""
    before = _manner.trusts_all
    _manner.trusts_all = True
    try:
        yield
    finally:
        _manner.trusts_all = before


def digest_of(*parts: Any) -> str:
    """The digest by which code is remembered. If a single letter of the code changes, the user is asked again."""
    import hashlib  # with OpenSSL, which few commands need
    import json

    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def remember(digest: str) -> None:
    """From now on, this code runs without a question, also in processes started from this one."""
    if is_trusted(digest):
        return
    known = os.environ.get(TRUSTED, "")
    os.environ[TRUSTED] = f"{known},{digest}".strip(",")
    with contextlib.suppress(OSError):  # if nothing can be written, the next process asks again
        _register().parent.mkdir(parents=True, exist_ok=True)
        number = os.open(_register(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(f"{digest}\n")


def is_trusted(digest: str) -> bool:
    """Is the code the user's own, or was it trusted before?"""
    if digest in os.environ.get(TRUSTED, "").split(","):
        return True
    try:
        return digest in _register().read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return False


def check_trust(where: str, code: Sequence[str], digest: str, trust: bool = False) -> None:
    """Raise UntrustedError, which says what to do, unless the code may run. code: a line for each thing that runs."""
    if not code or is_trusted(digest):
        return
    if trust or _manner.trusts_all:
        remember(digest)
        return
    told = [
        _("{where} was not made on this machine, and it contains code that would run with your permissions:").format(
            where=where
        )
    ]
    told += [f"  {line}" for line in code]
    if _manner.ask is not None and _manner.ask("\n".join(told)):
        remember(digest)
        return
    told.append(_("Nothing was run. If you trust its author, use --trust (in Python: trust=True)."))
    raise UntrustedError("\n".join(told))


def _register() -> Path:
    return data_folder() / "trusted"
