"""Failures of a heuristic during a search, reported with the position, the file, the line and its source."""

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.core import Heuristic
from zermelo.core.failures import Recording, failure_reason, failure_text
from zermelo.errors import HeuristicError, ZermeloError
from zermelo.language import Message, _
from zermelo.position import Position, random_playout
from zermelo.rules import moves_of

SECONDS = 3.0
"""Maximum time to try positions near the root before the search is run again."""


class reporting:  # noqa: N801 - used like a function
    """Reports what goes wrong inside a heuristic while a search runs, with the position and the line.

    position: where the search began. again: runs the same search with other heuristics in the place of these, to find
    the position at which they fail. (Compiled code does not tell, and to write each one down would slow it.)
    """

    def __init__(self, position: Position, *heuristics: Heuristic | None, again: Callable[..., object] | None = None):
        self.position, self.heuristics, self.again = position, heuristics, again

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ZermeloError):
            raise HeuristicError(self._text(error)) from error

    def _text(self, error: Exception) -> Message:
        found = self._nearby(error) or self._in_search(error)
        if found is not None:
            return failure_text(*found)
        names = _(" or ").join(str(h) for h in dict.fromkeys(self.heuristics) if h is not None)
        return Message(
            "{names} failed: {reason} (it did not fail again, so its position is not known)",
            names=names,
            reason=failure_reason(error),
        )

    def _nearby(self, error: Exception) -> tuple[Heuristic, Any, str, BaseException] | None:
        """A failure in one of the positions round the root, or of random games from there."""
        for position in _positions(self.position):
            for heuristic in dict.fromkeys(self.heuristics):
                try:
                    if heuristic is not None:
                        heuristic.native(type(position.state))(position.state, heuristic.address)
                except Exception as failure:
                    if type(failure) is type(error):
                        return heuristic, position.state, str(position), failure  # type: ignore[return-value]
        return None

    def _in_search(self, error: Exception) -> tuple[Heuristic, Any, str, BaseException] | None:
        """The failure of the same search, run again with heuristics that write down what they judge."""
        if self.again is None:
            return None
        twins = {heuristic: Recording(heuristic) for heuristic in self.heuristics if heuristic is not None}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.again(*(twins[heuristic] if heuristic is not None else None for heuristic in self.heuristics))
        except Exception as failure:
            for heuristic, twin in twins.items():
                state = twin.last(self.position.state)
                try:
                    if state is not None:
                        heuristic.native(type(state))(state, heuristic.address)
                except type(failure) as same:
                    return heuristic, state, _text_of(Position(self.position.game, state)), same
        return None


def _positions(root: Position) -> Iterator[Position]:
    """The root, what follows it, breadth first, and positions of random games, for SECONDS in all."""
    began = time.perf_counter()
    waiting, seen = [root], {root.key}
    for position in waiting:
        if position.is_over:
            continue
        yield position
        if time.perf_counter() - began > SECONDS / 2:
            break
        for move in moves_of(position.state):
            child = position.play_code(move)
            if child.key not in seen:
                seen.add(child.key)
                waiting.append(child)
    seed = 0
    while time.perf_counter() - began < SECONDS:
        yield from (position for position in random_playout(root, seed).path if not position.is_over)
        seed += 1


def _text_of(position: Position) -> str:
    """The text of a position whose moves are not known; a picture, if the text would be its moves."""
    text = str(position)
    try:
        if position.game.position(text) == position:
            return text
    except ZermeloError:
        pass
    return position.board()
