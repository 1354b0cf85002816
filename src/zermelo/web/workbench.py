"""The processes in which code of the workshop runs. None may run for ever, and all can be stopped.

A check has a process of its own, so that nothing of an earlier version is left. A player or an analysis keeps its
process from one job to the next. One process is always kept ready, which saves the two seconds that it takes to start.
"""

import atexit
import contextlib
import dataclasses
import hashlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.core.clock import run_stoppable
from zermelo.errors import HeuristicError, PlayerError
from zermelo.games.sandboxed import INSIDE, sandbox_with
from zermelo.language import _
from zermelo.players.player import Choice, Player
from zermelo.position import Position
from zermelo.processes.jobs import Take, ask
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess
from zermelo.processes.sandbox import SandboxLimits
from zermelo.scores import Score
from zermelo.web.positions import usual_game

CHECK_SECONDS = 60.0
MOVE_SECONDS = 30.0
COMPILE_SECONDS = 30.0  # in addition, because the first job of a process compiles
MOST_CHECKS = 3
MOST_PLAYERS = 4
IDLE_SECONDS = 300.0


class Closing(HeuristicError):
    """The lab is closing."""


class TooMany(HeuristicError):
    """The lab does not allow more checks at once."""

    http_status = 409


class Workbench:
    """The processes of one workshop folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.lock = threading.RLock()
        self.spare: OwnProcess | None = None
        self.checking: set[OwnProcess] = set()
        self.players: dict[str, tuple[OwnProcess, float]] = {}  # idle processes by their keys, and since when
        self.is_closed = False
        atexit.register(self.close)

    def _start(self) -> OwnProcess:
        self.folder.mkdir(parents=True, exist_ok=True)
        limits = _boxed.get(self.folder)
        box = None
        if limits is not None:
            box = dataclasses.replace(sandbox_with(limits, {self.folder: INSIDE}), folder=INSIDE)
        return OwnProcess("zermelo.web.workbench_process", self.folder, sandbox=box)

    def warm_up(self) -> None:
        """Have a process ready."""
        with self.lock:
            if not self.is_closed and (self.spare is None or self.spare.is_over):
                self.spare = self._start()

    def _take(self) -> OwnProcess:
        with self.lock:
            if self.is_closed:
                raise Closing("the lab is closing")
            process, self.spare = self.spare, None
        return process if process is not None and not process.is_over else self._start()

    # -------------------------------------------------------------------------------- checking

    def check(self, file: str, game: str = "", seconds: float = CHECK_SECONDS) -> dict[str, Any]:
        """Compile and try what is in a file, searches in this game. The answer is {"done": ...} or {"fault": ...}."""
        with self.lock:
            if len(self.checking) >= MOST_CHECKS:
                raise TooMany(
                    "{number} files are being compiled already; wait until one is done, or stop them",
                    number=MOST_CHECKS,
                )
            process = self._take()
            self.checking.add(process)
        try:
            return ask(process, {"do": "check", "file": file, "game": game or usual_game().name}, lambda: seconds)
        except TimeoutError:
            return _fault(
                _(
                    "it did not finish within {seconds:g} seconds and was stopped; does it contain an endless loop?"
                ).format(seconds=seconds)
            )
        except ProcessEnded as error:
            if process not in self.checking:
                return _fault(_("stopped"))
            return _fault(_("it crashed: {error}").format(error=error) + _last_line(error.errors))
        finally:
            with self.lock:
                self.checking.discard(process)
            process.kill()
            threading.Thread(target=self.warm_up, daemon=True).start()

    def stop(self) -> int:
        """End all running checks, and answer how many there were."""
        with self.lock:
            stopped, self.checking = self.checking, set()
        for process in stopped:
            process.process.kill()
        return len(stopped)

    # -------------------------------------------------------------------------------- playing

    def ask(self, key: str, question: dict[str, Any], seconds: float, take: Take = lambda part: None) -> dict[str, Any]:
        """Let a process answer a question, with a time limit for each line. The key names its code and the version."""
        with self.lock:
            process, _ = self.players.pop(key, (None, 0.0))
        if process is None or process.is_over:
            process = self._take()
        try:
            answer = run_stoppable(lambda: ask(process, question, lambda: seconds, take), process.process.kill)
        except BaseException:
            process.kill()
            raise
        self._put_back(key, process)
        return answer

    def _put_back(self, key: str, process: OwnProcess) -> None:
        now = time.monotonic()
        with self.lock:
            self.players[key] = (process, now)
            idle = [k for k, (_, since) in self.players.items() if now - since > IDLE_SECONDS]
            surplus = list(self.players)[: max(0, len(self.players) - MOST_PLAYERS)]
            ended = [self.players.pop(k)[0] for k in dict.fromkeys([*idle, *surplus])]
        for old in ended:
            old.kill()

    def close(self) -> None:
        """End all processes."""
        with self.lock:
            self.is_closed = True
            processes = [*self.checking, *(process for process, _ in self.players.values())]
            if self.spare is not None:
                processes.append(self.spare)
            self.spare, self.players = None, {}
        for process in processes:
            with contextlib.suppress(OSError):
                process.kill()
        atexit.unregister(self.close)


def _fault(text: str) -> dict[str, Any]:
    return {"fault": {"line": None, "text": text, "heuristic": None}}


def _last_line(errors: str) -> str:
    lines = [line for line in errors.strip().splitlines() if line.strip()]
    return f"\n{lines[-1]}" if lines else ""


_benches: dict[Path, Workbench] = {}
_boxed: dict[Path, SandboxLimits] = {}  # folders whose code runs in a sandbox
_making = threading.Lock()


def use_sandbox(folder: Path, limits: SandboxLimits | None) -> None:
    """From now on, run the code of this folder in a sandbox with these limits; None: with our own rights."""
    if limits is None:
        _boxed.pop(folder, None)
    else:
        _boxed[folder] = limits


def workbench(folder: Path) -> Workbench:
    """The workbench of a folder, which is made when it is first needed."""
    with _making:
        bench = _benches.get(folder)
        if bench is None or bench.is_closed:
            bench = _benches[folder] = Workbench(folder)
        return bench


def place_of(position: Position) -> dict[str, Any]:
    """A position in the form that jobs have."""
    return {"game": str(position.game), "start": str(position.path[0]), "line": list(position.line)}


@dataclass(frozen=True)
class Own:
    """Code of the workshop in its present version, and the heuristic or player, as text, that uses it."""

    text: str
    folder: Path
    version: str

    @classmethod
    def of(cls, text: str, folder: Path, files: list[str]) -> "Own":
        """The code that a text uses, given the files that it names."""
        digest = hashlib.sha256()
        for file in files:
            try:
                digest.update((folder / file).read_bytes())
            except OSError:
                raise PlayerError("the workshop has no file {file}", file=file) from None
        return cls(text, folder, digest.hexdigest()[:16])

    def ask(self, job: dict[str, Any], seconds: float, take: Take = lambda part: None) -> Any:
        """The answer of its process to a job that takes these seconds. `take` gets the parts before the end.

        A player has a process of its own, in which it may remember a game. Other jobs share one.
        """
        patience = seconds + COMPILE_SECONDS
        key = f"{self.text} {self.version}" if job["do"] == "move" else self.version
        try:
            answer = workbench(self.folder).ask(key, job, patience, take)
        except TimeoutError:
            raise PlayerError(
                "{text} did not answer within {seconds:g} seconds and was stopped", text=self.text, seconds=patience
            ) from None
        except ProcessEnded as error:
            raise PlayerError(
                "{text} crashed, or was stopped: {error}{last_line}",
                text=self.text,
                error=error,
                last_line=_last_line(error.errors),
            ) from None
        if "fault" in answer:
            raise PlayerError(f"{self.text}: {answer['fault']['text']}")
        return answer["done"]


@dataclass(frozen=True)
class WorkshopPlayer(Player):
    """A player that was written in the workshop, or its search or heuristic. It thinks in a process of its own."""

    own: Own
    seconds: float = MOVE_SECONDS
    kind: ClassVar[str] = "workshop"

    def think(self, position: Position) -> Choice:
        job = place_of(position) | {"do": "move", "player": self.own.text, "seconds": self.seconds}
        said = self.own.ask(job, MOVE_SECONDS)
        score = None if said["score"] is None else Score.of_number(said["score"], position.to_move)
        return Choice(said["move"], said["seconds"], score, tuple(said["line"]), said["depth"], said["nodes"])

    def __str__(self) -> str:
        return self.own.text
