"""Processes of ours that run the code of users: what they did wrong when no answer comes, and in which line.

The answers of such a process cannot be trusted: they are read as JSON and checked, with limits on length and time.
"""

import contextlib
import faulthandler
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from zermelo.language import speaking
from zermelo.processes.lines import LineTooLong, ProcessEnded
from zermelo.processes.orders import START, OwnProcess, WrongAnswer
from zermelo.processes.patience import usage_of
from zermelo.processes.sandbox import Sandbox

LONGEST_ANSWER = 1 << 20
"""Maximum length of an answer in bytes."""

LAST_WORDS, SILENCE = 2.0, 0.3
"""Seconds to wait for a process that hangs to report where it is, and of silence after which it has said all."""

LOOK_EVERY = 10.0
"""Seconds between two looks at the processor time of a process."""

LONGEST_REASON = 1000
"""Maximum number of characters of a reason that are kept."""

_FRAME = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)')

T = TypeVar("T")


class ProcessFault(Exception):
    """A process hung, died or gave a wrong answer, and was ended. kind: the first words of the reason in a record."""

    def __init__(self, kind: str, text: str, errors: str = ""):
        super().__init__(text)
        self.kind, self.errors = kind, errors

    @property
    def reason(self) -> str:
        return f"{self.kind}: {self}"


class ForeignProcess:
    """A process that runs the code of one user and of nobody else, as its owner sees it."""

    def __init__(self, module: str, sandbox: Sandbox | None = None):
        """Start a process that runs main() of a module. Raises OSError if that is not possible."""
        self._process = OwnProcess(module, longest=LONGEST_ANSWER, sandbox=sandbox)
        self._seconds = None if sandbox is None else sandbox.limits.seconds
        self._looked = time.monotonic()
        self.order = self._process.order

    def greet(self) -> None:
        """Wait until it is ready; until then it imports only our own code."""
        self._received(self._process.greet, START)

    def shown(self, path: Path) -> str | None:
        """How a file is called in reports, if it is one of the user's."""
        return None

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
        except ProcessEnded as error:
            text = str(error) if self._process.why_ended else _ending(self._process.status)
            raise self._fault("crash", text, where) from None

    def _fault(self, kind: str, text: str, where: str) -> ProcessFault:
        if kind == "timeout" and hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                self._hear_last_words()
        self.kill()
        errors = self._process.errors
        place = self._place(errors) or where
        return ProcessFault(kind, f"{place}: {text}" if place else text, errors[-LONGEST_REASON * 4 :])

    def _hear_last_words(self) -> None:
        """Have the process report where it is, as tell_of_the_end arranged. A busy machine may take a while."""
        before = self._process.errors
        os.kill(self._process.inner_pid, signal.SIGUSR1)
        began = changed = time.monotonic()
        heard = before
        while not self.is_over and not self._place(heard) and time.monotonic() - began < LAST_WORDS:
            time.sleep(0.02)
            now, heard = heard, self._process.errors
            if now != heard:
                changed = time.monotonic()
            elif heard != before and time.monotonic() - changed > SILENCE:
                return

    def _place(self, errors: str) -> str:
        """The line of the user's files that was running at the end, if the process reported it."""
        for found in _FRAME.finditer(errors):
            shown = self.shown(Path(found["file"]))
            if shown is not None:
                return f"{shown}:{found['line']}"
        return ""

    @property
    def is_over(self) -> bool:
        return self._process.is_over

    @property
    def is_worn(self) -> bool:
        """Has it used half of its processor time? Then another should take its place before it is ended in a game."""
        if self._seconds is None or time.monotonic() - self._looked < LOOK_EVERY:
            return False
        self._looked = time.monotonic()
        return usage_of(self._process.inner_pid).used > self._seconds / 2

    def kill(self) -> None:
        self._process.kill()


def _ending(status: int | None) -> str:
    """How a process ended, in words."""
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
            known = {"SIGSEGV": "a segmentation fault, as endless recursion gives", "SIGKILL": "it was killed"}
            return f"its process died of {name} ({known[name]})" if name in known else f"its process died of {name}"
    return f"its process ended with status {status}"


def tell_of_the_end() -> None:
    """Called in such a process: make standard error show which line was running, whatever ends the process."""
    faulthandler.enable()
    if hasattr(faulthandler, "register"):  # not on Windows
        faulthandler.register(signal.SIGUSR1, all_threads=True)  # the owner asks where the code hangs
    leave = os._exit

    def told(status: int) -> None:
        faulthandler.dump_traceback(all_threads=False)
        leave(status)

    os._exit = told  # type: ignore[assignment]
    with contextlib.suppress(OSError):  # if memory runs out, the system should end this process
        Path("/proc/self/oom_score_adj").write_text("1000")
