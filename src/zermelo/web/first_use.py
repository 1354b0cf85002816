"""First use: while the code of a game and a player is compiled in another process, plain Python answers at once."""

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from zermelo.core import JIT, NotCompiled, class_of, only_cached, plain_first, take_compiled
from zermelo.errors import ZermeloError
from zermelo.players.player import Player
from zermelo.position import Game
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess

MODULE = "zermelo.web.compiling_process"
USUAL_NUMBER = 60
"""How many functions are compiled for a player, roughly. The bar of the page waits near its end if they are more."""
ALMOST = 0.95


@dataclass
class Job:
    """What is to be compiled, and how far it is."""

    game: Game
    player: Player | None  #: None if only the rules are wanted
    functions: int = 0
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return 1.0 if self.done.is_set() else min(ALMOST, self.functions / USUAL_NUMBER)


class FirstUse:
    """What is being compiled. One process at a time, so that the server and the browser have room."""

    def __init__(self, is_on: bool = False) -> None:
        self.is_on = is_on and JIT
        self._jobs: dict[tuple[Game, Player | None], Job] = {}
        self._waiting: deque[Job] = deque()
        self._games: dict[type, Game] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._process: OwnProcess | None = None
        self._is_closed = False
        if self.is_on:
            plain_first(self._rules_missing)

    def knows(self, game: Game) -> None:
        """Say that people look at this game, so that its rules are worth compiling."""
        if self.is_on:
            self._games[class_of(game.start_state())] = game

    def _rules_missing(self, cls: type) -> None:
        game = self._games.get(cls)
        if game is not None:
            self.want(game, None)

    def is_ready(self, game: Game, player: Player) -> bool:
        """Is the code of this player there? Whatever the cache has is loaded."""
        if not self.is_on:
            return True
        job = self._jobs.get((game, player))
        if job is not None:
            return job.done.is_set()
        try:
            with only_cached():
                player.prepare(game)
        except NotCompiled:
            return False
        except ZermeloError:
            return True  # the player says what is wrong with it when it is to move
        return True

    def want(self, game: Game, player: Player | None) -> Job:
        """Have this compiled: players before rules, since somebody waits for them."""
        with self._changed:
            job = self._jobs.get((game, player))
            if job is None:
                job = self._jobs[game, player] = Job(game, player)
                if player is None:
                    self._waiting.append(job)
                else:
                    self._waiting.appendleft(job)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._go, name="zermelo-first-use", daemon=True)
                    self._thread.start()
                self._changed.notify()
            return job

    def share(self, game: Game, player: Player) -> float:
        """How much of the code of a player is there, from 0 to 1."""
        job = self._jobs.get((game, player))
        return 1.0 if job is None else job.share

    def _go(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if self._is_closed:
                    return
                job = self._waiting.popleft()
            try:
                self._compile(job)
            except (OSError, ProcessEnded, TimeoutError):
                pass  # whoever needs it compiles it then, and sees the error
            finally:
                take_compiled(class_of(job.game.start_state()))
                job.done.set()

    def _compile(self, job: Job) -> None:
        self._process = process = OwnProcess(MODULE)
        try:
            process.order("compile", game=str(job.game), player=None if job.player is None else str(job.player))
            while True:
                answer: dict[str, Any] = process.answer()
                if "functions" not in answer:
                    return
                job.functions = int(answer["functions"])
        finally:
            process.end()
            self._process = None

    def close(self) -> None:
        """Compile nothing more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        process = self._process
        if process is not None:
            process.end()
        if self.is_on:
            plain_first(None)
