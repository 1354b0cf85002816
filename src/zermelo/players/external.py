"""Other programs as players: they speak our lines of JSON (docs/how-to/connect-an-engine.md), or GTP."""

import itertools
import json
import logging
import math
import shlex
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.errors import PlayerError
from zermelo.files.whole import BAD_JSON
from zermelo.language import Message, _
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
MOST_LINES = 1000
"""Maximum number of lines of an answer in GTP."""
SHOWN = 200
"""Number of characters of an answer that an error shows."""
KEPT_ERRORS = 4000
"""Number of characters of its standard error that go into a record."""

_log = logging.getLogger("zermelo")


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


def _short(text: object) -> str:
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
                    _("its id is {id}, the question's is {asked}").format(id=_short(answer.get("id")), asked=talk.asked)
                )
            if answer.get("resign"):
                raise Resigned
            if "error" in answer:
                raise Crashed(str(answer["error"])[:KEPT_ERRORS])
            move = answer.get("move")
            if not isinstance(move, str):
                raise WrongAnswer(_("its move is {move}, which is not a text").format(move=_short(move)))
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
        raise WrongAnswer(_("{line} is not a JSON object").format(line=_short(line)))
    return answer


def _number(answer: dict[str, Any], name: str) -> float | None:
    value = answer.get(name)
    if isinstance(value, float) and math.isfinite(value):
        return value
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise WrongAnswer(_("its {name} is {value}, which is not a number").format(name=name, value=_short(value)))
    return value


def _whole(answer: dict[str, Any], name: str) -> int | None:
    value = answer.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise WrongAnswer(
            _("its {name} is {value}, which is not a whole number").format(name=name, value=_short(value))
        )
    return value


@dataclass(frozen=True)
class GtpPlayer(ExternalPlayer):
    """A Hex program that speaks GTP, such as MoHex or Wolve: boardsize, clear_board, play, genmove, quit."""

    init: tuple[str, ...] = ()  #: commands that are sent to a new process, which must understand them
    kind: ClassVar[str] = "gtp"

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.init
        commands = (
            (given,) if isinstance(given, str) else tuple(given) if isinstance(given, (list, tuple)) else (given,)
        )
        for command in commands:
            if not isinstance(command, str) or not command.strip() or "\n" in command:
                raise PlayerError(
                    'gtp: {command!r} is not a command, as in init=["param_mohex max_time 1"]', command=command
                )
        object.__setattr__(self, "init", commands)

    def prepare(self, game: Game) -> None:
        if not isinstance(getattr(game, "size", None), int):
            raise PlayerError(
                "gtp: {title} has no square board that GTP could set up; it is for Hex", title=Message(game.title)
            )
        with self._talking():
            pass

    def _begin(self, talk: Conversation) -> None:
        self._ask(talk, "name")
        for command in self.init:
            self._ask(talk, command)

    def _tell_time(self, talk: Conversation) -> None:
        """Tell it how long it may think. If it does not understand that, warn the user, now and when it is late."""
        command = f"time_settings 0 {self.seconds:g} 1"
        try:
            self._ask(talk, command)
        except WrongAnswer as refused:
            if isinstance(refused, TimeoutError):
                raise
            if not self.init:
                talk.excuse = "; " + _("it refused time_settings, so its time must be set by init=[...]")
                _tell_once(
                    _(
                        "warning: {program}: {refused}. It does not know that it has {seconds:g} s for a move: set its "
                        'time with start-up commands, as in init=["param_mohex max_time {seconds:g}"]'
                    ).format(program=self.command, refused=refused, seconds=self.seconds)
                )

    def think(self, position: Position) -> Choice:
        self.prepare(position.game)
        began = time.perf_counter()
        if position.path[0] != position.game.start():
            raise PlayerError(
                "gtp: the program needs a game from the beginning and cannot start from {position}",
                position=position.path[0],
            )
        with self._talking() as talk:
            self._set_up(talk, position)
            answer = self._ask(talk, f"genmove {_colour(position)}", self._wait).strip().lower()
            if answer == "resign":
                talk.board = None
                raise Resigned
            move = "swap" if answer == "swap-pieces" else answer
            talk.board = None if move == "swap" else (*(talk.board or ()), (_colour(position), move))
        return Choice(move, time.perf_counter() - began, line=(move,))

    def _set_up(self, talk: Conversation, position: Position) -> None:
        """Bring its board to the position. If it knows a part of the game already, it is told only the rest."""
        wanted: tuple[Any, ...] = (str(position.game), *_stones(position))
        if talk.board is None or wanted[: len(talk.board)] != talk.board:
            self._ask(talk, f"boardsize {position.game.size}")  # type: ignore[attr-defined]
            self._ask(talk, "clear_board")
            if self.seconds is not None:
                self._tell_time(talk)
            talk.board = wanted[:1]
        for colour, move in wanted[len(talk.board) :]:
            self._ask(talk, f"play {colour} {move}")
        talk.board = wanted

    def _ask(self, talk: Conversation, command: str, seconds: float | None = None) -> str:
        """Give a command, and read the answer: `= text` or `? complaint`, up to an empty line.

        The time for a move (seconds) holds only for thinking. For other commands, which may load files, the time is
        `patience`.
        """
        seconds = self.patience if seconds is None else seconds
        deadline = time.monotonic() + seconds
        talk.process.send(command)
        lines: list[str] = []
        while not lines or lines[-1]:
            left = deadline - time.monotonic()
            try:
                line = talk.process.receive(max(left, 0.0)).strip()
            except TimeoutError:
                left = 0
            if left <= 0:
                raise TimeoutError(_("no answer in {seconds:g} s").format(seconds=seconds))
            if line or lines:
                lines.append(line)
            if len(lines) > MOST_LINES:
                raise WrongAnswer(
                    _("it answered {command!r} with more than {number} lines").format(
                        command=command, number=MOST_LINES
                    )
                )
        answer = "\n".join(lines).strip()
        if not answer.startswith("="):
            raise WrongAnswer(_("it answered {command!r} with {answer}").format(command=command, answer=_short(answer)))
        return answer.lstrip("=0123456789").strip()


def _stones(position: Position) -> list[tuple[str, str]]:
    """The stones to place, in their order.

    A swap is told as the stone that lies there afterwards, since programs differ in what they do on `swap-pieces`
    (MoHex and Wolve leave the stone where it is).
    """
    steps = [(_colour(before), str(after.last_move_text)) for before, after in itertools.pairwise(position.path)]
    if len(steps) > 1 and steps[1][1] == "swap":
        column, row = steps[0][1][0], int(steps[0][1][1:])
        steps[:2] = [(steps[1][0], f"{chr(ord('a') + row - 1)}{ord(column) - ord('a') + 1}")]
    return steps


_told: set[str] = set()


def _tell_once(text: str) -> None:
    """Warn on standard error, but only once, however many processes of one program have the same problem."""
    if text not in _told:
        _told.add(text)
        _log.warning(text)


def _colour(position: Position) -> str:
    """The player to move, as GTP calls it."""
    return position.game.players[position.to_move - 1]
