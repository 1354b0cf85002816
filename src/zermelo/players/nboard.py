"""Reversi programs that speak the NBoard protocol, such as NTest and Edax, as players."""

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from zermelo.language import _
from zermelo.players.common import require
from zermelo.players.external import LATE, ExternalPlayer, short
from zermelo.players.notations import nboard_notation
from zermelo.players.outside import Conversation
from zermelo.players.player import Choice, WrongAnswer
from zermelo.position import Game, Position
from zermelo.scores import Score

VERSION = 2
"""Of the protocol."""
USUAL_DEPTH = 10
"""Plies, for a program that has a limit neither of depth nor of time."""
GREATEST_DEPTH = 60
"""Plies: no game has more moves, so a program with this depth is limited by its time."""
SOLVED = "100%"
"""How a program writes the depth of an exact solution."""


@dataclass(frozen=True)
class NBoardPlayer(ExternalPlayer):
    """A Reversi program that speaks the NBoard protocol, such as NTest or Edax.

    The program is told the depth. It is told the time, too, as a clock for the rest of the game: the protocol knows no
    limit for a single move, so the program divides that time as it likes.
    """

    depth: int | None = None  #: depth in the middle game, in plies; 10, if there is no limit of time either
    kind: ClassVar[str] = "nboard"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "depth", 1, GREATEST_DEPTH)

    def prepare(self, game: Game) -> None:
        nboard_notation(game)  # PlayerError if the protocol does not know it
        with self._talking():
            pass

    def _begin(self, talk: Conversation) -> None:
        depth = self.depth or (USUAL_DEPTH if self.seconds is None else GREATEST_DEPTH)
        talk.process.send(f"nboard {VERSION}")
        talk.process.send(f"set depth {depth}")
        self._wait_for_it(talk)

    def think(self, position: Position) -> Choice:
        self.prepare(position.game)
        began, notation = time.perf_counter(), nboard_notation(position.game)
        if (forced := notation.forced(position)) is not None:
            return Choice(forced, time.perf_counter() - began, line=(forced,))
        clock = None if self.seconds is None else self.seconds * notation.moves_left(position)
        with self._talking() as talk:
            talk.process.send(f"set game {notation.game_text(position, clock)}")
            self._wait_for_it(talk)
            talk.process.send("go")
            said = _Said()
            wait = self.patience if clock is None else clock + LATE
            _listen(talk, said.hears, wait)
        move = notation.read_move(said.move)
        score = None if said.points is None else said.score(position.to_move)
        line = (move,)
        return Choice(move, time.perf_counter() - began, score, line, said.depth, said.nodes, solved=said.solved)

    def _wait_for_it(self, talk: Conversation) -> None:
        """Wait until the program has read what it was told. It may load files first."""
        talk.asked += 1
        talk.process.send(f"ping {talk.asked}")
        answer = ["pong", str(talk.asked)]
        _listen(talk, lambda line: line.split() == answer, self.patience)


def _listen(talk: Conversation, is_answer: Callable[[str], bool], seconds: float) -> None:
    """Take the program's lines up to its answer. TimeoutError if none comes in time, however much it writes."""
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        try:
            line = talk.process.receive(max(left, 0.0))
        except TimeoutError:
            left = 0.0
        if left <= 0:
            raise TimeoutError(_("no answer in {seconds:g} s").format(seconds=seconds))
        if is_answer(line):
            return


@dataclass
class _Said:
    """What a program says while it thinks, and at the end."""

    move: str = ""
    points: float | None = None
    depth: int | None = None
    nodes: int | None = None
    solved: bool = False

    def hears(self, line: str) -> bool:
        """Take a line of the program. Is it the answer?"""
        kind, *words = line.split() or [""]
        if kind in ("search", "book") and len(words) >= 4:
            depth = re.match(r"\d{1,3}", words[3])
            self.solved = words[3] == SOLVED
            self.depth = int(depth[0]) if depth and "%" not in words[3] else None
        elif kind == "nodestats" and words and words[0].isdecimal():
            self.nodes = int(words[0][:18])
        elif kind == "===":
            parts = re.split("[/ ]", " ".join(words))
            if not parts[0]:
                raise WrongAnswer(_("{line} does not name a move").format(line=short(line)))
            self.move, self.points = parts[0], _number(parts[1]) if len(parts) > 1 else None
            return True
        return False

    def score(self, player: int) -> Score:
        assert self.points is not None
        return Score.exact(self.points, player=player) if self.solved else Score(self.points, player=player)


def _number(text: str) -> float | None:
    """A score in discs; of a pair, which differs by what a draw is worth, the first."""
    try:
        number = float(text.partition(",")[0])
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= 1000 else None
