"""First use: while the code of a game and a player is compiled in another process, plain Python answers at once."""

import contextlib
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial

from zermelo.core import JIT, NotCompiled, class_of, only_cached, plain_first, take_compiled
from zermelo.errors import ZermeloError
from zermelo.players.player import Player
from zermelo.position import Game
from zermelo.processes.lines import ProcessEnded
from zermelo.warming.crew import Compiler, Warmed
from zermelo.warming.usual import share_of, usual_games

IDLE = 10.0
"""Seconds without a request after which the lab compiles what nobody has asked for yet."""


@dataclass(eq=False)
class Job:
    """What is to be compiled, and how far it is."""

    game: Game
    player: Player | None  #: None if only the rules are wanted
    functions: int = 0
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def text(self) -> str | None:
        """The player as a text."""
        return None if self.player is None else str(self.player)

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return 1.0 if self.done.is_set() else share_of(self.text, self.functions)


class FirstUse:
    """What is being compiled. One process at a time, so that the server and the browser have room."""

    def __init__(self, is_on: bool = False, idle: float | None = None) -> None:
        """idle: seconds without a request after which the usual players of all games are compiled; None: never."""
        self.is_on = is_on and JIT
        self._jobs: dict[tuple[Game, Player | None], Job] = {}
        self._waiting: deque[Job] = deque()
        self._idle = idle if self.is_on else None
        self._unwarmed: deque[Warmed] | None = None  # the games whose usual players may not have been compiled
        self._is_warming = False
        self._asked = time.monotonic()  # when somebody last asked for something
        self._games: dict[type, Game] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._compiler: Compiler | None = None
        self._is_closed = False
        if self.is_on:
            plain_first(self._rules_missing)
        if self._idle is not None:
            self._start()

    def knows(self, game: Game) -> None:
        """Say that people look at this game, so that its rules are worth compiling."""
        if self.is_on:
            self._asked = time.monotonic()
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
                self._start()
                self._changed.notify()
                if self._is_warming and self._compiler is not None:
                    self._compiler.end()  # nobody waits for what it is compiling
            return job

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._go, name="zermelo-first-use", daemon=True)
            self._thread.start()

    def share(self, game: Game, player: Player) -> float:
        """How much of the code of a player is there, from 0 to 1."""
        job = self._jobs.get((game, player))
        return 1.0 if job is None else job.share

    def _go(self) -> None:
        while (work := self._next()) is not None:
            self._is_warming = isinstance(work, Warmed)
            try:
                with contextlib.closing(Compiler()) as compiler:
                    self._compiler = compiler
                    if isinstance(work, Warmed):
                        work.compile(compiler)
                    else:
                        compiler.compile(work.game, work.text, partial(setattr, work, "functions"))
            except (OSError, ProcessEnded, TimeoutError):
                if isinstance(work, Warmed) and self._waiting and self._unwarmed is not None:
                    self._unwarmed.appendleft(Warmed(work.game))  # it was interrupted
                # else whoever needs it compiles it then, and sees the error
            finally:
                self._compiler, self._is_warming = None, False
                take_compiled(class_of(work.game.start_state()))
                if isinstance(work, Job):
                    work.done.set()

    def _next(self) -> Job | Warmed | None:
        """What to compile next; None once this is closed."""
        with self._changed:
            while not self._is_closed:
                if self._waiting:
                    return self._waiting.popleft()
                left = None if self._idle is None else self._idle - (time.monotonic() - self._asked)
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                if self._unwarmed is None:
                    self._unwarmed = deque(one for one in map(Warmed, usual_games()) if not one.is_there)
                if self._unwarmed:
                    return self._unwarmed.popleft()
                self._idle = None
        return None

    def close(self) -> None:
        """Compile nothing more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        compiler = self._compiler
        if compiler is not None:
            compiler.end()
        if self.is_on:
            plain_first(None)
