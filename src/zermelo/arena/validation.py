"""Is what a student handed in fit to play? It is loaded, plays trial games, and is checked, all of it in the sandbox.

What cannot play is refused: a file that cannot be loaded, that makes illegal moves, crashes or takes too long. What is
merely wrong, such as a search with other values than minimax, plays all the same, and the student is told; the teacher
may insist that it is right (`insist` in arena.toml).
"""

import contextlib
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.calls import Call, call_of
from zermelo.check.asking import Checker
from zermelo.check.positions import sample
from zermelo.check.reports import ERROR, NOTE, WARNING, Report, Settings, likewise
from zermelo.errors import ZermeloError
from zermelo.files.neighbours import write_readable
from zermelo.games import find_game
from zermelo.games.sandboxed import INSIDE
from zermelo.language import _, gettext, marked, speaking
from zermelo.match import Record, reason_text
from zermelo.players import find_player
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.contestants import Contestant, Entry
from zermelo.tournaments.faults import FAULTS, PLACE, alike
from zermelo.tournaments.referee import Abandoned, Limits
from zermelo.tournaments.task import Roster, Task
from zermelo.tournaments.workers import Processes

VALID, REFUSED = "valid", "refused"

KINDS = ("player", "search", "heuristic")
"""What may be handed in. A file that contains several kinds counts as the first of these that is in it."""

NAMED = {
    "player": (marked("a player"), marked("players")),
    "search": (marked("a search"), marked("searches")),
    "heuristic": (marked("a heuristic"), marked("heuristics")),
}

RUNG = "rung"
"""The name of the opponent in the trial games."""

POSITIONS, POSITION_SECONDS = 24, 12.0
"""Positions in which it is asked for a move; fewer, if their moves would take more than so many seconds."""

CHECKED = 40
"""Positions on which `zermelo check` tries a heuristic."""

LONGEST_TRIAL = 300
"""Plies after which a trial game is broken off."""

MOST_TIMEOUTS = 1
"""So many moves may be late, because a machine sometimes pauses."""

MOST_FINDINGS, LONGEST_FINDING = 6, 1500
"""A student reads no more than that."""

_FILE = re.compile(r"(?P<file>[^\n:]{1,200}\.py):?\s+")


@dataclass(frozen=True)
class Terms:
    """What an arena asks of everything that is handed in."""

    game: str
    kinds: tuple[str, ...] = KINDS
    search: str = "alphabeta"  #: for heuristics
    budget: Mapping[str, int | float] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    weakest: str = "random"  #: the opponent in the trial games
    sandbox: SandboxLimits | None = field(default_factory=SandboxLimits)  #: None: files run with our rights
    seconds: float = 300.0  #: for everything together
    insist: bool = False  #: whether wrong values are refused, too
    language: str = "en"


@dataclass(frozen=True)
class Remark:
    """Something that the student should know."""

    level: str
    text: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What was found out about one submission."""

    state: str  #: valid or refused
    seconds: float  #: how long it took
    findings: tuple[Remark, ...] = ()
    kind: str = ""
    player: str = ""  #: the text of the player, as a plan of a tournament names it
    facts: Mapping[str, Any] = field(default_factory=dict)  #: moves, seconds for a move, points in the trial games

    @property
    def is_valid(self) -> bool:
        return self.state == VALID

    def as_report(self) -> dict[str, Any]:
        """The verdict in the form in which it is stored."""
        return {**asdict(self), "findings": [asdict(finding) for finding in self.findings]}

    @classmethod
    def of_report(cls, report: Mapping[str, Any]) -> "Verdict":
        """The verdict that was stored in this form."""
        return cls(**{**report, "findings": tuple(Remark(**finding) for finding in report["findings"])})


class _Refused(Exception):
    """It cannot play; the findings say why."""


class Validation:
    """The validation of one submission."""

    def __init__(self, name: str, file: str, texts: Mapping[str, str], terms: Terms):
        """name: the folder under which the files are known in tournaments, where files of others have the same names.

        file: the one that contains the player, among the texts.
        """
        self.name, self.file, self.texts, self.terms = name, file, dict(texts), terms
        self.findings: list[Remark] = []
        self.facts: dict[str, Any] = {}
        self.kind = self.player = ""
        self.is_refused = self.is_late = self.is_abandoned = False
        self.began = time.monotonic()
        self._late, self._done = threading.Event(), threading.Event()
        self._checker: Checker | None = None
        self._hall: Processes | None = None

    @property
    def sources(self) -> dict[str, dict[str, str]]:
        """The files as the plan of a tournament holds them."""
        return {f"{self.name}/{self.file}": self.texts}

    def run(self) -> Verdict:
        """Try everything, and say what was found. Raises Abandoned if another thread calls abandon()."""
        threading.Thread(target=self._watch, name="zermelo-validation", daemon=True).start()
        try:
            with (
                speaking(self.terms.language),
                tempfile.TemporaryDirectory(prefix="zermelo-arena-", ignore_cleanup_errors=True) as folder,
            ):
                write_readable(Path(folder), self.texts)
                settings = Settings(CHECKED, seconds=self.terms.limits.load_limit, game=self.terms.game)
                self._checker = Checker(Path(folder).resolve() / self.file, settings, self.terms.sandbox)
                with self._checker, contextlib.suppress(_Refused):
                    self._try(self._checker)
        finally:
            self._done.set()
            self._late.set()
        if self.is_abandoned:
            raise Abandoned
        return self._verdict()

    def abandon(self) -> None:
        """Break it off; another thread calls this."""
        self.is_abandoned = True
        self._late.set()

    def _watch(self) -> None:
        """When time is up, end whatever is under way, and whatever is still begun after that."""
        self._late.wait(self.terms.seconds)
        while not self._done.is_set():
            self.is_late = True
            process, hall = self._checker and self._checker.process, self._hall
            if process is not None:
                process.end()
            if hall is not None:
                hall.stop()
            self._done.wait(0.1)

    # -------------------------------------------------------------------------------- what is told

    def _tell(self, level: str, text: str) -> None:
        """Add a finding. If it begins with a place in a file, that is told apart."""
        folder = f"{self._checker.path.parent}/" if self._checker is not None else ""
        for before in (f"{self.name}/", folder, f"{INSIDE}/"):
            text = text.replace(before, "") if before else text
        place = PLACE.match(text)
        known = place or _FILE.match(text)
        text = text[known.end() :] if known is not None else text
        file, line = known["file"] if known is not None else None, int(place["line"]) if place is not None else None
        remark = Remark(level, text[:LONGEST_FINDING].strip(), file, line)
        if remark not in self.findings:
            self.findings.append(remark)

    def _refuse(self, text: str) -> "_Refused":
        self._tell(ERROR, text)
        self.is_refused = True
        return _Refused()

    def _verdict(self) -> Verdict:
        """What was found, the worst first."""
        order = [ERROR, WARNING, NOTE]
        findings = sorted(self.findings, key=lambda finding: order.index(finding.level))[:MOST_FINDINGS]
        seconds = round(time.monotonic() - self.began, 3)
        state = REFUSED if self.is_refused else VALID
        return Verdict(state, seconds, tuple(findings), self.kind, self.player, self.facts)

    # -------------------------------------------------------------------------------- what is tried

    def _try(self, checker: Checker) -> None:
        self.game = find_game(self.terms.game)
        self.kind, name = self._chosen(checker)
        self._play()
        report = checker.examined(self.kind, name, lambda what, done, of: None)
        if self.is_late:
            self._tell(NOTE, _("not all checks were finished, because there was no more time"))
        else:
            self._judge(report)

    def _chosen(self, checker: Checker) -> tuple[str, str]:
        """Load the file, and find out what plays: its kind and its name."""
        found = checker.whole_file()
        if self.is_late:
            raise self._too_late()
        if isinstance(found, Report):
            raise self._refuse(found.findings[0].text)
        names = {kind: [thing["name"] for thing in found if thing["kind"] == kind] for kind in KINDS}
        kind = next((kind for kind in KINDS if names[kind]), None)
        if kind is None:
            raise self._refuse(f"{self.file}: {_('it contains no heuristic, no search and no player')}")
        if kind not in self.terms.kinds:
            allowed = _(" or ").join(gettext(NAMED[one][0]) for one in KINDS if one in self.terms.kinds)
            text = _("it contains {kind}, but in this arena only {allowed} can be handed in")
            raise self._refuse(f"{self.file}: {text.format(kind=gettext(NAMED[kind][0]), allowed=allowed)}")
        if len(names[kind]) > 1:
            text = _("it contains {number} {kinds} ({names}); leave only the one that should play")
            told = text.format(
                number=len(names[kind]), kinds=gettext(NAMED[kind][1]), names=", ".join(names[kind][:10])
            )
            raise self._refuse(f"{self.file}: {told}")
        self._make_player(kind, names[kind][0], names["heuristic"])
        return kind, names[kind][0]

    def _make_player(self, kind: str, name: str, heuristics: list[str]) -> None:
        """A search plays with the only heuristic of its file, if there is just one; else with the game's usual one."""
        place = f"{self.name}/{self.file}"
        options: dict[str | int, Any] = {}
        if kind == "search" and len(heuristics) == 1:
            options["heuristic"] = f"{place}:{heuristics[0]}"
        entry = Entry(self.game, call_of(self.terms.search), self.terms.budget)
        try:
            self.player = entry.player_text(kind, Call(f"{place}:{name}", options))
        except ZermeloError as error:
            raise self._refuse(str(error)) from None

    def _too_late(self) -> "_Refused":
        text = _("it could not be tried within {seconds:g} seconds; does it take long to load or to compile?")
        return self._refuse(text.format(seconds=self.terms.seconds))

    # -------------------------------------------------------------------------------- games

    def _play(self) -> None:
        """Ask it for moves in positions from all parts of the game, and let it play two games."""
        rung = find_player(self.terms.weakest, self.game)
        rung.prepare(self.game)
        self._hall = Processes(1, Roster({RUNG: rung}), everyone=False)
        try:
            if self.is_late:
                raise self._too_late()
            games = [future.result() for future in [self._hall.submit(task) for task in self._tasks()]]
        except Abandoned:
            raise self._too_late() from None
        finally:
            self._hall.close()
        self._judge_games([Record.from_json(played.json) for played in games])

    def _tasks(self) -> Iterator[Task]:
        mine, rung, sources = Contestant(self.name, self.player), Contestant(RUNG, self.terms.weakest), self.sources
        seconds = self.terms.budget.get("seconds")
        number = POSITIONS if seconds is None else max(4, min(POSITIONS, int(POSITION_SECONDS / seconds)))
        one_move = _with_plies(self.terms.limits, 1)
        for index, position in enumerate(sample(self.game, number, 1)):
            yield Task(
                *(f"position {index}", False, self.terms.game, (mine, mine), str(position), 0, index),
                *(one_move, sources, self.terms.sandbox),
            )
        start, most = str(self.game.start()), _with_plies(self.terms.limits, LONGEST_TRIAL)
        for swapped, both in ((False, (mine, rung)), (True, (rung, mine))):
            yield Task("trial", swapped, self.terms.game, both, start, 0, 1, most, sources, self.terms.sandbox)

    def _judge_games(self, records: list[Record]) -> None:
        times = [seconds for record in records for seconds in self._times(record)]
        trials = records[-2:]
        if times:
            self.facts |= {
                "moves": len(times),
                "seconds": round(sum(times) / len(times), 6),
                "longest": round(max(times), 6),
            }
        self.facts["trial"] = sum(_points(record, self.name) for record in trials)
        faults = [record for record in records if record.reason.partition(":")[0] in FAULTS]
        mine = [record for record in faults if record.players[2 - (record.winner or 1)] == self.name]
        late = [record for record in mine if record.reason.startswith("timeout")]
        is_fit = len(mine) == len(late) <= MOST_TIMEOUTS
        groups: dict[tuple[str, str], list[Record]] = {}
        for record in mine:
            groups.setdefault(alike(record.reason), []).append(record)
        for (_kind, where), records in groups.items():
            self._tell_fault(records[0], len(records) - 1, where, WARNING if is_fit else ERROR)
        if not is_fit:
            self.is_refused = True
            raise _Refused

    def _times(self, record: Record) -> Iterator[float]:
        """How many seconds it took for each of its moves."""
        position = self.game.position(record.start)
        for move in record.moves:
            if record.players[position.to_move - 1] == self.name:
                yield move.seconds
            position = position.play(move.move)

    def _tell_fault(self, record: Record, others: int, where: str, level: str) -> None:
        """What it did wrong, at this place of its file, and in which position."""
        told = _("{fault}, in the position {position}").format(
            fault=reason_text(record.reason.replace(where, "", 1)), position=record.final_position()
        )
        told += likewise(others)
        if "MemoryError" in record.reason and self.terms.sandbox is not None:
            told += "\n" + _("It may use {memory} MiB of memory.").format(memory=self.terms.sandbox.memory >> 20)
        self._tell(level, f"{where}{told}")

    # -------------------------------------------------------------------------------- zermelo check

    def _judge(self, report: Report) -> None:
        """What `zermelo check` found. A heuristic or a player that fails cannot play; a search has just played."""
        for finding in report.findings:
            if finding.what == "other":
                raise self._refuse(f"{self.file}: {finding.text}")
            is_wrong = finding.level == ERROR
            cannot_play = is_wrong and self.kind != "search"
            if cannot_play or (is_wrong and self.terms.insist):
                self.is_refused = True
            level = finding.level if cannot_play or self.is_refused or not is_wrong else WARNING
            self._tell(level, finding.text)
        self.facts |= {key: report.facts[key] for key in ("compiled", "compile_seconds") if key in report.facts}


def _with_plies(limits: Limits, most: int) -> Limits:
    fewer = most if limits.most_plies is None else min(most, limits.most_plies)
    return Limits(**{**asdict(limits), "most_plies": fewer})


def _points(record: Record, name: str) -> float:
    return record.score if record.players[0] == name else 1 - record.score
