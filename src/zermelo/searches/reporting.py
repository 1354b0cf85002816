"""Failures during a search, of heuristics, rules or a user's search: reported with the file, the line and its source.

The rules are asked first: whatever calls them fails where they do.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zermelo.core import Heuristic
from zermelo.core.explanations import place_text
from zermelo.core.failures import Recording, failure_reason, failure_text, last_line
from zermelo.core.searching import searching
from zermelo.errors import HeuristicError, SearchError, ZermeloError
from zermelo.language import Message, _
from zermelo.position import Position, random_playout
from zermelo.searches.walking import failing_path

SECONDS = 3.0
"""Maximum time to try positions near the root before the search is run again."""


class reporting:  # noqa: N801 - used like a function
    """Reports what goes wrong inside heuristics and rules while a search runs, with the position and the line.

    position: where the search began. again: runs the same search with other heuristics in the place of these, to find
    the position at which they fail. (Compiled code does not tell, and to write each one down would slow it.)
    own: the search, if a user wrote it.
    """

    def __init__(
        self,
        position: Position,
        *heuristics: Heuristic | None,
        again: Callable[..., object] | None = None,
        own: "Own | None" = None,
    ):
        self.position, self.heuristics, self.again, self.own = position, heuristics, again, own

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ZermeloError):
            with searching(self.position.state):
                found = self._nearby(error) or self._in_search(error)
                if found is not None:
                    raise HeuristicError(failure_text(*found)) from error
            ask_rules(self.position)
            if self.own is not None:
                raise SearchError(self._own_text(self.own, error)) from error
            raise HeuristicError(self._text(error)) from error

    def _text(self, error: Exception) -> Message:
        names = _(" or ").join(str(h) for h in dict.fromkeys(self.heuristics) if h is not None)
        return Message(
            "{names} failed: {reason} (it did not fail again, so its position is not known)",
            names=names,
            reason=failure_reason(error),
        )

    def _nearby(self, error: Exception) -> tuple[Heuristic, Any, str, BaseException] | None:
        """A failure in one of the positions round the root, or of random games from there."""
        for position in _positions(self.position):
            _moves = position.codes  # the rules first: a heuristic that asks them fails where they do
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

    def _own_text(self, own: "Own", error: Exception) -> Message:
        """The line at which a user's search fails: that of the search itself, or of the same search as plain Python."""
        place = last_line(error, own.function.__code__)
        if place is None:
            try:
                own.plain()
            except Exception as again:
                if type(again) is type(error):
                    place, error = last_line(again, own.function.__code__), again
        reason = failure_reason(error)
        if place is None:
            return Message("{name} failed: {reason}", name=own.name, reason=reason)
        told = place_text(*place, own.function.__name__)
        return Message("{place}\n    {name} failed: {reason}", place=told, name=own.name, reason=reason)


class Own(NamedTuple):
    """A search that a user wrote."""

    name: str
    function: Any
    plain: Callable[[], object]
    """Runs it as plain Python, which knows the line at which it fails; for a few seconds at most."""


def ask_rules(root: Position) -> None:
    """Look for a position after this one in which the rules fail; if there is one, GameError tells their author."""
    path = failing_path(root.state)
    if path is not None:
        for move in path:
            root = root.play_code(move)
        ask(root)


def ask(position: Position) -> None:
    """Ask the rules about a position. If they fail, GameError tells their author."""
    if not position.is_over:
        for move in position.codes:
            position.play_code(move)
    else:
        _result = position.winner, position.margin


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
        for move in position.codes:
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
