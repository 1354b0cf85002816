"""zermelo: a laboratory for two-player games of perfect information.

    import zermelo as z
    position = z.game("connect4").position("324443")
    z.alphabeta("connect4/lines2", depth=8).choose(position)

Names are imported when they are first used: `import zermelo` alone costs nothing. Every game of the catalogue also has
its boards here, under the name that its package gives them: `z.Connect4`, `z.Hex`; or its states, if it has no boards.
"""

import importlib
from typing import Any

from zermelo import old_names

__version__ = "0.2.0"

_HOME = {
    "Analysis": "analysis:Analysis",
    "Board": "boards:Board",
    "Call": "calls:Call",
    "CellSet": "boards:CellSet",
    "Choice": "players:Choice",
    "DRAW": "core.grids:DRAW",
    "EMPTY": "boards:EMPTY",
    "Exercise": "exercises:Exercise",
    "Game": "position:Game",
    "Heuristic": "core:Heuristic",
    "MAX": "searches.own.nodes:MAX",
    "MIN": "searches.own.nodes:MIN",
    "MINE": "boards:MINE",
    "PlainPythonWarning": "errors:PlainPythonWarning",
    "Player": "players:Player",
    "Position": "position:Position",
    "Record": "match:Record",
    "Score": "scores:Score",
    "Solution": "solving.solution:Solution",
    "THEIRS": "boards:THEIRS",
    "ZermeloError": "errors:ZermeloError",
    "alphabeta": "players:AlphaBetaPlayer",
    "analyse": "analysis:analyse",
    "bit": "core:bit",
    "catalogue": "games:game_names",
    "cells": "boards:cells",
    "count": "core:count",
    "engine": "players:EnginePlayer",
    "environment": "research.environments:environment",
    "exercise": "exercises:exercise",
    "explore": "notebook:explore",
    "game": "games:find_game",
    "games": "games:",  # the package; until version 0.3 it still lists the games when it is called
    "heuristic": "core:heuristic",
    "highest": "core:highest",
    "human": "players:HumanPlayer",
    "lowest": "core:lowest",
    "mcts": "players:MctsPlayer",
    "minimax": "players:MinimaxPlayer",
    "njit": "core:njit",
    "perft": "analysis:perft",
    "play": "match:play_match",
    "player": "players:find_player",
    "random": "players:RandomPlayer",
    "records_frame": "research.frames:records_frame",
    "score_text": "scores:score_text",
    "search": "searches.own.search:search",
    "self_play": "research.self_play:self_play",
    "solve": "analysis:solve",
    "state": "core:state",
    "tournament": "tournaments:tournament",
    "trace": "tracing:trace_search",
    "widget": "notebook:widget",
    "without_lowest": "core:without_lowest",
}

__all__ = ["__version__", *_HOME]

old_names.install()


def __getattr__(name: str) -> Any:
    if name in _HOME:
        module, _, attribute = _HOME[name].partition(":")
        value: Any = importlib.import_module(f"zermelo.{module}")
        if attribute:
            value = getattr(value, attribute)
    else:  # the boards of a game, such as z.Connect4
        value = importlib.import_module("zermelo.games").find_annotation(name) if name[:1].isupper() else None
        if value is None:
            boards = importlib.import_module("zermelo.games").annotation_names() if name[:1].isupper() else []
            import difflib  # here, since every start would pay for it

            close = difflib.get_close_matches(name, [*__dir__(), *boards], 1)
            raise AttributeError(f"zermelo has no {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
