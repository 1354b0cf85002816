"""Trying what is in a file of the workshop. This runs the file, so it happens in a process of its own."""

import re
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

from zermelo.calls import Call
from zermelo.check.heuristics import game_of
from zermelo.check.positions import sample
from zermelo.core import JIT, Heuristic
from zermelo.errors import HeuristicError, PlayerError, SearchError, ZermeloError
from zermelo.games import catalogue_game, load_file, load_module
from zermelo.language import _
from zermelo.players import AlphaBetaPlayer, OwnSearchPlayer, Resigned
from zermelo.players.own import searches_in
from zermelo.players.player import Fault as Lost
from zermelo.players.programs import HostedPlayer, plays, programs_in
from zermelo.position import Game, Position
from zermelo.searches.own.running import ready
from zermelo.searches.own.search import OwnSearch
from zermelo.web.notation import shown_move
from zermelo.web.positions import view_of_board
from zermelo.web.workshop_files import written_docs

TRIED = 60 if JIT else 12
"""Number of positions of random games on which a heuristic is tried."""

SHOWN = 3
SPEED_DEPTH = 5 if JIT else 2
SEARCH_DEPTH = 4
TRIAL_SECONDS = 5.0
"""A search that is tried is stopped after this time, in each position, and a player is told that it has this time."""


class Fault(Exception):
    """What is wrong with the user's file, and in which line."""

    def __init__(self, text: str, line: int | None = None, heuristic: str | None = None):
        super().__init__(text)
        self.line, self.heuristic = line, heuristic


def check_file(file: str, game: str) -> dict[str, Any]:
    """Compile everything in a file and try it. Heuristics name their games; the others are tried in the given game."""
    path = Path(file).resolve()
    began = time.perf_counter()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            heuristics, searches, players = load_file(path), searches_in(path), programs_in(path)
        except ZermeloError as error:
            raise fault_of(error, path) from None
        if not (heuristics or searches or players):
            text = _(
                "this file has nothing to try; write @z.heuristic above a function that takes a board, "
                "@z.search above one that takes a node and a depth, or a class with a method choose"
            )
            raise Fault(text)
        tried = catalogue_game(game)
        checked = {
            "heuristics": [check_heuristic(heuristic, path) for heuristic in heuristics.values()],
            "searches": [check_search(search, tried, path) for search in searches.values()],
            "players": [check_player(name, tried, path) for name in players],
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
        positions = open_positions(game)
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


def check_player(name: str, game: Game, path: Path) -> dict[str, Any]:
    """What a player in plain Python plays in some positions, and how long it thinks."""
    if not plays(path, name, game):
        known = programs_in(path)[name].games(load_module(path), name) or []
        game = catalogue_game(known[0])
    player = HostedPlayer(path, Call(f"{path.name}:{name}"), TRIAL_SECONDS)
    positions = open_positions(game)
    try:
        player.prepare(game)
        choices = [player.think(position) for position in positions]
    except Lost as error:
        raise fault_of(PlayerError(error.fault), path, name) from None
    except Resigned:
        raise Fault(_("{name} resigns in a position in which it can move").format(name=name), None, name) from None
    except ZermeloError as error:
        raise fault_of(error, path, name) from None
    return {
        "name": name,
        "about": written_docs(path.read_text(encoding="utf-8")).get(name, ""),
        "game": str(game),
        "title": _(game.title),
        "slowest": max(choice.seconds for choice in choices),
        "samples": [
            {"picture": view_of_board(position), "move": shown_move(game, choice.move), "mover": mover(position)}
            for position, choice in zip(positions, choices, strict=True)
        ],
    }


def open_positions(game: Game) -> list[Position]:
    """Three positions in which a move can be chosen: the start, and two of random games."""
    found = [position for position in sample(game, TRIED, seed=1) if not position.is_over]
    return [game.start(), found[len(found) // 3], found[2 * len(found) // 3]]


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
