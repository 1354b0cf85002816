"""Where the players of a hall think: a home has the processes that share the same files (see hall.py)."""

import dataclasses
import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.pieces.sources import files_of
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.contestants import is_class
from zermelo.tournaments.guests import GuestProcess
from zermelo.tournaments.task import Task

MOST_KNOWN = 1024
"""Number of file texts whose digests are kept, so that they are not computed again for every game."""


@dataclass
class Home:
    """The processes that share the same files, or the one process of a class of players."""

    idle: list[GuestProcess]
    is_single: bool = False  # it has only one process, which holds an object for each game under way
    busy: int = 0
    missed: int = 0
    games: int = 0  # the number of games under way

    @property
    def is_empty(self) -> bool:
        return not (self.idle or self.busy or self.games)


class Homes(dict[str, Home]):
    """The homes by their names. A ladder goes on for weeks, so those of players who have left are forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self._digests: dict[tuple[str | int | SandboxLimits | None, ...], tuple[Any, str]] = {}

    def name_of(self, task: Task, index: int) -> str:
        """The name of the home of a contestant, which depends on the texts of its files; a class has its own home."""
        texts = sources_of(task, index)
        if not texts:
            self.setdefault(task.game, Home([]))
            return task.game
        single = task.players[index].player if is_class(task.players[index].player) else ""
        known = (single, task.sandbox, *(id(text) for text in texts.values()))
        if known not in self._digests:
            if len(self._digests) > MOST_KNOWN:
                self._digests.clear()
            boxed = dataclasses.asdict(task.sandbox) if task.sandbox is not None else None
            name = hashlib.sha256(json.dumps([task.game, texts, single, boxed]).encode()).hexdigest()
            self._digests[known] = texts, name  # the texts are kept so that no other object gets their ids
        name = self._digests[known][1]
        self.setdefault(name, Home([], bool(single)))
        return name

    def forget_empty(self, needed: Collection[str]) -> None:
        """Forget homes without games and processes, and the texts of their files, except for those that are needed."""
        for name in [name for name, home in self.items() if home.is_empty and name not in needed]:
            del self[name]
        self._digests = {known: found for known, found in self._digests.items() if found[1] in self}


def sources_of(task: Task, index: int) -> dict[str, Mapping[str, str]]:
    """The files of a contestant."""
    return {file: task.sources[file] for file in files_of(task.players[index].player) if file in task.sources}
