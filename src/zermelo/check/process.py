"""The process in which a file is checked, so that nothing in it can hang or end the command.

{"do": "find", "file": "mine.py"}
                [{"kind": "heuristic", "name": "centre"}, ...]
{"do": "examine", "file": "mine.py", "kind": "heuristic", "name": "centre", "settings": {...}}
                a part for every Step, then the Report
{"do": "where", "file": "mine.py", "name": "centre", "game": null, "position": "4453"}
                [file, line, source]: where it is after a while as plain Python; null if it ends before that
"""

import dataclasses
import linecache
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.calls import Call
from zermelo.check import games, heuristics, players, searches
from zermelo.check.reports import Examination, Settings
from zermelo.core.failures import plain_result
from zermelo.errors import ZermeloError
from zermelo.games import load_file, read_game
from zermelo.players.programs import HostedPlayer, programs_in
from zermelo.processes.jobs import serve

WATCHED = 1.5
"""Seconds after which code that is still running is taken to be the endless loop."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing that a file may contain: how it is found, and how one of them is examined."""

    names: Callable[[Path], list[str]]
    examine: Callable[[Path, str, Settings], Examination]


KINDS = {
    "heuristic": Kind(heuristics.names, heuristics.examine),
    "search": Kind(searches.names, searches.examine),
    "player": Kind(players.names, players.examine),
    "game": Kind(games.names, games.examine),
}


def main() -> None:
    jobs: dict[str, Callable[..., Any]] = {"find": find, "examine": examine, "where": where}
    serve(jobs, lambda error: str(error) if isinstance(error, ZermeloError) else None)


def find(file: str) -> list[dict[str, str]]:
    """All things in a file."""
    return [{"kind": kind, "name": name} for kind, its in KINDS.items() for name in its.names(Path(file))]


def examine(file: str, kind: str, name: str, settings: dict[str, Any]) -> Generator[Any, None, Any]:
    """The steps of an examination, and the report."""
    steps = KINDS[kind].examine(Path(file), name, Settings(**settings))
    report = yield from _as_parts(steps)
    return dataclasses.asdict(report)


def _as_parts(steps: Examination) -> Generator[Any, None, Any]:
    while True:
        try:
            yield dataclasses.asdict(next(steps))
        except StopIteration as end:
            return end.value


# ------------------------------------------------------------------------------------------ endless loops


def where(file: str, name: str | None, game: str | None, position: str | None) -> list[Any] | None:
    """The line of a file that is running after a while: when it is loaded, or when it is given a position."""
    path = Path(file).resolve()

    def run() -> None:
        found = load_file(path)
        if name is not None and position is not None:
            heuristic = found.get(name)
            tried = read_game(game) if game is not None else heuristics.game_of(found[name])
            player = HostedPlayer(path, Call(f"{path.name}:{name}")) if name in programs_in(path) else None
            started.append(True)
            if heuristic is not None:
                plain_result(heuristic, tried.position(position).state)
            elif player is not None:
                player.think(tried.position(position))

    started: list[bool] = []
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    began = time.monotonic()
    while thread.is_alive() and (time.monotonic() - began < WATCHED or (name is not None and not started)):
        thread.join(0.05)
        if started and len(started) == 1:
            started.append(True)
            began = time.monotonic()
    seen = list(_lines_of(thread.ident, path.parent)) if thread.is_alive() else []
    return [seen[0][0], seen[0][1], linecache.getline(*seen[0]).strip()] if seen else None


def _lines_of(ident: int | None, folder: Path) -> Iterator[tuple[str, int]]:
    """The lines of the user's files that a thread is in, the innermost first."""
    frame = sys._current_frames().get(ident or 0)
    while frame is not None:
        if Path(frame.f_code.co_filename).is_relative_to(folder):
            yield frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back


if __name__ == "__main__":
    main()
