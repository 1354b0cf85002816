"""The line protocol of our own processes: orders go to a process as lines of JSON, and its answers come back likewise.

    {"do": "check", "language": "en", "file": "mine.py"}

An order names a function, the language to speak, and the function's arguments. A process first writes {"hello": true};
then it writes one or more answers to each order, all of them objects. Which ones is said in the module of the process
(tournaments/guest.py, web/tournament_process.py) or, where each order has one result, in jobs.py (check/process.py,
web/workbench_process.py). The order {"do": "stop"}, or the end of its input, ends a process at once, so that none
outlives its owner.
"""

import contextlib
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from zermelo.language import _, language, speaking
from zermelo.processes.lines import LONGEST_LINE, LineProcess, ProcessEnded
from zermelo.processes.patience import Usage, usage_of
from zermelo.processes.sandbox import OtherUser, Sandbox, innermost, interpreter
from zermelo.processes.watching import watch_files

START = 120.0
"""Seconds allowed for a process to start. Until then it imports only our own code."""

Answer = dict[str, Any]

_PACKAGE = str(Path(__file__).parents[2])


class WrongAnswer(ProcessEnded):
    """A process wrote a line that is not an answer, and was killed."""


class OwnProcess(LineProcess):
    """A process of ours, as its owner sees it."""

    def __init__(
        self,
        module: str,
        folder: Path | None = None,
        longest: int = LONGEST_LINE,
        environment: Mapping[str, str] | None = None,
        sandbox: Sandbox | OtherUser | None = None,
    ):
        """Start a process that runs main() of a module. Raises OSError if that is not possible.

        environment: its environment, if it is not ours. A sandbox has only what stands in it.
        """
        begin = "" if sandbox is None else "from zermelo.processes.seccomp import put_on; put_on(); "
        code = f"import sys; sys.path.append({_PACKAGE!r}); {begin}from {module} import main; main()"
        # -P: a file in the current folder must not be imported in place of a module of the library.
        command = [sys.executable, "-P", "-c", code]
        if sandbox is not None:
            command[0] = interpreter()
            command, folder = sandbox.wrapped(command, environment or {}), Path(os.sep)
            environment = {"PATH": os.environ.get("PATH", os.defpath)}  # what runs inside can read bubblewrap's own
        most_errors = None if sandbox is None else sandbox.limits.output
        super().__init__(command, folder, longest, environment, most_errors)
        self._is_boxed = isinstance(sandbox, Sandbox)
        self._has_greeted = False
        self._most_files = sandbox.limits.files if isinstance(sandbox, Sandbox) else None

    @property
    def inner_pid(self) -> int:
        """The number of the process that runs main(); for us, since a sandbox has numbers of its own."""
        return innermost(self.process.pid) if self._is_boxed else self.process.pid

    @property
    def status(self) -> int | None:
        """How it ended, as subprocess says it: -9 if signal 9 killed it. A sandbox tells that as 128 + 9."""
        status = self.process.returncode
        return 128 - status if self._is_boxed and status is not None and 128 < status < 192 else status

    def usage(self) -> Usage:
        """What it has had of the processors: the time for which it waited for one does not count."""
        with contextlib.suppress(OSError):  # the process in the sandbox has ended
            return usage_of(self.inner_pid)
        return Usage()

    def order(self, do: str, **arguments: Any) -> None:
        """Give it an order. The answers are in the language that is spoken here."""
        self.send(json.dumps({"do": do, "language": language(), **arguments}))

    def greet(self, seconds: float | None = START) -> None:
        """Wait until it is ready. Raises TimeoutError or ProcessEnded if it does not start."""
        if not self._has_greeted:
            self._object(seconds)
            self._has_greeted = True
            if self._most_files is not None:  # until now only code of ours has run, and the sandbox was being made
                watch_files(self, self._most_files)

    def answer(self, seconds: float | None = None) -> Answer:
        """Its next answer. Raises TimeoutError if none comes in time, and ProcessEnded if none will come.

        The time that it takes to start is not counted.
        """
        self.greet(None if seconds is None else START)
        return self._object(seconds)

    def _object(self, seconds: float | None) -> Answer:
        try:
            answer = json.loads(self.receive(seconds))
        except (ValueError, RecursionError):  # from deeply nested lists
            answer = None
        if not isinstance(answer, dict):
            self.end()
            raise WrongAnswer(_("the process wrote a line that is not an answer"), self.errors)
        return answer


class Orders:
    """The orders that this process gets, and the way back for its answers. Several threads may answer."""

    def __init__(self, at_end: Callable[[], None] = lambda: None):
        """at_end is called, by a thread of its own, when the owner stops this process or has gone."""
        self._at_end = at_end
        self._leave = os._exit
        self._input, self._output = _own_streams()
        self._waiting: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._saying = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        self.say({"hello": True})

    def _read(self) -> None:
        for line in self._input:
            order = json.loads(line)
            if order.get("do") == "stop":
                break
            self._waiting.put(order)
        self._at_end()
        self._leave(0)

    def next(self) -> Answer:
        """The next order, as it was sent."""
        return self._waiting.get()

    def say(self, answer: Mapping[str, Any]) -> None:
        """Write an answer."""
        line = json.dumps(answer) + "\n"
        with self._saying:
            self._output.write(line)
            self._output.flush()

    def serve(self, functions: Mapping[str, Callable[..., Iterable[Answer]]]) -> NoReturn:
        """Obey every order: call the function that it names, and write the answers as they come."""
        while True:
            order = self.next()
            function = functions[order.pop("do")]
            with speaking(order.pop("language")):
                for answer in function(**order):
                    self.say(answer)


def _own_streams() -> tuple[Any, Any]:
    """The two pipes to the owner, separated from what users' files read and print."""
    orders, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return orders, answers
