"""Programs that speak GTP, the Go Text Protocol, as players."""

import logging
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.errors import PlayerError
from zermelo.language import _
from zermelo.players.external import ExternalPlayer, short
from zermelo.players.notations import COLOURS, gtp_notation
from zermelo.players.outside import Conversation
from zermelo.players.player import Choice, Resigned, WrongAnswer
from zermelo.position import Game, Position

MOST_LINES = 1000
"""Maximum number of lines of an answer in GTP."""

_log = logging.getLogger("zermelo")


@dataclass(frozen=True)
class GtpPlayer(ExternalPlayer):
    """A program that speaks GTP and plays Hex, such as MoHex, or Reversi, such as gtp-rhino."""

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
        gtp_notation(game)  # PlayerError if GTP does not know it
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
        began, notation, colour = time.perf_counter(), gtp_notation(position.game), COLOURS[position.to_move - 1]
        if position.path[0] != position.game.start():
            raise PlayerError(
                "gtp: the program needs a game from the beginning and cannot start from {position}",
                position=position.path[0],
            )
        with self._talking() as talk:
            self._set_up(talk, position)
            answer = self._ask(talk, f"genmove {colour}", self._wait).strip().lower()
            if answer == "resign":
                talk.board = None
                raise Resigned
            move = notation.move_of(answer)
            is_as_told = notation.vertex_of(move) == move  # otherwise programs differ in what they do with their board
            talk.board = (*(talk.board or ()), (position.to_move, move)) if is_as_told else None
        return Choice(move, time.perf_counter() - began, line=(move,))

    def _set_up(self, talk: Conversation, position: Position) -> None:
        """Bring its board to the position. If it knows a part of the game already, it is told only the rest."""
        notation = gtp_notation(position.game)
        wanted: tuple[Any, ...] = (str(position.game), *notation.steps(position))
        if talk.board is None or wanted[: len(talk.board)] != talk.board:
            self._ask(talk, f"boardsize {notation.board_size(position.game)}")
            self._ask(talk, "clear_board")
            if self.seconds is not None:
                self._tell_time(talk)
            talk.board = wanted[:1]
        for player, vertex in wanted[len(talk.board) :]:
            try:
                self._ask(talk, f"play {COLOURS[player - 1]} {vertex}")
            except WrongAnswer as refused:
                if isinstance(refused, TimeoutError) or not notation.may_be_refused(vertex):
                    raise
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
            raise WrongAnswer(_("it answered {command!r} with {answer}").format(command=command, answer=short(answer)))
        return answer.lstrip("=0123456789").strip()


_told: set[str] = set()


def _tell_once(text: str) -> None:
    """Warn on standard error, but only once, however many processes of one program have the same problem."""
    if text not in _told:
        _told.add(text)
        _log.warning(text)
