"""What the players that search have in common: finding their heuristic, checking their options, telling of a line."""

import functools
from typing import Any

from zermelo.calls import Call, text_of
from zermelo.core import Heuristic
from zermelo.errors import HeuristicError, PlayerError, ZermeloError
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.playing import Player
from zermelo.position import Game, Position
from zermelo.rules import can_repeat

HeuristicChoice = Heuristic | str | Call | None


@functools.lru_cache(maxsize=1024)
def resolved(heuristic: HeuristicChoice, game: Game, cls: Any) -> Heuristic:
    """The heuristic meant, compiled for this game's states."""
    text = game.default_heuristic if heuristic is None else heuristic
    found = find_heuristic(text, game)
    try:
        found.native(cls)
    except HeuristicError as error:
        if cls not in found.classes:
            raise HeuristicError(
                _("{error}: it does not play {title}").format(error=error, title=_(game.title))
            ) from None
        raise
    found.check(game.start_state())
    return found


FRACTIONS = ("seconds", "exploration", "mix", "scale")  # options that need not be whole


def require(player: Player, name: str, low: float, high: float | None = None) -> None:
    """Refuse an option whose value is no number of this range; None is none at all."""
    value = getattr(player, name)
    if value is None:
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    fits = (whole or (name in FRACTIONS and isinstance(value, float))) and low <= value < float("inf")
    if not fits or (high is not None and value > high):
        most = _(" to {high}").format(high=high) if high is not None else _(" or more")
        raise PlayerError(
            _("{kind}: {name}={value} is not a number, {low:g}{most}").format(
                kind=player.kind, name=name, value=text_of(value), low=low, most=most
            )
        )


def require_flags(player: Player, *names: str) -> None:
    """Refuse options that are neither yes nor no."""
    for name in names:
        value = getattr(player, name)
        if not isinstance(value, bool):
            raise PlayerError(
                _("{kind}: {name}={value} is not yes or no").format(kind=player.kind, name=name, value=text_of(value))
            )


class reporting:  # noqa: N801 - used like a function
    """What goes wrong inside a heuristic while a search runs is reported under its name."""

    def __init__(self, *heuristics: Heuristic | None):
        self.names = _(" or ").join(str(h) for h in dict.fromkeys(heuristics) if h is not None)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ZermeloError):
            hint = _("NUMBA_DISABLE_JIT=1 runs it as plain Python and shows the line")
            raise HeuristicError(
                _("{names} failed: {kind}: {error} ({hint})").format(
                    names=self.names, kind=type(error).__name__, error=error, hint=hint
                )
            ) from error


def line_texts(position: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """A line of move codes as texts."""
    texts = []
    for move in moves:
        texts.append(position.game.move_text(position.state, move))
        position = position.play_code(move)
    return tuple(texts)


def past_keys(position: Position) -> tuple[int, ...]:
    """The keys of the positions before this one, for games in which positions can come back."""
    if not can_repeat(position.state):
        return ()
    return tuple(earlier.key for earlier in position.path[:-1])
