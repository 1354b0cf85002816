"""Players: a search with a heuristic and a budget, a user's class, random moves, a person, or another program.

A player can be written as text, `alphabeta(depth=6, heuristic=centre)`, and prints itself in this form.
"""

import inspect
from typing import Any

from zermelo.calls import Call, call_of, named_options
from zermelo.core import Heuristic
from zermelo.core.contents import is_named
from zermelo.core.parts import Named, part_of
from zermelo.errors import GameError, HeuristicError, PlayerError
from zermelo.games import HeuristicLike, find_game, find_heuristic
from zermelo.language import gettext
from zermelo.players import handed_in as handed_in  # it adds its style to those of programs.py
from zermelo.players.chance import RandomPlayer
from zermelo.players.classes import ClassPlayer, class_player
from zermelo.players.engine import EnginePlayer
from zermelo.players.external import ProcessPlayer
from zermelo.players.fallible import FalliblePlayer
from zermelo.players.gtp import GtpPlayer
from zermelo.players.human import HumanPlayer
from zermelo.players.levels import NAMES, LevelPlayer
from zermelo.players.mcts import SIMULATIONS, MctsPlayer
from zermelo.players.nboard import NBoardPlayer
from zermelo.players.own import OwnSearchPlayer, own_player, tuned_search
from zermelo.players.player import Choice, HeuristicChoice, Player, Resigned, TakeBack
from zermelo.players.textbook import AlphaBetaPlayer, MinimaxPlayer, SearchPlayer
from zermelo.players.wasm import WasmPlayer
from zermelo.position import Game
from zermelo.searches.own.search import OwnSearch

__all__ = [
    "KINDS",
    "SIMULATIONS",
    "AlphaBetaPlayer",
    "Choice",
    "ClassPlayer",
    "EnginePlayer",
    "FalliblePlayer",
    "HeuristicChoice",
    "HumanPlayer",
    "LevelPlayer",
    "MctsPlayer",
    "MinimaxPlayer",
    "OwnSearchPlayer",
    "Player",
    "PlayerLike",
    "RandomPlayer",
    "Resigned",
    "SearchPlayer",
    "TakeBack",
    "WasmPlayer",
    "find_player",
    "named_players",
]

PlayerLike = Player | HeuristicLike
"""What users may give for a player: it, its text, or a heuristic, with which alpha-beta then plays."""

KINDS: dict[str, type[Player]] = {
    cls.kind: cls
    for cls in (
        EnginePlayer,
        MctsPlayer,
        AlphaBetaPlayer,
        MinimaxPlayer,
        OwnSearchPlayer,
        ClassPlayer,
        LevelPlayer,
        FalliblePlayer,
        RandomPlayer,
        HumanPlayer,
        ProcessPlayer,
        GtpPlayer,
        NBoardPlayer,
        WasmPlayer,
    )
}


def named_players(game: Game) -> dict[str, str]:
    """The players that a game brings along: the texts that describe them, by name."""
    package = type(game).__module__
    module = part_of(package, "players")
    return Named(module.PLAYERS if module else {}, package)


def find_player(text: PlayerLike, game: Game | None = None) -> Player:
    """The player that a text describes, such as `alphabeta(depth=6, heuristic=centre)` or `parcheckers/ninja1`.

    Players that the given game brings along can be written without the name of the game. A heuristic, or its name,
    stands for alpha-beta with this heuristic.
    """
    if isinstance(text, Player):
        return text
    if isinstance(text, OwnSearch):
        return OwnSearchPlayer(function=text)
    if isinstance(text, Heuristic) or inspect.isfunction(text):
        return AlphaBetaPlayer(text)
    if not isinstance(text, (str, Call)):
        raise PlayerError(
            "{value!r} is not a player; write its text, such as 'alphabeta(depth=4)', or a heuristic, or derive its "
            "class from z.Player",
            value=text,
        )
    call = call_of(text)
    cls = KINDS.get(call.name)
    if cls is None:
        return _named(call, game)
    given: dict[str, Any] = dict(named_options(call, list(cls.options()), PlayerError))
    return cls(**given)


def _named(call: Call, game: Game | None) -> Player:
    game_name, _, name = call.name.rpartition("/")
    try:
        game = find_game(game_name) if game_name else game
    except GameError:
        game = None
    if call.name in NAMES:
        of_level: dict[str, Any] = dict(named_options(call, ["seed"], PlayerError))
        return LevelPlayer(call.name, **of_level)
    known = named_players(game) if game is not None else {}
    if name in known and not call.options:
        return find_player(known[name], game)
    if is_named(call.name, "search"):
        return own_player(call)
    if call.name.endswith(".json") and (tuned := tuned_search(call)) is not None:
        return own_player(tuned)
    if is_named(call.name, "player"):
        return class_player(call)
    if _is_heuristic(call, game):
        return AlphaBetaPlayer(call if call.options else call.name)
    others = gettext(" or {known}").format(known=", ".join(known)) if known else ""
    raise PlayerError(
        "there is no player {call!r}; the players are {kinds}{others}",
        call=str(call),
        kinds=", ".join(KINDS),
        others=others,
    )


def _is_heuristic(call: Call, game: Game | None) -> bool:
    """Does a text name a heuristic, if it names no player? A file that cannot be used is an error of its own."""
    if ":" in call.name or call.name.endswith((".npz", ".json")):
        return True
    try:
        find_heuristic(Call(call.name), game)
    except (HeuristicError, GameError):
        return False
    return True
