"""Talking to the processes in which contestants' files run (see guest.py).

The answers of such a process cannot be trusted: they are read as JSON and checked, with limits on length and time.
"""

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from zermelo.errors import HeuristicError, ZermeloError
from zermelo.language import gettext, speaking
from zermelo.processes.lines import LineTooLong, ProcessEnded
from zermelo.processes.orders import START, OwnProcess, WrongAnswer

LONGEST_ANSWER = 1 << 20
"""Maximum length of an answer in bytes."""

LAST_WORDS = 0.3
"""Seconds to wait for a process that hangs to report where it is."""

LONGEST_REASON = 1000
"""Maximum number of characters of a reason that are kept."""

_FRAME = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)')

T = TypeVar("T")

Sources = Mapping[str, Mapping[str, str]]
"""For each file that players' texts name: the texts of that file and its neighbours, by file name."""


def missing_here(platform: str = sys.platform) -> str | None:
    """What this system cannot do with a contestant's process, for the reader of the results; None on Linux."""
    if platform == "win32":
        return gettext("on Windows only the process of a contestant's file is ended, not those that it has started")
    if platform != "linux":
        return gettext(
            "on this system the tournament itself may be ended if a contestant's file uses up the memory; "
            "resume continues it"
        )
    return None


class ProcessFault(Exception):
    """A process hung, died or gave a wrong answer, and was ended. kind: the first words of the reason in a record."""

    def __init__(self, kind: str, text: str, errors: str = ""):
        super().__init__(text)
        self.kind, self.errors = kind, errors

    @property
    def reason(self) -> str:
        return f"{self.kind}: {self}"


class GuestProcess:
    """A process that holds the files of one contestant and of nobody else."""

    def __init__(self, game: str, sources: Sources):
        """Start the process. Raises ZermeloError if it cannot be started."""
        self.sources = sources
        self.seated: dict[str, str] = {}  # players that were made there, and where their heuristics are defined
        try:
            self._process = OwnProcess("zermelo.tournaments.guest", longest=LONGEST_ANSWER)
        except OSError as error:
            raise ZermeloError("a process cannot be started: {error}", error=error) from None
        try:
            self._received(self._process.greet, START)
        except ProcessFault as fault:
            raise ZermeloError(
                "the process for contestants did not start: {error}", error=f"{fault}\n{fault.errors}"
            ) from None
        self.order = self._process.order
        self.order("open", game=game, sources=sources)

    def answer(self, limit: float | None, where: str = "") -> dict[str, Any]:
        """The next answer. If none comes, the process is ended. where: which code is running, if that is known."""
        return self._received(self._process.answer, limit, where)

    def _received(self, receive: Callable[[float | None], T], limit: float | None, where: str = "") -> T:
        try:
            with speaking("en"):  # the language of records
                return receive(limit)
        except TimeoutError:
            raise self._fault("timeout", f"no answer within {limit:g} s", where) from None
        except WrongAnswer:
            raise self._fault("wrong answer", "its process wrote something else than an answer", where) from None
        except LineTooLong as error:
            raise self._fault("wrong answer", str(error), where) from None
        except ProcessEnded:
            raise self._fault("crash", _ending(self._process.process.returncode), where) from None

    def _fault(self, kind: str, text: str, where: str) -> ProcessFault:
        if kind == "timeout" and hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                os.kill(self._process.process.pid, signal.SIGUSR1)  # see guest.py: it reports where it is
                time.sleep(LAST_WORDS)
        self.kill()
        errors = self._process.errors
        place = self._place(errors) or where
        return ProcessFault(kind, f"{place}: {text}" if place else text, errors[-LONGEST_REASON * 4 :])

    def _place(self, errors: str) -> str:
        """The line of the contestant's files that was running at the end, if the process reported it."""
        for found in _FRAME.finditer(errors):
            path = Path(found["file"])
            for file, texts in self.sources.items():
                if path.name in texts and "sources" in path.parts:
                    return f"{Path(file).parent / path.name}:{found['line']}"
        return ""

    def seat(self, player: str, limit: float) -> None:
        """Have a player made, and its files loaded and compiled. Raises HeuristicError if that fails."""
        if player not in self.seated:
            self.order("seat", player=player)
            answer = self.answer(limit, " or ".join(self.sources))
            if "error" in answer:
                raise HeuristicError(_text(answer["error"]))
            self.seated[player] = _text(answer.get("ready"))

    @property
    def is_over(self) -> bool:
        return self._process.is_over

    def kill(self) -> None:
        self._process.kill()

    def __enter__(self) -> "GuestProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()


def _ending(status: int | None) -> str:
    """How a process ended, in words."""
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
            known = {"SIGSEGV": "a segmentation fault, as endless recursion gives", "SIGKILL": "it was killed"}
            return f"its process died of {name} ({known[name]})" if name in known else f"its process died of {name}"
    return f"its process ended with status {status}"


def _text(value: Any) -> str:
    return value[: LONGEST_REASON * 4] if isinstance(value, str) else ""


def enlisted(file: str, texts: Mapping[str, str], game: str, limit: float) -> tuple[list[str], list[str], list[str]]:
    """The names of a file's heuristics for a game and of its searches, and warnings.

    Raises HeuristicError if the file cannot be used.
    """
    with GuestProcess(game, {file: texts}) as guest:
        guest.order("enlist", file=file)
        try:
            answer = guest.answer(limit, file)
        except ProcessFault as fault:
            raise HeuristicError(str(fault)) from None
    if "error" in answer:
        raise HeuristicError(_text(answer["error"]))
    heuristics, searches, warnings = (_texts(answer.get(name), file) for name in ("heuristics", "searches", "warnings"))
    return heuristics, searches, warnings


def check_player(player: str, sources: Sources, game: str, limit: float) -> list[str]:
    """Make a player in a separate process, only to see whether that works. Returns warnings about it."""
    with GuestProcess(game, sources) as guest:
        guest.order("seat", player=player)
        try:
            answer = guest.answer(limit, " or ".join(sources))
        except ProcessFault as fault:
            raise HeuristicError(str(fault)) from None
    if "error" in answer:
        raise HeuristicError(_text(answer["error"]))
    return _texts(answer.get("warnings"), player)


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, Sequence) or not all(isinstance(text, str) for text in value):
        raise HeuristicError("{where}: its process gave a wrong answer", where=where)
    return [text[:LONGEST_REASON] for text in value]
