"""The loop of `zermelo engine`: lines from the front end come in, and lines of the protocol go out."""

import queue
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import IO

from zermelo.players.player import Player
from zermelo.position import Game
from zermelo.protocols.thinking import Thinker

LONGEST_LINE = 1 << 16
"""Maximum number of characters of a line that is read; what is beyond is left out."""
LAST_SECONDS = 30.0
"""When the input ends, the answer to a question that was asked before may still take this many seconds."""

Write = Callable[[str], None]


class Server(ABC):
    """One conversation with a front end."""

    def __init__(self, game: Game, player: Player, write: Write):
        """write: writes a text with its end of line, at once; several threads may call it."""
        self.game, self.player = game, player
        self.write = write
        self.thinker = Thinker()

    @abstractmethod
    def handle(self, line: str) -> bool:
        """Do what a line says. False if the conversation is over."""

    def overhear(self, line: str) -> None:
        """Something was read, which handle() will be given once it has done what came before. Runs in a thread."""

    def end(self) -> None:
        """The input has ended."""


def clean(line: str) -> str:
    """A line without control characters; a tab is a blank."""
    return "".join(c for c in line.replace("\t", " ") if c >= " " and c != "\x7f").strip()


def serve(server: Server, lines: IO[str]) -> None:
    """Answer lines until one says that the conversation is over, or until they end."""
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            while line := lines.readline(LONGEST_LINE):
                if not line.endswith("\n"):
                    _skip_rest(lines, line)
                server.overhear(clean(line))
                inbox.put(clean(line))
        except (OSError, ValueError):
            pass  # the input was closed
        inbox.put(None)

    threading.Thread(target=read, daemon=True, name="zermelo-input").start()
    try:
        while (line := _take(inbox)) is not None:
            if not server.handle(line):
                return
        server.end()
    finally:
        server.thinker.close()


def _skip_rest(lines: IO[str], line: str) -> None:
    """Skip what is left of a line that is too long."""
    while line and not line.endswith("\n"):
        line = lines.readline(LONGEST_LINE)


def _take(inbox: "queue.SimpleQueue[str | None]") -> str | None:
    while True:
        try:
            return inbox.get(timeout=0.5 if sys.platform == "win32" else None)  # Ctrl-C ends it only elsewhere
        except queue.Empty:
            continue
