"""Kalah in text: a move is a house, `a` to `f`; a position is `0,5,5,5,5,4:0 4,4,4,4,4,4:0 second`."""

import re
from typing import Any

from zermelo.errors import PositionError
from zermelo_kalah.rules import MOST_HOUSES, STORE, Kalah

LETTERS = "abcdef"
SIDES = ("first", "second")
MOST_STONES = 96
"""The maximum number of stones on the board: all of them must fit into one byte."""


def both_sides(state: Any) -> list[list[int]]:
    """The houses and then the store of the first player, and of the second."""
    words = [int(state.mine), int(state.theirs)]
    places = [*range(int(state.houses)), STORE]
    sides = [[word >> (8 * place) & 255 for place in places] for word in words]
    return sides if state.player == 0 else sides[::-1]


def state_text(state: Any) -> str:
    sides = [f"{','.join(map(str, side[:-1]))}:{side[-1]}" for side in both_sides(state)]
    return f"{' '.join(sides)} {SIDES[int(state.player)]}"


def make_state(sides: list[list[int]], player: int) -> Any:
    """The state with these stones: houses and store of the first player, and of the second."""
    words = [
        sum(stones << (8 * place) for place, stones in zip([*range(len(side) - 1), STORE], side, strict=True))
        for side in sides
    ]
    return Kalah(words[player], words[1 - player], len(sides[0]) - 1, player)


def parse_state(text: str) -> Any:
    """The state of a written position; None if the text is not a position."""
    if ":" not in text:
        return None
    number = "[0-9]{1,3}"
    side = f"{number}(?:,{number}){{0,{MOST_HOUSES - 1}}}:{number}"
    found = re.fullmatch(rf"({side})\s+({side})\s+(first|second)", text)
    if not found:
        raise PositionError(
            f"{text!r}: write the houses and the store of both players and who moves, as in 4,4,4:0 4,4,4:0 first"
        )
    sides = [[int(stones) for stones in re.split("[,:]", part)] for part in found.groups()[:2]]
    if len(sides[0]) != len(sides[1]):
        raise PositionError(f"{text!r}: one player has {len(sides[0]) - 1} houses, and the other {len(sides[1]) - 1}")
    if sum(map(sum, sides)) > MOST_STONES:
        raise PositionError(f"{text!r}: there are more than {MOST_STONES} stones")
    empty = [not any(side[:-1]) for side in sides]
    if any(empty) and not all(empty):
        raise PositionError(f"{text!r}: the game is over, so all stones must be in the stores")
    return make_state(sides, SIDES.index(found[3]))
