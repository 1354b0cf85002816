"""A class that a user wrote, as a player: `mine.py:Mine(option=3)`. It plays in a process of its own.

Which names in a file are such players, and what is done with them, is in programs.py; this is the player as the rest of
the lab sees it. It never runs the file here.
"""

import os
import time
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.calls import Call, Value, call_of
from zermelo.errors import FileError, PlayerError, ResourceError
from zermelo.language import _
from zermelo.players.outside import Conversation, OutsidePlayer
from zermelo.players.player import Choice, Crashed, Fault, IllegalMove, NoAnswer, Resigned, WrongAnswer
from zermelo.players.programs import HostedPlayer, choice_told
from zermelo.position import Game, Position
from zermelo.processes.foreign import ForeignProcess, ProcessFault

OPTIONS = ("seconds", "patience")
"""The options that may follow the name of a class and are the lab's; all others are given to the class."""

LATE = 1.0
"""Seconds that it may take beyond its time for a move, because machines sometimes pause."""

_FAULTS: dict[str, type[Fault]] = {cls.ending: cls for cls in (Crashed, NoAnswer, WrongAnswer, IllegalMove)}


@dataclass(frozen=True)
class ClassPlayer(OutsidePlayer):
    """A class of your own, from a file: FILE.py:NAME, or player(code=FILE.py:NAME).

    Its method choose(self, position) returns a move. It plays in a process of its own, as plain Python. If it fails,
    gives an illegal move or does not answer in time, it loses the game.
    """

    code: str | Call = ""  #: the class, as FILE.py:NAME; its options may follow in parentheses
    seconds: float | None = None  #: time for a move, in seconds; the class is told
    patience: float = 60.0  #: seconds to wait for a move if there is no time for it, and for a new object of the class
    kind: ClassVar[str] = "player"

    def __post_init__(self) -> None:
        if not self.code:
            raise PlayerError("player: say which one, as in player(code=mine.py:Mine)")
        object.__setattr__(self, "code", str(call_of(self.code)))
        if not self.file.endswith(".py"):
            raise PlayerError("player: {code} is not a class: write FILE.py:NAME", code=self.code)
        self._check_times()

    @property
    def call(self) -> Call:
        """The class with its options."""
        return call_of(self.code)

    @property
    def file(self) -> str:
        """The file, as the user wrote it."""
        return self.call.name.rpartition(":")[0]

    @property
    def who(self) -> str:
        return str(self)

    @property
    def _identity(self) -> Hashable:
        return self.kind, self.code, os.path.abspath(self.file)  # a clock gives it other seconds for each move

    @property
    def full_text(self) -> str:
        values: dict[str | int, Value] = {
            name: value for name, value in self._values().items() if value != self.defaults()[name]
        }
        return str(Call(self.kind, values | {"code": self.call}))

    def text_without(self, *names: str) -> str:
        own: dict[str | int, Value] = {
            name: value
            for name, value in self._values().items()
            if name in OPTIONS and name not in names and value != self.defaults()[name]
        }
        return str(Call(self.call.name, self.call.options | own))

    def hosted(self, path: Path) -> HostedPlayer:
        """The same player in this process, which must be one of its own. path: where the file is."""
        return HostedPlayer(path, self.call, self.seconds)

    # -------------------------------------------------------------------------------- its process

    def prepare(self, game: Game) -> None:
        with self._talking() as talk:
            answer = self._load(talk, game)
        self._check(answer)

    def think(self, position: Position) -> Choice:
        with self._talking() as talk:
            if not talk.asked:
                answer = self._load(talk, position.game)
            if talk.asked:
                place = {"start": str(position.path[0]), "line": list(position.line)}
                talk.process.order("think", game=str(position.game), seconds=self.seconds, **place)
                answer = talk.process.answer(self.patience, self.file)
                if "begun" in answer:
                    began = time.perf_counter()
                    answer = talk.process.answer(self.patience if self.seconds is None else self.seconds + LATE)
                    seconds = time.perf_counter() - began
        self._check(answer)
        try:
            return choice_told(answer.get("choice"), seconds)
        except ValueError:
            raise WrongAnswer(_("its process gave no move"), self.who) from None

    def _load(self, talk: Conversation, game: Game) -> dict[str, Any]:
        """Have the file loaded and an object made for the first game."""
        if talk.asked:
            return {}
        path = Path(os.path.expanduser(self.file)).resolve()
        if not path.is_file():
            raise FileError("there is no file {path}", path=self.file)
        talk.process.path, talk.process.name = path, self.file
        talk.process.order("load", file=str(path), shown=self.file, code=self.code, game=str(game))
        answer: dict[str, Any] = talk.process.answer(self.patience, self.file)
        talk.asked = int("ready" in answer)
        return answer

    def _check(self, answer: Mapping[str, Any]) -> None:
        """Raise what an answer says is wrong."""
        if "resigned" in answer:
            raise Resigned
        lost, error = answer.get("lost"), answer.get("error")
        if isinstance(lost, str):
            kind, _colon, text = lost.partition(": ")
            raise _FAULTS.get(kind, WrongAnswer)(text, said=error if isinstance(error, str) else "")
        if isinstance(error, str):
            raise PlayerError(error)

    def _start(self) -> "_Process":
        try:
            return _Process("zermelo.players.program_process")
        except OSError as error:
            raise ResourceError("a process cannot be started: {error}", error=error) from None

    def _fault(self, error: BaseException, talk: Conversation) -> Fault | None:
        if isinstance(error, ProcessFault):
            return _FAULTS.get(error.kind, WrongAnswer)(str(error), said=error.errors)
        return None


class _Process(ForeignProcess):
    """The process of a player (see program_process.py)."""

    path, name = Path(), ""  # of the file, and as the user wrote it

    def shown(self, path: Path) -> str | None:
        if self.path.name and path.is_relative_to(self.path.parent):
            return str(Path(self.name).parent / path.relative_to(self.path.parent))
        return None


def class_player(call: Call) -> ClassPlayer:
    """The player that `mine.py:Mine(option=3, seconds=2)` describes."""
    return ClassPlayer(**class_options(call))


def class_options(call: Call) -> dict[str, Any]:
    """The options of that player, by name."""
    own = {str(key): value for key, value in call.options.items() if key in OPTIONS}
    rest: dict[str | int, Value] = {key: value for key, value in call.options.items() if key not in OPTIONS}
    return {"code": Call(call.name, rest) if rest else call.name, **own}
