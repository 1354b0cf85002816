"""Players of other programs: a process that speaks our JSON lines (docs/how-to/connect-an-engine.md), or GTP.

Each thread that plays has a process of its own for each such player, kept from game to game. One that is late, dies
or answers nonsense is ended, and begun again for the next game.
"""

import atexit
import contextlib
import itertools
import json
import shlex
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.errors import PlayerError
from zermelo.files.whole import BAD_JSON
from zermelo.language import _
from zermelo.players.player import Choice, NoAnswer, Player, Resigned, WrongAnswer
from zermelo.position import Game, Position
from zermelo.processes.lines import LineProcess, ProcessEnded

PROTOCOL = 1
LATE = 5.0
"""Seconds after its time is up for which a process is waited for."""

_own = threading.local()
_all: list[LineProcess] = []


@atexit.register
def _end_all() -> None:
    for process in _all:
        process.kill()


@dataclass(frozen=True)
class ExternalPlayer(Player):
    """What they share: a command, and how long to wait for an answer."""

    command: str = ""
    seconds: float | None = None  #: for a move; it is told so
    patience: float = 60.0  #: where there are no seconds, so long is waited

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) or not self.command.strip():
            raise PlayerError(
                _('{kind}: the command is missing, as in {kind}(command="python3 engine.py")').format(kind=self.kind)
            )
        for name in ("seconds", "patience"):
            value = getattr(self, name)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (is_number and 0 < value < float("inf")):
                raise PlayerError(
                    _("{kind}: {name}={value} is not a number above 0").format(kind=self.kind, name=name, value=value)
                )

    @property
    def is_deterministic(self) -> bool:
        return False  # nobody knows

    @property
    def _wait(self) -> float:
        return self.patience if self.seconds is None else self.seconds + LATE

    def prepare(self, game: Game) -> None:
        with self._talking():
            pass

    @contextlib.contextmanager
    def _talking(self) -> "Iterator[_Conversation]":
        """This thread's conversation with the process; ended if anything goes wrong in it."""
        mine: dict[Player, _Conversation] = _own.__dict__.setdefault("conversations", {})
        talk = mine.get(self)
        if talk is None or talk.process.is_over:
            talk = mine[self] = _Conversation(self._start())
        try:
            yield talk
        except ProcessEnded as error:
            self._end(talk)
            said = f"\n{error.errors.strip()}" if error.errors.strip() else ""
            raise PlayerError(f"{self.command}: {error}{said}") from None
        except Resigned:
            raise
        except TimeoutError as error:
            self._end(talk)
            raise NoAnswer(str(error), self.command) from None
        except WrongAnswer as error:
            self._end(talk)
            raise WrongAnswer(error.fault, self.command) from None
        except BaseException:
            self._end(talk)
            raise

    def _start(self) -> LineProcess:
        try:
            process = LineProcess(shlex.split(self.command))
        except (OSError, ValueError) as error:
            raise PlayerError(
                _("{command}: cannot be started: {error}").format(command=self.command, error=error)
            ) from None
        _all.append(process)
        return process

    def _end(self, talk: "_Conversation") -> None:
        talk.process.kill()
        _all.remove(talk.process)
        _own.conversations.pop(self, None)


class _Conversation:
    """A process and what it has been told."""

    def __init__(self, process: LineProcess):
        self.process = process
        self.asked = 0
        self.board: tuple[str, ...] | None = None  # for GTP: the game, and the moves on its board


@dataclass(frozen=True)
class ProcessPlayer(ExternalPlayer):
    """A program that answers positions with moves, in lines of JSON (docs/how-to/connect-an-engine.md)."""

    depth: int | None = None
    nodes: int | None = None
    kind: ClassVar[str] = "process"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        with self._talking() as talk:
            talk.asked += 1
            talk.process.send(json.dumps(self._question(position, talk.asked), ensure_ascii=False))
            answer = _parsed(talk.process.receive(self._wait))
            if answer.get("id") != talk.asked:
                raise WrongAnswer(
                    _("its id is {id!r}, the question's is {asked}").format(id=answer.get("id"), asked=talk.asked)
                )
            if answer.get("resign"):
                raise Resigned
            if "error" in answer:
                raise PlayerError(f"{self.command}: {answer['error']}")
            move = answer.get("move")
            if not isinstance(move, str):
                raise WrongAnswer(_("its move is {move!r}, not a text").format(move=move))
            numbers = {name: _whole(answer, name) for name in ("score", "depth", "nodes")}
        return Choice(move, time.perf_counter() - began, numbers["score"], (move,), numbers["depth"], numbers["nodes"])

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
        budget = {"seconds": self.seconds, "depth": self.depth, "nodes": self.nodes}
        return question | {name: value for name, value in budget.items() if value is not None}


def _parsed(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except BAD_JSON:
        answer = None
    if not isinstance(answer, dict):
        raise WrongAnswer(_("{line!r} is not a JSON object").format(line=line[:200]))
    return answer


def _whole(answer: dict[str, Any], name: str) -> int | None:
    value = answer.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise WrongAnswer(_("its {name} is {value!r}, not a whole number").format(name=name, value=value))
    return value


@dataclass(frozen=True)
class GtpPlayer(ExternalPlayer):
    """A Hex program that speaks GTP, such as MoHex or Wolve: boardsize, clear_board, play, genmove, quit."""

    kind: ClassVar[str] = "gtp"

    def prepare(self, game: Game) -> None:
        if not isinstance(getattr(game, "size", None), int):
            raise PlayerError(
                _("gtp: {title} has no square board that GTP could set up; it is for Hex").format(title=_(game.title))
            )
        with self._talking() as talk:
            self._ask(talk, "name")

    def think(self, position: Position) -> Choice:
        self.prepare(position.game)
        began = time.perf_counter()
        if position.path[0] != position.game.start():
            raise PlayerError(
                _("gtp: it must be told a game from its beginning, not from {position}").format(
                    position=position.path[0]
                )
            )
        with self._talking() as talk:
            self._set_up(talk, position)
            answer = self._ask(talk, f"genmove {_colour(position)}").strip().lower()
            if answer == "resign":
                talk.board = None
                raise Resigned
            move = "swap" if answer == "swap-pieces" else answer
            talk.board = (*(talk.board or ()), move)
        return Choice(move, time.perf_counter() - began, line=(move,))

    def _set_up(self, talk: _Conversation, position: Position) -> None:
        """Bring its board to the position; if it knows a part of the game already, only the rest."""
        wanted = (str(position.game), *position.line)
        if talk.board is None or wanted[: len(talk.board)] != talk.board:
            self._ask(talk, f"boardsize {position.game.size}")  # type: ignore[attr-defined]
            self._ask(talk, "clear_board")
            if self.seconds is not None:
                with contextlib.suppress(WrongAnswer):  # not every program knows it
                    self._ask(talk, f"time_settings 0 {self.seconds:g} 1")
            talk.board = wanted[:1]
        for ply, (before, after) in enumerate(itertools.pairwise(position.path)):
            if ply >= len(talk.board) - 1:
                move = "swap-pieces" if after.last_move_text == "swap" else after.last_move_text
                self._ask(talk, f"play {_colour(before)} {move}")
        talk.board = wanted

    def _ask(self, talk: _Conversation, command: str) -> str:
        """Give a command, and read the answer: `= text` or `? complaint`, up to an empty line."""
        talk.process.send(command)
        lines: list[str] = []
        while not lines or lines[-1]:
            line = talk.process.receive(self._wait).strip()
            if line or lines:
                lines.append(line)
        answer = "\n".join(lines).strip()
        if not answer.startswith("="):
            raise WrongAnswer(_("to {command!r} it said {answer!r}").format(command=command, answer=answer))
        return answer.lstrip("=0123456789").strip()


def _colour(position: Position) -> str:
    """The player to move as GTP calls it."""
    return position.game.players[position.to_move - 1]
