"""Names of openings, as Reversi players know them.

The names and lines are those of lists that players and programs share (such as samsoft.org.uk/reversi/openings.htm).
Most of them are in several lists; Rocket, Cat, Stephenson and Comp'Oth were found in one only. A line may be played
from any of the four first moves, turned or mirrored.
"""

import functools

from zermelo.position import Position

LINES = {
    "c4c3": "Diagonal opening",
    "c4c5": "Parallel opening",
    "c4e3": "Perpendicular opening",
    "c4c3d3c5b2": "X-square opening",
    "c4c3d3c5b3": "Snake",
    "c4c3d3c5b3f3": "Lysons",
    "c4c3d3c5b4": "Heath",
    "c4c3d3c5b4d2d6": "Heath-Bat",
    "c4c3d3c5b4d2e2": "Iwasaki variation",
    "c4c3d3c5b4e3": "Heath-Chimney",
    "c4c3d3c5b5": "Raccoon Dog",
    "c4c3d3c5b6": "Rocket",
    "c4c3d3c5b6c6b5": "Hamilton",
    "c4c3d3c5b6e3": "Lollipop",
    "c4c3d3c5d6": "Cow",
    "c4c3d3c5d6e3": "Chimney",
    "c4c3d3c5d6f4b4": "Bat",
    "c4c3d3c5d6f4f5": "Rose-v-Toth",
    "c4c3d3c5d6f4f5d2": "Tanida",
    "c4c3d3c5d6f4f5e6f6": "Landau",
    "c4c3d3c5f6": "Buffalo",
    "c4c3e6c5": "Wing variation",
    "c4c3f5c5": "Semi-Wing variation",
    "c4e3f4c5d6e6": "Mimura",
    "c4e3f4c5d6f3c6": "Shaman",
    "c4e3f4c5d6f3d3c3": "Iago",
    "c4e3f4c5d6f3e2": "Bhagat",
    "c4e3f4c5d6f3e6c6": "Ralle",
    "c4e3f4c5e6": "Horse",
    "c4e3f5e6d3": "Italian",
    "c4e3f5e6f4": "Cat",
    "c4e3f6b4": "Bent Ganglion",
    "c4e3f6e6f5": "Tiger",
    "c4e3f6e6f5c5c3": "Stephenson",
    "c4e3f6e6f5c5c3b4": "No-Kung",
    "c4e3f6e6f5c5c3c6": "Comp'Oth",
    "c4e3f6e6f5c5c3g5": "Kung",
    "c4e3f6e6f5c5d3": "Leader's Tiger",
    "c4e3f6e6f5c5d6": "Brightwell",
}


@functools.cache
def _named(size: tuple[int, int]) -> dict[int, str]:
    """The names by the key that a position shares with its symmetries."""
    from zermelo.games.reversi import ReversiGame

    game = ReversiGame(*size)
    return {game.canonical_key(game.position(line).state): name for line, name in LINES.items()}


def opening_name(position: Position) -> str:
    """The name of the opening from which a game came; empty if it has none, or if the game began elsewhere."""
    path = position.path
    if getattr(position.game, "size", None) != (8, 8) or path[0] != position.game.start():
        return ""
    named = _named((8, 8))
    known = (named.get(position.game.canonical_key(before.state)) for before in reversed(path[:12]))
    return next((name for name in known if name), "")
