"""Positions on which something is tried: from all parts of random games, and some just before the end."""

from collections.abc import Iterator

from zermelo.position import Game, Position, random_playout

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""How far into each random game the positions are, as shares of its length; one more is the last before the end."""

MOST_GAMES = 4
"""Random games for each position that is wanted. A small game has fewer different positions than that."""


def sample(game: Game, number: int, seed: int) -> list[Position]:
    """So many different positions in which the game is not over; the same seed gives the same positions."""
    found: dict[int, Position] = {}
    for turn in range(MOST_GAMES * number):
        for position in _of_one_game(game, seed * 1_000_003 + turn, first=turn == 0):
            found.setdefault(position.key, position)
            if len(found) >= number:
                return list(found.values())
    return list(found.values())


def _of_one_game(game: Game, seed: int, first: bool) -> Iterator[Position]:
    start = game.start() if first else game.varied_start(seed)
    path = [position for position in random_playout(start, seed).path if not position.is_over]
    if first:
        yield path[0]
    for share in SHARES:
        yield path[int(share * len(path))]
    yield path[-1]
