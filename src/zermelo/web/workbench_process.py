"""A process that runs the heuristics, searches and players of users, outside the server.

It works in the folder of the workshop, and does these jobs (processes/jobs.py). All but the first are about a position,
{"game": ..., "start": ..., "line": [moves]}.

    {"do": "check", "file": "mine.py", "game": "connect4"}                 compile and try all that is in a file
    {"do": "move", "player": "alphabeta(heuristic=mine.py:middle)", "seconds": 30, ...}    choose a move
    {"do": "tree", "player": ..., "depth": 2, "window": null, ...}         the whole tree of that search
    {"do": "analyse", "heuristic": "mine.py:middle", "seconds": 3, "depth": null, ...}
    {"do": "graph", "heuristic": ..., "nodes": 50000, "plies": 9, ...}     judge each position of the last plies

An answer is {"done": ...}, or {"fault": {"line": 7, "text": "..."}} with a line of the user's file. The last two jobs
first answer with parts, {"part": ...}.
"""

import functools
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.calls import Call
from zermelo.errors import PlayerError, ZermeloError
from zermelo.games import catalogue_game
from zermelo.judging import deepened, review
from zermelo.language import _
from zermelo.players import Choice, ClassPlayer, OwnSearchPlayer, Resigned, SearchPlayer, find_player
from zermelo.players.player import Fault as PlayerFault
from zermelo.players.programs import HostedPlayer
from zermelo.position import Position
from zermelo.processes.jobs import serve
from zermelo.searches.budget import Budget
from zermelo.web.analysis_view import analysis_view, sometimes
from zermelo.web.workshop_trials import Fault, check_file


def main() -> None:
    jobs: dict[str, Callable[..., Any]] = {
        "check": check_file,
        "move": choose_move,
        "tree": search_tree,
        "analyse": analyse,
        "graph": graph,
    }
    serve(jobs, _as_fault)


def _as_fault(error: Exception) -> dict[str, Any] | None:
    """What the page is told about an error; None if it is a bug."""
    if isinstance(error, Fault):
        return {"line": error.line, "text": str(error), "heuristic": error.heuristic}
    if isinstance(error, ZermeloError):
        return {"line": None, "text": str(error), "heuristic": None}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == Path.cwd()]
    if not frames:
        return None
    place = _("{file}, line {line}").format(file=Path(frames[-1].filename).name, line=frames[-1].lineno)
    return {"line": frames[-1].lineno, "text": f"{place}: {type(error).__name__}: {error}", "heuristic": None}


# ------------------------------------------------------------------------------------------ a position


def position_after(game: str, start: str, line: list[str]) -> Position:
    position = catalogue_game(game).position(start)
    for move in line:
        position = position.play(move)
    return position


def choose_move(player: str, seconds: float, **place: Any) -> dict[str, Any]:
    """The move of a player that uses a file of the workshop."""
    position = position_after(**place)
    chosen = find_player(player, position.game).limited(Budget(seconds=seconds))
    try:
        if isinstance(chosen, ClassPlayer):
            choice = _choice_of_class(chosen, position)
        else:
            chosen.prepare(position.game)
            choice = chosen.think(position)
    except Resigned:
        raise Fault(_("it resigns")) from None
    return {
        "move": choice.move,
        "score": None if choice.score is None else choice.score.number,
        "line": list(choice.line),
        "depth": choice.depth,
        "nodes": choice.nodes,
        "seconds": choice.seconds,
    }


def _choice_of_class(player: ClassPlayer, position: Position) -> Choice:
    """The move of a class of players. It runs here: this process is kept for it, and holds its objects."""
    hosted = _hosted(player.call)
    hosted.seconds = player.seconds
    try:
        return hosted.think(position)
    except PlayerFault as fault:
        raise PlayerError(fault.fault.replace(f"{hosted.path.parent}/", "")) from None


@functools.cache
def _hosted(call: Call) -> HostedPlayer:
    return HostedPlayer(Path(call.name.rpartition(":")[0]), call)


def search_tree(player: str, depth: int, window: list[float] | None, **place: Any) -> dict[str, Any]:
    """The tree of a search of the workshop, or with a heuristic of the workshop, in the form of SearchTree."""
    from zermelo.web.why_tree import explore, explore_own  # it takes half a second, and the other jobs need not wait

    position = position_after(**place)
    chosen = find_player(player, position.game)
    assert isinstance(chosen, SearchPlayer)
    if isinstance(chosen, OwnSearchPlayer):
        return explore_own(position, chosen, depth, window).model_dump()
    return explore(position, chosen).model_dump()


def analyse(heuristic: str, seconds: float, depth: int | None, **place: Any) -> Iterator[dict[str, Any]]:
    """Analyses with a heuristic or search of the workshop, deeper and deeper, in the form that the page shows."""
    position = position_after(**place)
    for found in sometimes(deepened(position, Budget(depth, seconds=seconds), heuristic)):
        yield analysis_view(position, found) | {"heuristic": heuristic}


def graph(heuristic: str, nodes: int, plies: int, **place: Any) -> Iterator[dict[str, Any]]:
    """The points of a game's graph."""
    yield from review(position_after(**place).path[-plies - 1 :], nodes, heuristic)


if __name__ == "__main__":
    main()
