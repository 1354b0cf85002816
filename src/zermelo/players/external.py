"""Other programs as players: what they share, and those that speak our lines of JSON.

Programs that speak GTP are in gtp.py, and those that speak the NBoard protocol in nboard.py. See also
docs/how-to/connect-an-engine.md.
"""

import json
import math
import shlex
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.errors import PlayerError
from zermelo.files.whole import BAD_JSON
from zermelo.language import _
from zermelo.players.outside import Conversation, OutsidePlayer
from zermelo.players.player import Choice, Crashed, Fault, NoAnswer, Resigned, WrongAnswer
from zermelo.position import Game, Position
from zermelo.processes.lines import LineProcess, LineTooLong, ProcessEnded
from zermelo.scores import Score

PROTOCOL = 1
LATE = 5.0
"""Seconds that a process may take beyond its time for a move."""
LONGEST_LINE = 1 << 16
"""Maximum length of a line that it may write, in bytes."""
SHOWN = 200
"""Number of characters of an answer that an error shows."""
KEPT_ERRORS = 4000
"""Number of characters of its standard error that go into a record."""


@dataclass(frozen=True)
class ExternalPlayer(OutsidePlayer):
    """What all other programs share: a command, and how long to wait for an answer."""

    command: str = ""
    seconds: float | None = None  #: time for a move, in seconds; the program is told
    patience: float = 60.0  #: seconds to wait for an answer if there is no time for a move

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) or not self.command.strip():
            raise PlayerError(
                '{kind}: the command is missing, as in {kind}(command="python3 engine.py")', kind=self.kind
            )
        self._check_times()

    @property
    def who(self) -> str:
        return self.command

    @property
    def _wait(self) -> float:
        return self.patience if self.seconds is None else self.seconds + LATE

    def prepare(self, game: Game) -> None:
        with self._talking():
            pass

    def _fault(self, error: BaseException, talk: Conversation) -> Fault | None:
        """What the program did wrong, if this error is its fault."""
        if isinstance(error, LineTooLong):
            return WrongAnswer(str(error), self.command)
        if isinstance(error, ProcessEnded):
            return Crashed(str(error), self.command, error.errors[-KEPT_ERRORS:])
        if isinstance(error, Fault):
            return type(error)(error.fault, self.command)
        if isinstance(error, TimeoutError):
            return NoAnswer(str(error) + talk.excuse, self.command)
        return None

    def _start(self) -> LineProcess:
        try:
            return LineProcess(shlex.split(self.command), longest=LONGEST_LINE)
        except (OSError, ValueError) as error:
            raise PlayerError("{command}: cannot be started: {error}", command=self.command, error=error) from None


def short(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= SHOWN else shown[:SHOWN] + "..."


@dataclass(frozen=True)
class ProcessPlayer(ExternalPlayer):
    """A program that answers positions with moves, in lines of JSON (docs/how-to/connect-an-engine.md)."""

    depth: int | None = None  #: maximum depth, in plies; the program is told
    nodes: int | None = None  #: maximum number of positions to visit; the program is told
    kind: ClassVar[str] = "process"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        with self._talking() as talk:
            talk.asked += 1
            talk.process.send(json.dumps(self._question(position, talk.asked), ensure_ascii=False))
            answer = _parsed(talk.process.receive(self._wait))
            if answer.get("id") != talk.asked:
                raise WrongAnswer(
                    _("its id is {id}, the question's is {asked}").format(id=short(answer.get("id")), asked=talk.asked)
                )
            if answer.get("resign"):
                raise Resigned
            if "error" in answer:
                raise Crashed(str(answer["error"])[:KEPT_ERRORS])
            move = answer.get("move")
            if not isinstance(move, str):
                raise WrongAnswer(_("its move is {move}, which is not a text").format(move=short(move)))
            said, depth, nodes = _number(answer, "score"), _whole(answer, "depth"), _whole(answer, "nodes")
        score = None if said is None else Score.of_number(said, position.to_move)
        return Choice(move, time.perf_counter() - began, score, (move,), depth, nodes)

    def _question(self, position: Position, number: int) -> dict[str, Any]:
        question = {
            "protocol": PROTOCOL,
            "id": number,
            "game": str(position.game),
            "start": str(position.path[0]),
            "line": list(position.line),
            "position": str(position),
            "player": position.to_move,
            "legal": list(position.moves),
        }
        limits = dict(self.budget)
        return question | {name: limits[name] for name in ("seconds", "depth", "nodes") if name in limits}


def _parsed(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except BAD_JSON:
        answer = None
    if not isinstance(answer, dict):
        raise WrongAnswer(_("{line} is not a JSON object").format(line=short(line)))
    return answer


def _number(answer: dict[str, Any], name: str) -> float | None:
    value = answer.get(name)
    if isinstance(value, float) and math.isfinite(value):
        return value
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise WrongAnswer(_("its {name} is {value}, which is not a number").format(name=name, value=short(value)))
    return value


def _whole(answer: dict[str, Any], name: str) -> int | None:
    value = answer.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise WrongAnswer(_("its {name} is {value}, which is not a whole number").format(name=name, value=short(value)))
    return value
