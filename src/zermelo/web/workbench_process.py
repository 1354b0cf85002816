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
import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.analysis import deepen
from zermelo.calls import Call
from zermelo.check.heuristics import game_of
from zermelo.check.positions import sample
from zermelo.core import JIT, Heuristic
from zermelo.errors import HeuristicError, PlayerError, SearchError, ZermeloError
from zermelo.games import catalogue_game, load_file
from zermelo.language import _
from zermelo.players import AlphaBetaPlayer, Choice, ClassPlayer, OwnSearchPlayer, SearchPlayer, find_player
from zermelo.players.own import searches_in
from zermelo.players.player import Fault as PlayerFault
from zermelo.players.programs import HostedPlayer
from zermelo.position import Game, Position
from zermelo.processes.jobs import serve
from zermelo.searches.budget import Budget
from zermelo.searches.own.running import ready
from zermelo.searches.own.search import OwnSearch
from zermelo.web.judging import analysis_view, review, sometimes
from zermelo.web.notation import shown_move
from zermelo.web.positions import view_of_board

TRIED = 60 if JIT else 12
"""Number of positions of random games on which a heuristic is tried."""

SHOWN = 3
SPEED_DEPTH = 5 if JIT else 2
SEARCH_DEPTH = 4
TRIAL_SECONDS = 5.0
"""A search that is tried is stopped after this time, in each position."""


class Fault(Exception):
    """What is wrong with the user's file, and in which line."""

    def __init__(self, text: str, line: int | None = None, heuristic: str | None = None):
        super().__init__(text)
        self.line, self.heuristic = line, heuristic


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


# ------------------------------------------------------------------------------------------ check


def check_file(file: str, game: str) -> dict[str, Any]:
    """Compile everything in a file and try it. Heuristics name their games; the others are tried in the given game."""
    path = Path(file).resolve()
    began = time.perf_counter()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            heuristics, searches = load_file(path), searches_in(path)
        except ZermeloError as error:
            raise fault_of(error, path) from None
        if not heuristics and not searches:
            text = _(
                "this file has nothing to try; write @z.heuristic above a function that takes a board, "
                "or @z.search above one that takes a node and a depth"
            )
            raise Fault(text)
        tried = catalogue_game(game)
        checked = {
            "heuristics": [check_heuristic(heuristic, path) for heuristic in heuristics.values()],
            "searches": [check_search(search, tried, path) for search in searches.values()],
        }
    seconds = time.perf_counter() - began
    texts = list(dict.fromkeys(str(one.message) for one in warned if issubclass(one.category, UserWarning)))
    return checked | {"seconds": round(seconds, 3), "warnings": texts}


def check_heuristic(heuristic: Heuristic, path: Path) -> dict[str, Any]:
    """The game of a heuristic, its values in some positions, and the speed of a search with it."""
    try:
        game = game_of(heuristic)
        heuristic.native(type(game.start_state()))
    except ZermeloError as error:
        raise fault_of(error, path, heuristic.name) from None
    positions = sample(game, TRIED, seed=1)
    values = [value_of(heuristic, position, path) for position in positions]
    shown = [0, len(positions) // 2, len(positions) - 1][:SHOWN]
    choice = AlphaBetaPlayer(heuristic, depth=SPEED_DEPTH).think(game.start())
    return {
        "name": heuristic.name,
        "about": (heuristic.__doc__ or "").strip().partition("\n")[0],
        "weights": heuristic.weights,
        "game": str(game),
        "title": _(game.title),
        "low": min(values),
        "high": max(values),
        "samples": [
            {"picture": view_of_board(positions[i]), "value": values[i], "mover": mover(positions[i])} for i in shown
        ],
        "rate": round((choice.nodes or 0) / max(choice.seconds, 1e-6)),
        "choice": shown_move(game, choice.move),
    }


def check_search(search: OwnSearch, game: Game, path: Path) -> dict[str, Any]:
    """What a search plays in some positions, how fast it is, and what the built-in alpha-beta finds at this depth."""
    try:
        is_compiled = ready(search, type(game.start_state())).is_compiled
        player = OwnSearchPlayer(None, SEARCH_DEPTH if is_compiled else 2, function=search, seconds=TRIAL_SECONDS)
        rival = AlphaBetaPlayer(None, player.depth)
        open_ones = [position for position in sample(game, TRIED, seed=1) if not position.is_over]
        positions = [game.start(), open_ones[len(open_ones) // 3], open_ones[2 * len(open_ones) // 3]]
        found = [(player.think(position), rival.think(position)) for position in positions]
    except ZermeloError as error:
        raise fault_of(error, path, search.name) from None
    except Exception as error:  # raised by the search itself, as plain Python
        raise Fault(f"{type(error).__name__}: {error}", line_in(error, path), search.name) from None
    own, ours = (sum(choice.nodes or 0 for choice in side) for side in zip(*found, strict=True))
    return {
        "name": search.name,
        "about": (search.function.__doc__ or "").strip().partition("\n")[0],
        "weights": search.weights,
        "game": str(game),
        "title": _(game.title),
        "heuristic": game.default_heuristic,
        "depth": player.depth,
        "compiled": is_compiled,
        "nodes": own,
        "alphabeta": ours,
        "rate": round(own / max(sum(choice.seconds for choice, _rival in found), 1e-6)),
        "samples": [
            {
                "picture": view_of_board(position),
                "value": choice.score.text if choice.score else "",
                "move": shown_move(game, choice.move),
                "mover": mover(position),
            }
            for position, (choice, _rival) in zip(positions, found, strict=True)
        ],
    }


def mover(position: Position) -> str:
    return _(position.game.players[position.to_move - 1])


def value_of(heuristic: Heuristic, position: Position, path: Path) -> float:
    try:
        return heuristic(position)
    except HeuristicError as error:
        raise fault_of(error, path, heuristic.name) from None


def line_in(error: BaseException, path: Path) -> int | None:
    """The line of the user's file in which an error arose."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return lines[-1] if lines else None


def fault_of(error: ZermeloError, path: Path, heuristic: str | None = None) -> Fault:
    """An error as the page shows it: the line is separate, and the file is not named."""
    text, line = str(error), line_in(error, path)
    named = re.match(rf"{re.escape(str(path))}:(\d+): (.*)", text, re.DOTALL)
    if named:
        line, text = int(named[1]), named[2]
        source, advice = [*text.split("\n    ", 1), ""][:2]
        if isinstance(error, (HeuristicError, SearchError)) and advice:
            named_only = re.escape(_("in {name}")).replace(r"\{name\}", r"\w+")
            text = f"{source}: {advice}" if re.fullmatch(named_only, source) else advice
    return Fault(text.replace(f"{path}", path.name), line, heuristic)


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
    if isinstance(chosen, ClassPlayer):
        choice = _choice_of_class(chosen, position)
    else:
        chosen.prepare(position.game)
        choice = chosen.think(position)
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
    """Analyses with a heuristic of the workshop, deeper and deeper, in the form that the page shows."""
    position = position_after(**place)
    for found in sometimes(deepen(position, Budget(depth, seconds=seconds), heuristic=heuristic)):
        yield analysis_view(position, found)


def graph(heuristic: str, nodes: int, plies: int, **place: Any) -> Iterator[dict[str, Any]]:
    """The points of a game's graph."""
    yield from review(position_after(**place).path[-plies - 1 :], nodes, heuristic)


if __name__ == "__main__":
    main()
