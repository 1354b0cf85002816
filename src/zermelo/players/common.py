"""What the players that search have in common: finding their heuristics and checking their options."""

import functools
from typing import Any

from zermelo.calls import Call, number_within, text_of
from zermelo.core import Heuristic
from zermelo.errors import HeuristicError, PlayerError
from zermelo.games import HeuristicLike, find_heuristic
from zermelo.language import Message
from zermelo.players.player import HeuristicChoice, Player
from zermelo.position import Game


def resolved(heuristic: HeuristicChoice, game: Game, cls: Any) -> Heuristic:
    """The chosen heuristic, compiled for this game's states. One in a file is read from the file as it is now."""
    text = game.default_heuristic if heuristic is None else heuristic
    found = find_heuristic(text, game) if _is_of_file(text) else _named(text, game)
    _check(found, game, cls)
    return found


def _is_of_file(text: HeuristicLike) -> bool:
    """Does a text name a file, which may be edited while the program runs?"""
    name = text.name if isinstance(text, Call) else text
    return isinstance(name, str) and (".py:" in name or ".npz" in name or ".json" in name)


@functools.lru_cache(maxsize=1024)
def _named(text: HeuristicLike, game: Game) -> Heuristic:
    return find_heuristic(text, game)


@functools.lru_cache(maxsize=1024)
def _check(found: Heuristic, game: Game, cls: Any) -> None:
    """Compile a heuristic, and make sure that it can judge positions of this game."""
    try:
        found.native(cls)
    except HeuristicError as error:
        if cls not in found.classes:
            raise HeuristicError("{error}, so it cannot play {title}", error=error, title=Message(game.title)) from None
        raise
    found.check(game.start_state())


FRACTIONS = ("seconds", "book", "exploration", "mix", "probcut", "scale", "tolerance", "overlook", "taste")
"""Options that need not be whole numbers."""


def require(player: Player, name: str, low: float, high: float | None = None, fraction: bool | None = None) -> None:
    """Refuse an option whose value is not a number in this range; None is always allowed.

    fraction: need it not be a whole number? By default, that depends on the name.
    """
    value = getattr(player, name)
    if value is None:
        return
    fraction = name in FRACTIONS if fraction is None else fraction
    whole = isinstance(value, int) and not isinstance(value, bool)
    fits = (whole or (fraction and isinstance(value, float))) and low <= value < float("inf")
    if not fits or (high is not None and value > high):
        raise PlayerError(
            "{kind}: {name}={value} is not {what}",
            kind=player.kind,
            name=name,
            value=text_of(value),
            what=number_within(low, high, whole=not fraction),
        )


def take_functions(player: Player, *names: str) -> None:
    """Make heuristics of the functions that these options hold, and refuse what is no heuristic."""
    for name in names:
        value = getattr(player, name)
        if value is not None and not isinstance(value, (str, Call)):
            object.__setattr__(player, name, find_heuristic(value))


def require_flags(player: Player, *names: str) -> None:
    """Refuse options that are neither yes nor no."""
    for name in names:
        value = getattr(player, name)
        if not isinstance(value, bool):
            raise PlayerError(
                "{kind}: {name}={value} is not yes or no", kind=player.kind, name=name, value=text_of(value)
            )
