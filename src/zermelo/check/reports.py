"""What a check says about one thing in a file: facts for programs, sentences for people, and what is wrong."""

import dataclasses
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.language import ngettext

ERROR, WARNING, NOTE = "error", "warning", "note"
"""How serious a finding is. Only an error makes a thing wrong; a warning is worth a look."""


@dataclass(frozen=True)
class Settings:
    """How thoroughly things are tried."""

    positions: int = 100  #: the number of positions
    seed: int = 1  #: of the random generator that makes them
    seconds: float = 30.0  #: the time limit for loading the file, for compiling, and for each position
    game: str | None = None  #: the game whose positions they are; None: the first one that fits
    is_quick: bool = False  #: only find out whether it works at all


@dataclass(frozen=True)
class Finding:
    """One thing that a check has found out."""

    level: str
    what: str  #: one word for programs, such as `fails`
    text: str  #: for people, in their language
    position: str | None = None


@dataclass
class Report:
    """All that was found out about one thing: a heuristic, a game, or a whole file that cannot be used."""

    kind: str
    name: str
    about: str = ""  #: a few words after its name, such as the game and the number of positions
    facts: dict[str, Any] = field(default_factory=dict)  #: for programs
    lines: list[str] = field(default_factory=list)  #: what is good to know, for people
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Has no error been found?"""
        return not any(finding.level == ERROR for finding in self.findings)

    def found(self, level: str, what: str, text: object, position: str | None = None) -> None:
        """Add a finding."""
        self.findings.append(Finding(level, what, str(text), position))

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        found = [{key: v for key, v in dataclasses.asdict(f).items() if v is not None} for f in self.findings]
        return {"kind": self.kind, "name": self.name, "right": self.is_right, **self.facts, "findings": found}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Report":
        """The report that a process sent, as dataclasses.asdict makes it."""
        return cls(**{**data, "findings": [Finding(**finding) for finding in data["findings"]]})


OURS = "ours"
"""A step that runs mostly code of ours, which may have to be compiled first, so that it gets more time."""


@dataclass(frozen=True)
class Step:
    """Where a check has arrived; it is sent before the step is done, so that one which never ends is known."""

    done: int
    of: int
    what: str  #: `compile`, `position`, or OURS
    position: str | None = None
    game: str | None = None  #: the game of that position, if it is not the one of the settings


Examination = Generator[Step, None, Report]


def likewise(others: int) -> str:
    """What to add to the text of a finding if the same was found in so many other positions."""
    if not others:
        return ""
    more = ngettext("and likewise in {number} other position", "and likewise in {number} other positions", others)
    return f" ({more.format(number=others)})"
