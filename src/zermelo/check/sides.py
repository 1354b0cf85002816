"""Does a value belong to the player to move? It should change its sign when the sides change places."""

from collections.abc import Callable, Sequence
from typing import Any

from zermelo.position import Position
from zermelo.rules import play, to_move

OPPOSITE, MOSTLY, BLIND, ONE_SIDED, CONSTANT, FIXED, UNKNOWN = (
    "opposite",  # the value changes its sign exactly
    "mostly",  # it does so in most positions: having the move is worth something
    "blind",  # both sides get the same value
    "one-sided",  # the value is never below zero, or never above
    "constant",  # every position has the same value
    "fixed",  # the value does not follow the player to move
    "unknown",  # too few positions can be compared
)
FEWEST = 8
"""With fewer positions than this, nothing is said about signs."""
CLOSE = 0.002
"""Values of a search are thousandths of a point, so rounding makes a difference of up to two of them."""


def turned(state: Any) -> Any:
    """The same board with the other player to move; None if the fields of the state do not tell how that is written."""
    fields, changed = state._fields, {}
    if "mine" in fields and "theirs" in fields:
        changed = {"mine": state.theirs, "theirs": state.mine}
    elif "mine" in fields and "stones" in fields:
        changed = {"mine": state.mine ^ state.stones}
    if "player" in fields:
        changed["player"] = 1 - int(state.player)
    return state._replace(**changed) if changed else None


def pairs_of(positions: Sequence[Position], value: Callable[[Any], float | None]) -> list[tuple[float, float]]:
    """Values that should be opposite: of positions, and of the same boards with the other player to move.

    Where a board cannot be turned, the second value is that of a position after a move by which the turn passes.
    """
    found = []
    for position in positions:
        here = value(position.state)
        other = turned(position.state)
        there = value(other) if other is not None else _after_a_move(position, value)
        if here is not None and there is not None:
            found.append((here, there))
    return found


def _after_a_move(position: Position, value: Callable[[Any], float | None]) -> float | None:
    for move in position.codes:
        after = play(position.state, move)
        if to_move(after) != to_move(position.state):
            return value(after)
    return None


def verdict(pairs: Sequence[tuple[float, float]], can_turn: bool) -> str:
    """What the pairs say about the signs of a heuristic's values."""
    if len(pairs) < FEWEST:
        return UNKNOWN
    values = [here for here, _ in pairs] + ([there for _, there in pairs] if can_turn else [])
    if max(values) - min(values) <= CLOSE:
        return CONSTANT
    same = sum(abs(here - there) for here, there in pairs)
    opposed = sum(abs(here + there) for here, there in pairs)
    if not can_turn:
        return FIXED if 2 * same < opposed else ONE_SIDED if _is_one_sided(values) else MOSTLY
    if all(abs(here + there) <= CLOSE + 1e-6 * abs(here) for here, there in pairs):
        return OPPOSITE
    if all(abs(here - there) <= CLOSE for here, there in pairs):
        return BLIND
    if _is_one_sided(values):
        return ONE_SIDED
    return FIXED if 2 * same < opposed else MOSTLY


def _is_one_sided(values: Sequence[float]) -> bool:
    return min(values) >= -CLOSE or max(values) <= CLOSE
