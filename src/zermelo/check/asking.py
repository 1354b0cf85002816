"""Checks as commands order them. Each file runs in a process of its own (see process.py), which cannot hang us."""

import dataclasses
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.check.reports import ERROR, OURS, Report, Settings
from zermelo.errors import FileError, HeuristicError, ResourceError
from zermelo.files.checked import checked
from zermelo.files.neighbours import with_neighbours, write_readable
from zermelo.games import nothing_called
from zermelo.games.sandboxed import INSIDE, limits_of, sandbox_with
from zermelo.language import _
from zermelo.processes.jobs import ask
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import START, OwnProcess
from zermelo.processes.sandbox import Sandbox, SandboxLimits

LONGEST_ANSWER = 1 << 22
"""Maximum length of an answer in bytes."""

KINDS = ("heuristic", "search", "player", "game")

LONGEST_TEXT, MOST_TEXTS = 20_000, 1000
"""How much is kept of what a process says."""

Tell = Callable[[str, int, int], None]
"""Told of every step: what is being checked, how many of its steps are done, and of how many."""


class Checker:
    """The process for one file, which is started again if the file's code hangs or ends it."""

    def __init__(self, path: Path, settings: Settings, sandbox: SandboxLimits | None = None):
        """sandbox: the limits of a sandbox in which the process runs, and sees only this file and what it imports."""
        self.path, self.settings, self.sandbox = path, settings, sandbox
        self.copy: tempfile.TemporaryDirectory[str] | None = None
        self.process: OwnProcess | None = None
        self.step: dict[str, Any] = {}

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
        if self.copy is not None:
            self.copy.cleanup()

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process = None

    def ask(self, job: dict[str, Any], tell: Callable[[Any], None] = lambda part: None) -> Any:
        """The result of a job. TimeoutError, ProcessEnded or HeuristicError say why there is none."""
        if self.process is None:
            try:
                self.process = OwnProcess("zermelo.check.process", longest=LONGEST_ANSWER, sandbox=self._box())
            except OSError as error:
                raise ResourceError("a process cannot be started: {error}", error=error) from None
            self.process.greet()

        def limit() -> float:
            return self.settings.seconds + START * (self.step.get("what") == OURS)

        answer = ask(self.process, {**job, "file": self._inner_path()}, limit, tell)
        if "fault" in answer:
            raise HeuristicError(self._readable(answer["fault"]))
        return answer.get("done")

    def _readable(self, value: Any) -> str:
        """A text that the process sent, in which the files have the paths that they have here."""
        text = value if isinstance(value, str) else _("its process gave a wrong answer")
        if self.sandbox is not None:
            text = text.replace(f"{INSIDE}/", f"{self.path.parent}{os.sep}")
        return text[:LONGEST_TEXT]

    def _box(self) -> Sandbox | None:
        if self.sandbox is None:
            return None
        if self.copy is None:  # whoever owns the originals, the user inside can read these
            self.copy = tempfile.TemporaryDirectory(prefix="zermelo-check-", ignore_cleanup_errors=True)
            write_readable(Path(self.copy.name), with_neighbours(self.path, follow=False))
        return sandbox_with(self.sandbox, {Path(self.copy.name): INSIDE}, self.settings.game)

    def _inner_path(self) -> str:
        return str(self.path) if self.sandbox is None else f"{INSIDE}/{self.path.name}"

    def place(self, name: str | None, position: str | None) -> str:
        """The first line of a message about code that hangs: its file, line and source, as far as they are known."""
        self.end()
        game = self.step.get("game") or self.settings.game
        self.step = {}
        try:
            found = self.ask({"do": "where", "name": name, "game": game, "position": position})
        except (TimeoutError, ProcessEnded, HeuristicError):
            found = None
        self.end()
        if not (isinstance(found, list) and len(found) == 3):
            return str(self.path)
        return self._readable(f"{found[0]}:{found[1]}: {found[2]}")

    def whole_file(self) -> list[dict[str, str]] | Report:
        """What the file contains; a report if it cannot even be loaded."""
        report, self.step = Report("file", self.path.name), {}
        try:
            found = _things(self.ask({"do": "find"}))
        except (HeuristicError, FileError) as error:
            report.found(ERROR, "load", error)
        except TimeoutError:
            report.found(ERROR, "endless", f"{self.place(None, None)}\n    {self._too_long()}")
        except ProcessEnded as error:
            report.found(ERROR, "crash", f"{self.path}\n    {_crash(error)}")
            self.end()
        else:
            if found:
                return found
            text = _("there is no heuristic in this file; write @z.heuristic above a function that takes a board")
            report.found(ERROR, "empty", f"{self.path}: {text}")
        return report

    def examined(self, kind: str, name: str, tell: Tell) -> Report:
        """The report about one thing."""

        def taken(step: Any) -> None:
            self.step = _step(step)
            tell(name, self.step["done"], self.step["of"])

        self.step = {}
        report = Report(kind, name)
        settings = dataclasses.asdict(self.settings)
        try:
            told = self.ask({"do": "examine", "kind": kind, "name": name, "settings": settings}, taken)
            return _report(kind, name, told, self._readable)
        except HeuristicError as error:
            report.found(ERROR, "fails", error)
        except TimeoutError:
            position = self.step.get("position")
            text = f"{self.place(name, position)}\n    {self._too_long(name, position)}"
            report.found(ERROR, "endless", text, position)
        except ProcessEnded as error:
            position = self.step.get("position")
            text = _("{name} ended its process in the position {position}: {reason}") if position else "{reason}"
            told = text.format(name=name, position=position, reason=_crash(error))
            report.found(ERROR, "crash", f"{self.path}\n    {told}", position)
            self.end()
        return report

    def reports(self, name: str | None = None, tell: Tell = lambda what, done, of: None) -> Iterator[Report]:
        """A report about each thing in the file, or about the one of this name."""
        found = self.whole_file()
        if isinstance(found, Report):
            yield found
            return
        wanted = [thing for thing in found if name in (None, thing["name"])]
        if not wanted:
            raise nothing_called(name or "", str(self.path), [(thing["name"], thing["kind"]) for thing in found])
        for thing in wanted:
            yield self.examined(thing["kind"], thing["name"], tell)

    def _too_long(self, name: str | None = None, position: str | None = None) -> str:
        if position is None:
            text = _("it did not finish within {seconds:g} seconds and was stopped; does it contain an endless loop?")
        else:
            text = _(
                "{name} did not finish within {seconds:g} seconds in the position {position} and was stopped; "
                "does it contain an endless loop?"
            )
        return text.format(name=name, seconds=self.settings.seconds, position=position)


# ------------------------------------------------------------------------ answers of a process that nobody vouches for


def _wrong() -> ProcessEnded:
    return ProcessEnded(_("its process gave a wrong answer"))


def _things(told: Any) -> list[dict[str, str]]:
    """The things that a file contains. Their names may become names of files, so they must be names in Python."""
    if not isinstance(told, list) or len(told) > MOST_TEXTS:
        raise _wrong()
    for thing in told:
        fits = isinstance(thing, dict) and thing.keys() == {"kind", "name"} and thing["kind"] in KINDS
        if not (fits and isinstance(thing["name"], str) and thing["name"].isidentifier()):
            raise _wrong()
    return told


def _step(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict) or not all(type(told.get(name)) is int for name in ("done", "of")):
        raise _wrong()
    texts = {name: told.get(name) for name in ("what", "position", "game")}
    if not all(value is None or (isinstance(value, str) and len(value) < LONGEST_TEXT) for value in texts.values()):
        raise _wrong()
    return {"done": told["done"], "of": told["of"], **texts}


def _report(kind: str, name: str, told: Any, readable: Callable[[Any], str]) -> Report:
    """The report that a process sent, about the thing that it was asked about."""
    try:
        report = checked(Report.of({**told, "kind": kind, "name": name}))
        findings = [checked(finding) for finding in report.findings[:MOST_TEXTS]]
        report.findings = [dataclasses.replace(one, text=readable(one.text)) for one in findings]
        report.lines = [readable(line) for line in report.lines[:MOST_TEXTS]]
        report.about = readable(report.about)
        if not isinstance(report.facts.get("tree", ""), str) or type(report.facts.get("depth", 0)) is not int:
            raise _wrong()
    except (TypeError, ValueError, KeyError, AttributeError, FileError):
        raise _wrong() from None
    return report


def _crash(error: ProcessEnded) -> str:
    """How a process ended, with the last line that it printed."""
    lines = [line.strip() for line in error.errors.splitlines() if line.strip()]
    return f"{error} ({lines[-1]})" if lines else str(error)


def user_file(text: str) -> Path:
    """The file of this name, which must exist."""
    path = Path(text).expanduser()
    if not path.is_file():
        raise FileError("there is no file {path}", path=path)
    return path


def check_file(
    path: Path,
    settings: Settings,
    name: str | None = None,
    tell: Tell = lambda what, done, of: None,
    sandbox: bool | SandboxLimits = False,
) -> Iterator[Report]:
    """A report about each thing in a file, or about the one of this name. sandbox: run the file's code in one."""
    with Checker(path.resolve(), settings, limits_of(sandbox)) as checker:
        yield from checker.reports(name, tell)
