"""Several processes that compile: who compiles what, how far it is, and how to end it."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.position import Game
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess
from zermelo.warming.marks import is_marked, mark
from zermelo.warming.usual import USUAL, number_expected, share_of

MODULE = "zermelo.warming.process"

GRACE = 10.0
"""Seconds that a process has for writing a file to its end, when it is told to stop. Otherwise, it is killed."""


class Compiler:
    """A process that compiles, as its owner sees it."""

    def __init__(self) -> None:
        """Start the process. OSError if that is not possible."""
        self._process = OwnProcess(MODULE)

    def compile(self, game: Game, player: str | None, tell: Callable[[int], None]) -> dict[str, Any]:
        """Have a player compiled, or the rules, and return the last answer (see process.py).

        tell: is called with the number of functions so far. ProcessEnded if the process ends.
        """
        self._process.order("compile", game=str(game), player=player)
        while "functions" in (answer := self._process.answer()):
            tell(int(answer["functions"]))
        return answer

    def end(self) -> None:
        """End the process, without waiting for it. Another thread that waits for its answer gets ProcessEnded."""
        self._process.send('{"do": "stop"}')
        threading.Thread(target=self._kill, name="zermelo-warming-end", daemon=True).start()

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self._process.send('{"do": "stop"}')
        self._kill()

    def _kill(self) -> None:
        until = time.monotonic() + GRACE
        while not self._process.is_over and time.monotonic() < until:
            time.sleep(0.01)
        self._process.kill()


@dataclass(eq=False)
class Warmed:
    """What is compiled for a game, and how far it is."""

    game: Game
    players: Sequence[str] = USUAL
    functions: int = 0  #: number of functions that had to be compiled, so far
    seconds: float = 0.0  #: the processor time that the processes have used for it
    faults: list[str] = field(default_factory=list)  #: why some players could not be compiled
    waiting: deque[str | None] = field(init=False)  #: the players that nobody compiles yet; None stands for the rules
    shares: dict[str | None, float] = field(init=False)  #: how much of the work for each player is done, from 0 to 1

    def __post_init__(self) -> None:
        self.waiting = deque([None, *self.players])
        self.shares = dict.fromkeys(self.waiting, 0.0)

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        numbers = {player: number_expected(player) for player in self.shares}
        return sum(number * self.shares[player] for player, number in numbers.items()) / sum(numbers.values())

    @property
    def is_there(self) -> bool:
        """Has everything been compiled lately? If so, nothing is looked up: a mark in the cache folder says so."""
        return is_marked(self.game, self.players)

    def compile(self, compiler: Compiler, tell: Callable[[], None] = lambda: None) -> None:
        """Have compiled what is waiting; tell() is called when there is news. ProcessEnded if the process ends."""
        while self.waiting:
            with contextlib.suppress(IndexError):  # another process took the last one
                self._compile(compiler, self.waiting.popleft(), tell)

    def _compile(self, compiler: Compiler, player: str | None, tell: Callable[[], None]) -> None:
        def count(functions: int) -> None:
            self.shares[player] = share_of(player, functions)
            tell()

        answer = compiler.compile(self.game, player, count)
        self.shares[player] = 1.0
        if "failed" in answer:
            self.faults.append(str(answer["failed"]))
        else:
            self.functions += int(answer["finished"])
            self.seconds += float(answer["seconds"])
        if not self.faults and all(share == 1.0 for share in self.shares.values()):
            mark(self.game, self.players)
        tell()


class Crew:
    """Processes that warm games. Each works for one game at a time, and others help it when no game is left.

    What two of them need at the same time is compiled by one (core/claims.py), and so is what another command compiles.
    """

    def __init__(self, games: Sequence[Game], workers: int):
        self.games = [Warmed(game) for game in games]
        self._tell: Callable[[], None] = lambda: None
        self._choosing = threading.Lock()
        self._compilers: dict[Compiler, Warmed] = {}
        self._is_ended = False
        self._error: BaseException | None = None
        most = min(workers, sum(len(game.waiting) for game in self.games))
        self._threads = [threading.Thread(target=self._work, name="zermelo-warming", daemon=True) for _ in range(most)]

    def run(self, tell: Callable[[], None] = lambda: None) -> None:
        """Compile everything. However this is left, no process remains.

        tell: is called by several threads, whenever there is something new to show.
        """
        self._tell = tell
        try:
            for thread in self._threads:
                thread.start()
            for thread in self._threads:
                while thread.is_alive():  # a wait without end could not be interrupted
                    thread.join(0.2)
        finally:
            with self._choosing:
                self._is_ended = True
                compilers = list(self._compilers)
            for compiler in compilers:
                compiler.close()
        if self._error is not None:
            raise self._error

    @property
    def share(self) -> float:
        """How much of everything is done, from 0 to 1."""
        return sum(game.share for game in self.games) / max(1, len(self.games))

    @property
    def now(self) -> list[Game]:
        """The games that are being compiled."""
        with self._choosing:
            return list(dict.fromkeys(warmed.game for warmed in self._compilers.values()))

    def _work(self) -> None:
        try:
            while (begun := self._begin()) is not None:
                compiler, warmed = begun
                warmed.compile(compiler, self._tell)
                compiler.close()
                with self._choosing:
                    del self._compilers[compiler]
        except (OSError, ProcessEnded, ZermeloError) as error:
            self._error = None if self._is_ended else error

    def _begin(self) -> tuple[Compiler, Warmed] | None:
        """A new process (so that none grows), and the game it works for: one with few processes and much to do."""
        with self._choosing:
            left = [game for game in self.games if game.waiting]
            if self._is_ended or not left:
                return None
            at_work = list(self._compilers.values())
            warmed = min(left, key=lambda one: (at_work.count(one), -len(one.waiting)))
            compiler = Compiler()
            self._compilers[compiler] = warmed
        self._tell()
        return compiler, warmed
