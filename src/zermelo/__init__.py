"""zermelo: a laboratory for two-player games of perfect information.

    import zermelo as z
    position = z.game("connect4").position("324443")
    z.alphabeta("connect4/lines2", depth=8).choose(position)

Names are imported when they are first used: `import zermelo` alone costs nothing.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Analysis": "analysis:Analysis",
    "Call": "calls:Call",
    "Choice": "players:Choice",
    "Game": "position:Game",
    "Heuristic": "core:Heuristic",
    "Player": "players:Player",
    "Position": "position:Position",
    "Record": "match:Record",
    "Solution": "solution:Solution",
    "ZermeloError": "errors:ZermeloError",
    "alphabeta": "players:AlphaBetaPlayer",
    "analyse": "analysis:analyse",
    "bit": "core:bit",
    "count": "core:count",
    "engine": "players:EnginePlayer",
    "game": "games:find_game",
    "games": "games:",  # the package itself, which lists its games when it is called
    "heuristic": "core:heuristic",
    "highest": "core:highest",
    "human": "players:HumanPlayer",
    "lowest": "core:lowest",
    "mcts": "players:MctsPlayer",
    "minimax": "players:MinimaxPlayer",
    "njit": "core:njit",
    "perft": "search.perft:perft",
    "play": "match:play_match",
    "player": "players:find_player",
    "random": "players:RandomPlayer",
    "score_text": "scores:score_text",
    "solve": "solving:solve",
    "state": "core:state",
    "tournament": "tournament:",  # the package itself, which plays one when it is called
    "trace": "tracing:trace_search",
    "without_lowest": "core:without_lowest",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    try:
        module, _, attribute = _HOME[name].partition(":")
    except KeyError:
        raise AttributeError(f"zermelo has no {name!r}") from None
    value = importlib.import_module(f"zermelo.{module}")
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
