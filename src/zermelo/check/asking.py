"""Checks as commands order them. Each file runs in a process of its own (see process.py), which cannot hang us."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.check.reports import ERROR, OURS, Report, Settings
from zermelo.errors import FileError, HeuristicError, ResourceError
from zermelo.games import nothing_called
from zermelo.language import _
from zermelo.processes.jobs import ask
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import START, OwnProcess

Tell = Callable[[str, int, int], None]
"""Told of every step: what is being checked, how many of its steps are done, and of how many."""


class Checker:
    """The process for one file, which is started again if the file's code hangs or ends it."""

    def __init__(self, path: Path, settings: Settings):
        self.path, self.settings = path, settings
        self.process: OwnProcess | None = None
        self.step: dict[str, Any] = {}

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process = None

    def ask(self, job: dict[str, Any], tell: Callable[[Any], None] = lambda part: None) -> Any:
        """The result of a job. TimeoutError, ProcessEnded or HeuristicError say why there is none."""
        if self.process is None:
            try:
                self.process = OwnProcess("zermelo.check.process")
            except OSError as error:
                raise ResourceError("a process cannot be started: {error}", error=error) from None
            self.process.greet()

        def limit() -> float:
            return self.settings.seconds + START * (self.step.get("what") == OURS)

        answer = ask(self.process, {**job, "file": str(self.path)}, limit, tell)
        if "fault" in answer:
            raise HeuristicError(answer["fault"])
        return answer["done"]

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
        return f"{found[0]}:{found[1]}: {found[2]}" if found else str(self.path)

    def whole_file(self) -> list[dict[str, str]] | Report:
        """What the file contains; a report if it cannot even be loaded."""
        report, self.step = Report("file", self.path.name), {}
        try:
            found: list[dict[str, str]] = self.ask({"do": "find"})
        except HeuristicError as error:
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

        def taken(step: dict[str, Any]) -> None:
            self.step = step
            tell(name, step["done"], step["of"])

        self.step = {}
        report = Report(kind, name)
        settings = dataclasses.asdict(self.settings)
        try:
            return Report.of(self.ask({"do": "examine", "kind": kind, "name": name, "settings": settings}, taken))
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
    path: Path, settings: Settings, name: str | None = None, tell: Tell = lambda what, done, of: None
) -> Iterator[Report]:
    """A report about each thing in a file, or about the one of this name."""
    with Checker(path.resolve(), settings) as checker:
        yield from checker.reports(name, tell)
