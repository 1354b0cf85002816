"""What a student handed in, as the teacher's process sees it: cases go in, answers come back, and none is believed.

The file runs in a process of its own (student.py), in a sandbox if there is one. A case that hangs or ends the process
counts as a failure, and the process is started again for the next one.
"""

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.core import JIT
from zermelo.core.cache import code_of_ours
from zermelo.errors import FileError, ResourceError
from zermelo.games.sandboxed import INSIDE, sandbox_with
from zermelo.language import _, language
from zermelo.marking.rubric import Rubric
from zermelo.processes.jobs import ask
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import START, OwnProcess
from zermelo.processes.sandbox import OtherUser, SandboxLimits

MOST_DEATHS = 2
"""After so many cases that hang or end the process, the others count as failures without being tried."""
LOADING = 60.0
"""Seconds for compiling, which counts as ours."""
LONGEST_ANSWER = 1 << 22
SECRETS = ("ZERMELO_SECRET",)
"""Variables of the environment that the process does not get, even without a sandbox."""
LONGEST_TEXT = 3000

Tell = Callable[[int, int], None]
"""Told how many cases are done, and of how many."""

Answer = dict[str, Any]

SANDBOX, USER, PLAIN = "sandbox", "user", "plain"
"""The processes in which work can run: in a sandbox, as another user, or with all our rights."""


@dataclass(frozen=True)
class Place:
    """Where work is marked, and which files it must not see."""

    kind: str = SANDBOX
    hidden: tuple[Path, ...] = ()


class Broken(Exception):
    """The work cannot be marked at all: it gets no points, and the text says why."""


def work_in(path: Path, rubric: Rubric) -> Path:
    """The file that is marked: the work itself, the file that the rubric names, or the only Python file of a folder."""
    if path.is_file():
        return path
    if rubric.file is not None and (path / rubric.file).is_file():
        return path / rubric.file
    inside = sorted(file for file in path.glob("*.py") if not file.name.startswith("_")) if path.is_dir() else []
    if len(inside) != 1:
        raise (
            FileError("{path}: there is no file to mark", path=path)
            if not inside
            else FileError(
                "{path}: there are several files ({names}); name one of them",
                path=path,
                names=", ".join(file.name for file in inside),
            )
        )
    return inside[0]


class Submission:
    """One student's work, and the process in which it runs."""

    def __init__(self, path: Path, rubric: Rubric, place: Place, function: str | None = None):
        if path.is_symlink():
            raise FileError("{path}: this is a link to another file, and is not marked", path=path)
        self.path, self.rubric, self.place = path.resolve(), rubric, place
        self.file = work_in(self.path, rubric)
        self.function = function or rubric.function
        self.process: OwnProcess | None = None
        self.copy: tempfile.TemporaryDirectory[str] | None = None
        self.deaths = 0
        self.name, self.takes_window, self.takes_depth = "", False, True

    def __enter__(self) -> "Submission":
        try:
            self.begin()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove what was copied for it."""
        self.end()
        if self.copy is not None:
            self.copy.cleanup()

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process = None

    # -------------------------------------------------------------------------------- the process

    def begin(self) -> None:
        """Start the process and load the file there. Broken if that is not possible."""
        folder = {SANDBOX: lambda: Path(INSIDE), USER: self._copied, PLAIN: lambda: self.file.parent}[self.place.kind]()
        file = str(folder / self.file.name)
        try:
            self.process = self._started()
        except OSError as error:
            raise ResourceError("a process cannot be started: {error}", error=error) from None
        try:
            self.process.greet()
        except (TimeoutError, ProcessEnded) as error:
            raise ResourceError(
                "the process for students' files did not start: {error}",
                error=f"{error}\n{getattr(error, 'errors', '')}".strip(),
            ) from None
        job = {"do": "load", "file": file, "kind": self.rubric.kind, "function": self.function}
        try:
            answer = ask(self.process, job, lambda: self.rubric.seconds)
        except TimeoutError:
            self.end()
            raise Broken(
                _("loading the file took more than {seconds:g} seconds; is there an endless loop in it?").format(
                    seconds=self.rubric.seconds
                )
            ) from None
        except ProcessEnded as error:
            self.end()
            raise Broken(_("loading the file ended its process: {reason}").format(reason=_ending(error))) from None
        if "fault" in answer:
            self.end()
            raise Broken(self.readable(answer["fault"]))
        told = answer.get("done")
        loaded: Answer = told if isinstance(told, dict) else {}
        self.name = str(loaded.get("name", ""))[:100]
        self.takes_window = loaded.get("window") is True
        self.takes_depth = loaded.get("depth") is not False

    def _started(self) -> OwnProcess:
        module = "zermelo.marking.student"
        is_plain = not JIT or (self.rubric.kind == "search" and not self.rubric.compiled)
        plain = {"NUMBA_DISABLE_JIT": "1"} if is_plain else {}
        if self.place.kind == PLAIN:
            kept = {name: value for name, value in os.environ.items() if name not in SECRETS}
            return OwnProcess(module, longest=LONGEST_ANSWER, environment=kept | plain)
        copied = self._copied()
        box = sandbox_with(SandboxLimits(), {copied: INSIDE}, hidden=self.place.hidden, is_plain=is_plain)
        environment = {"ZERMELO_LANG": language()}
        if self.place.kind == SANDBOX:
            return OwnProcess(module, longest=LONGEST_ANSWER, environment=environment, sandbox=box)
        code = None if is_plain else code_of_ours()  # it has no other place there
        environment |= {**box.environment, "ZERMELO_CACHE_DIR": "/nowhere", "ZERMELO_DATA_DIR": "/nowhere"}
        environment |= {"ZERMELO_CACHE_BELOW": str(code)} if code is not None else {}
        return OwnProcess(module, longest=LONGEST_ANSWER, environment=environment, sandbox=OtherUser())

    def _copied(self) -> Path:
        """A copy of the work that the user inside can read, whoever owns the original. Hidden files are left out."""
        if self.copy is None:
            self.copy = tempfile.TemporaryDirectory(prefix="zermelo-work-", ignore_cleanup_errors=True)
            folder = Path(self.copy.name)
            folder.chmod(0o755)
            found = [self.file] if self.path.is_file() else sorted(self.path.rglob("*"))
            for one in found:
                at = folder / one.relative_to(self.file.parent if self.path.is_file() else self.path)
                if one.is_dir() and not one.is_symlink():
                    at.mkdir(exist_ok=True)
                elif one.is_file() and not one.is_symlink() and one.resolve() not in self.place.hidden:
                    shutil.copyfile(one, at)
                    at.chmod(0o644)
        return Path(self.copy.name)

    def readable(self, text: object) -> str:
        """A text from the process, in which the file has the name that the teacher knows."""
        told = text if isinstance(text, str) else _("its process gave a wrong answer")
        for folder in (INSIDE, str(self.file.parent), *([self.copy.name] if self.copy is not None else [])):
            told = told.replace(f"{folder}/", "")
        return told[:LONGEST_TEXT]

    # -------------------------------------------------------------------------------- cases

    def answers(self, do: str, cases: Sequence[Any], tell: Tell = lambda done, of: None, **more: Any) -> list[Answer]:
        """The answers to cases, one for each: an object, in which a `fault` is a text."""
        found: list[Answer] = []
        while len(found) < len(cases):
            if self.deaths >= MOST_DEATHS:
                text = _("it was not tried, because {number} cases before it never ended or ended the process")
                found += [{"fault": text.format(number=MOST_DEATHS)}] * (len(cases) - len(found))
                break
            if self.process is None:
                try:
                    self.begin()
                except Broken as error:  # it could be loaded before
                    self.deaths = MOST_DEATHS
                    found.append({"fault": str(error)})
                    continue
            self._ask(do, cases[len(found) :], found, tell, more)
        return found[: len(cases)]

    def _ask(self, do: str, cases: Sequence[Any], found: list[Answer], tell: Tell, more: Answer) -> None:
        """Add the answers to these cases, up to the first that kills the process."""
        assert self.process is not None
        before = len(found)

        def take(part: Any) -> None:
            found.append(self._answer(part))
            if len(found) - before > len(cases):
                raise ProcessEnded(_("its process gave a wrong answer"))
            tell(len(found), before + len(cases))

        try:
            answer = ask(self.process, {"do": do, "cases": list(cases), **more}, self._limit, take)
            if "fault" in answer:
                found += [{"fault": self.readable(answer["fault"])}] * (len(cases) - (len(found) - before))
            elif len(found) - before < len(cases):
                raise ProcessEnded(_("its process gave a wrong answer"))
        except TimeoutError:
            text = _("it did not answer within {seconds:g} seconds; is there an endless loop in it?")
            found.append({"fault": text.format(seconds=self.rubric.seconds)})
            self._died()
        except ProcessEnded as error:
            found.append({"fault": _("it ended its process: {reason}").format(reason=_ending(error))})
            self._died()

    def _limit(self) -> float:
        """Seconds for the next answer. What is compiled first is mostly ours."""
        return self.rubric.seconds + (LOADING if self.rubric.kind == "heuristic" or self.rubric.compiled else 0.0)

    def _died(self) -> None:
        self.deaths += 1
        self.end()

    def _answer(self, part: Any) -> Answer:
        if not isinstance(part, dict):
            return {"fault": _("its process gave a wrong answer")}
        fault = part.get("fault")
        return part if fault is None else {**part, "fault": self.readable(fault)}

    def job(self, do: str, **more: Any) -> Answer:
        """The result of a job that has no cases."""
        if self.process is None:
            self.begin()
        assert self.process is not None
        try:
            answer = ask(self.process, {"do": do, **more}, lambda: self.rubric.seconds + START)
        except TimeoutError:
            self._died()
            return {"fault": _("it did not answer; is there an endless loop in it?")}
        except ProcessEnded as error:
            self._died()
            return {"fault": _("it ended its process: {reason}").format(reason=_ending(error))}
        if "fault" in answer:
            return {"fault": self.readable(answer["fault"])}
        done = answer.get("done")
        return done if isinstance(done, dict) else {"fault": _("its process gave a wrong answer")}


def number(value: Any) -> float | None:
    """A number from a process that is not trusted; None if it is none."""
    is_one = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_one and abs(value) < 1e300 and not math.isnan(value) else None


def _ending(error: ProcessEnded) -> str:
    """How a process ended, with the last line that it printed."""
    lines = [line.strip() for line in error.errors.splitlines() if line.strip()]
    return f"{error} ({lines[-1][:300]})" if lines else str(error)
