"""Talking to the processes in which contestants' files run (see guest.py)."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo.errors import HeuristicError, ZermeloError
from zermelo.games.sandboxed import sandbox_with
from zermelo.language import gettext
from zermelo.processes.foreign import LONGEST_REASON, ForeignProcess, ProcessFault
from zermelo.processes.sandbox import SandboxLimits

MOST_SEATED = 1000
"""Number of players that are remembered as made. The process itself keeps as many."""

Sources = Mapping[str, Mapping[str, str]]
"""For each file that players' texts name: the texts of that file and its neighbours, by file name."""


def missing_here(platform: str = sys.platform) -> str | None:
    """What this system cannot do with a contestant's process, for the reader of the results; None on Linux."""
    if platform == "win32":
        return gettext("on Windows only the process of a contestant's file is ended, not those that it has started")
    if platform != "linux":
        return gettext(
            "on this system the tournament itself may be ended if a contestant's file uses up the memory; "
            "resume continues it"
        )
    return None


class GuestProcess(ForeignProcess):
    """A process that holds the files of one contestant and of nobody else."""

    def __init__(self, game: str, sources: Sources, sandbox: SandboxLimits | None = None):
        """Start the process, in a sandbox if there are limits for one. Raises ZermeloError if it cannot be started."""
        self.sources = sources
        self.seated: dict[str, str] = {}  # players that were made there, and where their code is
        try:
            box = sandbox_with(sandbox, game=game) if sandbox is not None else None
            super().__init__("zermelo.tournaments.guest", box)
            self.greet()
        except OSError as error:
            raise ZermeloError("a process cannot be started: {error}", error=error) from None
        except ProcessFault as fault:
            raise ZermeloError(
                "the process for contestants did not start: {error}", error=f"{fault}\n{fault.errors}"
            ) from None
        self.order("open", game=game, sources=sources)

    def shown(self, path: Path) -> str | None:
        for file, texts in self.sources.items():
            if path.name in texts and "sources" in path.parts:
                return str(Path(file).parent / path.name)
        return None

    def seat(self, player: str, limit: float) -> None:
        """Have a player made, and its files loaded and compiled. Raises HeuristicError if that fails."""
        if player not in self.seated:
            self.order("seat", player=player)
            answer = self.answer(limit, " or ".join(self.sources))
            if "error" in answer:
                raise HeuristicError(_text(answer["error"]))
            if len(self.seated) >= MOST_SEATED:
                self.seated.clear()
            self.seated[player] = _text(answer.get("ready"))

    def __enter__(self) -> "GuestProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()


def _text(value: Any) -> str:
    return value[: LONGEST_REASON * 4] if isinstance(value, str) else ""


def enlisted(
    file: str, texts: Mapping[str, str], game: str, limit: float, sandbox: SandboxLimits | None = None
) -> list[list[str]]:
    """The names of a file's heuristics for a game, what these call themselves, its searches, its players, and warnings.

    Raises HeuristicError if the file cannot be used.
    """
    with GuestProcess(game, {file: texts}, sandbox) as guest:
        guest.order("enlist", file=file)
        try:
            answer = guest.answer(limit, file)
        except ProcessFault as fault:
            raise HeuristicError(str(fault)) from None
    if "error" in answer:
        raise HeuristicError(_text(answer["error"]))
    found = [_texts(answer.get(name), file) for name in ("heuristics", "titles", "searches", "players", "warnings")]
    if len(found[0]) != len(found[1]):
        raise HeuristicError("{where}: its process gave a wrong answer", where=file)
    return found


def check_player(
    player: str, sources: Sources, game: str, limit: float, sandbox: SandboxLimits | None = None
) -> list[str]:
    """Make a player in a separate process, only to see whether that works. Returns warnings about it."""
    with GuestProcess(game, sources, sandbox) as guest:
        guest.order("seat", player=player)
        try:
            answer = guest.answer(limit, " or ".join(sources))
        except ProcessFault as fault:
            raise HeuristicError(str(fault)) from None
    if "error" in answer:
        raise HeuristicError(_text(answer["error"]))
    return _texts(answer.get("warnings"), player)


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, Sequence) or not all(isinstance(text, str) for text in value):
        raise HeuristicError("{where}: its process gave a wrong answer", where=where)
    return [text[:LONGEST_REASON] for text in value]
