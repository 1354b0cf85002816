"""Positions in which a heuristic is tried before it runs as plain Python (see core/fallback.py)."""

import contextlib
import functools
import itertools
from collections.abc import Iterator
from typing import Any

from zermelo.core import class_of
from zermelo.core.fallback import Trial
from zermelo.errors import ZermeloError
from zermelo.game_files import game_of_class
from zermelo.games.catalogue import game_names, packages
from zermelo.position import Game, random_playout

PLAYOUTS = 2
"""The random games from which positions are taken."""
EVERY = 5
"""How many positions apart they are."""


@functools.cache
def trial_of(cls: Any) -> Trial | None:
    """Positions of the game in a file, or of the first one of the catalogue, that has states of this class."""
    own = game_of_class(cls)
    if own is not None:
        return Trial(_states(own), own.heuristics[own.default_heuristic])
    for game in itertools.chain(_games(other_sizes=False), _games(other_sizes=True)):
        if class_of(game.start_state()) is cls:
            return Trial(_states(game), game.heuristics[game.default_heuristic])
    return None


def _games(other_sizes: bool) -> Iterator[Game]:
    """The games of the catalogue, as they usually are or with the least and the greatest value of each option."""
    for name in game_names():
        package, _, variant = name.partition("/")
        given = {"variant": variant} if variant else {}
        with contextlib.suppress(ZermeloError):  # a game of another package that cannot be made
            usual = packages()[package].make(**given)
            if not other_sizes:
                yield usual
                continue
            for option, limits in usual.option_limits.items():
                for value in limits:
                    with contextlib.suppress(ZermeloError):
                        yield packages()[package].make(**given, **{option: value})


def _states(game: Game) -> list[Any]:
    states = []
    for seed in range(PLAYOUTS):
        path = [position.state for position in random_playout(game.start(), seed).path if not position.is_over]
        states += path[:: EVERY + seed]
    return states
