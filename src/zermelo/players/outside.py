"""Players that think in other processes: other programs (external.py) and users' plain Python (classes.py).

Each thread that plays has a process of its own for each such player, which is kept from game to game. A process that is
late, dies or gives an invalid answer is ended, and a new one is started for the next game.
"""

import contextlib
import threading
import weakref
from abc import abstractmethod
from collections.abc import Hashable, Iterator
from typing import Any

from zermelo.errors import PlayerError
from zermelo.players.player import Fault, Player, Resigned

_own = threading.local()


class OutsidePlayer(Player):
    """A player in another process. What it does wrong is a fault, which loses the game."""

    seconds: float | None  #: time for a move, in seconds
    patience: float  #: seconds to wait for an answer if there is no time for a move

    @property
    @abstractmethod
    def who(self) -> str:
        """The name that a fault is told with."""

    @property
    def is_deterministic(self) -> bool:
        return False  # nobody knows

    def _check_times(self) -> None:
        for name, value in (("seconds", self.seconds), ("patience", self.patience)):
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (is_number and 0 < value < float("inf")):
                raise PlayerError(
                    "{kind}: {name}={value} is not a number above 0", kind=self.kind, name=name, value=value
                )

    @property
    def _identity(self) -> Hashable:
        """Players with the same identity share a process."""
        return self

    @contextlib.contextmanager
    def _talking(self) -> "Iterator[Conversation]":
        """This thread's conversation with the process, which is ended if anything goes wrong."""
        mine: dict[Hashable, Conversation] = _own.__dict__.setdefault("conversations", {})
        talk = mine.get(self._identity)
        is_new = talk is None or talk.process.is_over
        if talk is None or is_new:
            talk = mine[self._identity] = Conversation(self._start())
        try:
            if is_new:
                self._begin(talk)
            yield talk
        except Resigned:
            raise
        except BaseException as error:
            talk.process.kill()
            mine.pop(self._identity, None)
            fault = self._fault(error, talk)
            if fault is None:
                raise
            raise fault from None

    @abstractmethod
    def _start(self) -> Any:
        """A new process."""

    def _begin(self, talk: "Conversation") -> None:
        """Tell a new process what it must know before the first game."""

    @abstractmethod
    def _fault(self, error: BaseException, talk: "Conversation") -> Fault | None:
        """What the process did wrong, if this error is its fault."""


class Conversation:
    """A process and what it has been told. The process ends with the thread to which the conversation belongs."""

    def __init__(self, process: Any):
        self.process = process  # a LineProcess or a ForeignProcess
        self.asked = 0
        self.board: tuple[Any, ...] | None = None  # for GTP: the game, and the stones on its board
        self.excuse = ""  # for GTP: why it may be late
        weakref.finalize(self, process.kill)
