"""The process in which a player in plain Python chooses its moves, outside tournaments.

{"do": "load", "file": path, "shown": "mine.py", "code": "mine.py:Mine(option=3)", "game": "connect4"}
                {"ready": where it is defined}, {"error": text} or {"lost": reason, "error": text}
{"do": "think", "game": "connect4", "start": "", "line": ["4", "4"], "seconds": 2}
                {"begun": true} when there is an object for the game; then {"choice": {...}} or {"resigned": true};
                {"lost": reason, "error": text} in place of either
"""

import os
from collections.abc import Iterator
from pathlib import Path

from zermelo.calls import call_of
from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.players.player import Fault, Resigned
from zermelo.players.programs import HostedPlayer, Places, told_of
from zermelo.processes.foreign import tell_of_the_end
from zermelo.processes.orders import Answer, Orders


def main() -> None:
    orders = Orders()
    tell_of_the_end()
    program = Program()
    orders.serve({"load": program.load, "think": program.think})


class Program:
    """What this process holds: one player."""

    def __init__(self) -> None:
        self.places = Places()

    def load(self, file: str, shown: str, code: str, game: str) -> Iterator[Answer]:
        self.folder, self.shown = str(Path(file).parent), os.path.dirname(shown)
        try:
            self.player = HostedPlayer(Path(file), call_of(code))
            self.player.prepare(find_game(game))
        except Fault as fault:
            yield self._lost(fault)
        except (ZermeloError, SystemExit) as error:  # a file may call exit() when it is loaded
            text = str(error) if isinstance(error, ZermeloError) else f"{file}: SystemExit: {error}"
            yield {"error": self._here(text)}
        else:
            yield {"ready": True}

    def think(self, game: str, start: str, line: list[str], seconds: float | None) -> Iterator[Answer]:
        self.player.seconds = seconds
        try:
            position = self.places.position(find_game(game), start, line)
            self.player.begin(position)
            yield {"begun": True}
            choice = self.player.think(position)
        except Fault as fault:
            yield self._lost(fault)
        except Resigned:
            yield {"resigned": True}
        except ZermeloError as error:
            yield {"error": self._here(str(error))}
        else:
            yield {"choice": told_of(choice)}

    def _lost(self, fault: Fault) -> Answer:
        return {"lost": self._here(fault.reason), "error": self._here(fault.said) if fault.said else None}

    def _here(self, text: str) -> str:
        """The text, in which the files have the names that the user called them by."""
        return text.replace(f"{self.folder}{os.sep}", f"{self.shown}/" if self.shown else "")
