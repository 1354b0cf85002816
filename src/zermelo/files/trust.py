"""Code that comes inside a file: it runs only if it is the user's own, or if the user says so.

A tournament's database holds the text of heuristics and the commands of engines, and a file of weights may name a
Python file. What was begun or written here is remembered by its digest, in the user's data folder; of anything else the
user is asked first, or must say `--trust` (in Python: trusting()).
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.errors import UntrustedError
from zermelo.language import _

TRUSTED = "ZERMELO_TRUSTED"
"""The environment variable by which processes started from here know what is trusted."""

Ask = Callable[[str], bool]


class _Manner:
    """How this process decides."""

    ask: Ask | None = None  # puts the question to a person
    trusts_all = False


_manner = _Manner()


def ask_by(ask: Ask) -> None:
    """From now on, this puts the question to a person; without it, the answer is no."""
    _manner.ask = ask


@contextlib.contextmanager
def trusting() -> Iterator[None]:
    """Inside, code that comes in files runs without a question. Only for files whose makers you trust."""
    before = _manner.trusts_all
    _manner.trusts_all = True
    try:
        yield
    finally:
        _manner.trusts_all = before


def digest_of(*parts: Any) -> str:
    """What stands for code: whoever changes a letter of it is asked again."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def remember(digest: str) -> None:
    """From now on this code runs without a question; in the processes started from here, too."""
    if is_trusted(digest):
        return
    known = os.environ.get(TRUSTED, "")
    os.environ[TRUSTED] = f"{known},{digest}".strip(",")
    with contextlib.suppress(OSError):  # where nothing can be kept, the next process asks again
        _register().parent.mkdir(parents=True, exist_ok=True)
        number = os.open(_register(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(f"{digest}\n")


def is_trusted(digest: str) -> bool:
    """Is it the user's own, or was it trusted before?"""
    if digest in os.environ.get(TRUSTED, "").split(","):
        return True
    try:
        return digest in _register().read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return False


def check_trust(where: str, code: Sequence[str], digest: str, trust: bool = False) -> None:
    """Go on if the code may run; code: what would run, a line for each. UntrustedError tells what to do instead."""
    if not code or is_trusted(digest):
        return
    if trust or _manner.trusts_all:
        remember(digest)
        return
    told = [_("{where} was not made here, and it brings code that would run with your rights:").format(where=where)]
    told += [f"  {line}" for line in code]
    if _manner.ask is not None and _manner.ask("\n".join(told)):
        remember(digest)
        return
    told.append(_("Nothing was run. If you trust whoever made it, say --trust (in Python: trust=True)."))
    raise UntrustedError("\n".join(told))


def _register() -> Path:
    from zermelo.files.folders import data_folder  # here: it imports Numba, and `zermelo --help` should not

    return data_folder() / "trusted"
